"""Maps from words to classes: learnt here or by other tools, asked by the word or by the text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam.container import ContainerWriter, open_container
from miriam.corpus.tokens import squeeze
from miriam.errors import InputError, ModelError
from miriam.lexicon.vocabulary import (
    MappedVocabulary,
    Vocabulary,
    read_vocabulary,
    write_vocabulary,
)
from miriam.text.files import open_write, read_lines

__all__ = ["OTHER", "UNKNOWN_WORD", "WordClasses", "read_classes", "zero_digits"]

UNKNOWN_WORD = "<unk>"  # stands for the words that a map does not have
OTHER = "<other>"  # the class of such words where <unk> has none
DIGIT = re.compile(r"\d")
KIND, VERSION, SUFFIX = "classes", 1, ".classes"
BITS = frozenset("01")


class WordClasses:
    """The class of every word, as a number; `names` has what the classes are called.

    A word that the map does not have is of the class of `<unk>`; where that has none, such words
    are a class of their own, the last. If no word of the map has a digit but 0, words are looked up
    with their digits written as 0, as they were when the classes were learnt.

    Classes are numbered in the order of their names, short ones first: a class whose name is a
    number below the number of classes has this number.

    >>> classes = WordClasses({"dog": "1", "cat": "1", "the": "0", "<unk>": "2", "1000": "0"})
    >>> len(classes), classes["cat"], classes["zebra"]
    (3, 1, 2)
    >>> classes.classes(["the", "dog"]).tolist()
    [0, 1]
    """

    def __init__(self, classes: Mapping[str, str]) -> None:
        words = Vocabulary()
        for word in classes:
            words.add(word)
        names = sorted(set(classes.values()), key=lambda name: (len(name), name))
        if UNKNOWN_WORD not in classes:
            names.append(OTHER)
        number = {name: i for i, name in enumerate(names)}
        unknown = number[classes.get(UNKNOWN_WORD, OTHER)]
        # One entry a word, and the last for all words that the map does not have.
        ids = [*(number[name] for name in classes.values()), unknown]
        self._set(MappedVocabulary(*words.arrays()), np.array(ids, np.int32), names)

    def _set(
        self, words: MappedVocabulary, of_word: npt.NDArray[np.int32], names: Sequence[str]
    ) -> None:
        self.words, self.of_word, self.names = words, of_word, tuple(names)
        text = "\n".join(map(words.word, range(len(words))))
        self.zeroed = zero_digits(text) == text

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, word: str) -> int:
        found = self.words.find(zero_digits(word) if self.zeroed else word)
        return int(self.of_word[-1 if found is None else found])

    def classes(self, words: Sequence[str]) -> npt.NDArray[np.int32]:
        """The class of each of some words."""
        return np.fromiter(map(self.__getitem__, words), np.int32, len(words))

    def encode(self, lines: bytes) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint64]]:
        r"""The classes of the words of lines of tokens, and where each line ends in them.

        >>> WordClasses({"dog": "1", "<unk>": "0"}).encode(b"a dog\nno\n")[0].tolist()
        [0, 1, 0]
        """
        text = zero_digits(lines.decode()).encode() if self.zeroed else lines
        ids, ends = self.words.encode(text)
        return self.of_word[np.minimum(ids, len(self.words))], ends

    def entries(self) -> list[tuple[str, str]]:
        """The words of the map with the names of their classes."""
        names = [self.names[i] for i in self.of_word[:-1].tolist()]
        return list(zip(map(self.words.word, range(len(self.words))), names, strict=True))

    def write(self, path: Path | str) -> None:
        """Write the map: a table to be mapped if the name ends in `.classes`, else lines of text.

        A line is a word, a tab and the name of its class; `read_classes` reads both forms.
        """
        if Path(path).suffix != SUFFIX:
            with open_write(path) as file:
                file.writelines(f"{word}\t{name}\n".encode() for word, name in self.entries())
            return
        words = Vocabulary()
        for word, _ in self.entries():
            words.add(word)
        metadata = {"names": json.dumps(self.names)}
        with ContainerWriter(path, kind=KIND, version=VERSION, metadata=metadata) as writer:
            write_vocabulary(writer, "words", words)
            writer.add("word.class", self.of_word)


def zero_digits(text: str) -> str:
    """The text with every decimal digit, of any script, as 0.

    >>> zero_digits("on 24 ٣")
    'on 00 0'
    """
    return DIGIT.sub("0", text)


def read_classes(path: Path | str) -> WordClasses:
    r"""The map in a file.

    A file whose name ends in `.classes` is a table that `WordClasses.write` made. Any other one has
    a word and its class a line, parted by a tab or a blank (as mkcls and fastText write them), or a
    bit string, a word and a count (`paths` of Brown clustering).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "paths").write_text("0110\tdog\t7\n0111\tcat\t3\n")
    ...     read_classes(Path(folder) / "paths").names
    ('0110', '0111', '<other>')
    """
    if Path(path).suffix == SUFFIX:
        return _read_table(path)
    classes: dict[str, str] = {}
    columns = 2
    for number, line in enumerate(read_lines(path), 1):
        fields = squeeze(line).split(" ")
        if number == 1 and len(fields) == 3 and BITS.issuperset(fields[0]):
            columns = 3
        if len(fields) != columns:
            expected = "a word and its class" if columns == 2 else "a bit string, a word, a count"
            raise InputError(f"expected {expected}, found {line!r}", path=path, line=number)
        word, name = fields if columns == 2 else (fields[1], fields[0])
        if classes.setdefault(word, name) != name:
            raise InputError(
                f"{word!r} is of class {name!r} here, and of {classes[word]!r} before",
                path=path, line=number,
            )  # fmt: skip
    if not classes:
        raise InputError("no word has a class", path=path)
    return WordClasses(classes)


def _read_table(path: Path | str) -> WordClasses:
    table = open_container(path, kind=KIND, version=VERSION)
    words, of_word = read_vocabulary(table, "words"), table["word.class"]
    names = json.loads(table.metadata.get("names", "[]"))
    if len(of_word) != len(words) + 1 or not 0 <= of_word.min() <= of_word.max() < len(names):
        raise ModelError(f"{path}: the classes do not fit the words; build the file again")
    classes = WordClasses.__new__(WordClasses)
    classes._set(words, of_word, names)
    return classes
