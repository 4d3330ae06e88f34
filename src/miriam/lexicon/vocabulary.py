"""Words and their ids, and text as arrays of ids: the form in which it enters the core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from miriam._core.lexicon import MappedVocabulary, Vocabulary
from miriam.container import Container, ContainerWriter

__all__ = [
    "NO_WORD",
    "MappedVocabulary",
    "Sentences",
    "Vocabulary",
    "encode",
    "read_vocabulary",
    "write_vocabulary",
]

NO_WORD = 2**32 - 1  # the id of a word that a vocabulary does not have
BATCH_LINES = 10_000


@dataclass(frozen=True)
class Sentences:
    """Sentences of word ids, one after another.

    >>> sentences, = encode([("a dog", )], [Vocabulary()])
    >>> len(sentences), sentences[0].tolist()
    (1, [0, 1])
    """

    ids: npt.NDArray[np.uint32]
    ends: npt.NDArray[np.uint64]  # where each sentence ends in `ids`

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> npt.NDArray[np.uint32]:
        begin = self.ends[index - 1] if index else 0
        return self.ids[int(begin) : int(self.ends[index])]


def encode(
    rows: Iterable[Sequence[str]], vocabularies: Sequence[Vocabulary | MappedVocabulary]
) -> list[Sentences]:
    """Lines of tokens as ids, one `Sentences` for each column of the rows.

    A growing `Vocabulary` takes up new words; a mapped one gives them the id `NO_WORD`.

    >>> german, english = encode([("ein hund", "a dog")], [Vocabulary(), Vocabulary()])
    >>> german.ids.tolist(), english.ends.tolist()
    ([0, 1], [2])
    """
    batches: list[list[Sentences]] = [[] for _ in vocabularies]
    for batch in _batches(rows):
        for column, vocabulary, parts in zip(
            zip(*batch, strict=True), vocabularies, batches, strict=True
        ):
            parts.append(Sentences(*vocabulary.encode(("\n".join(column) + "\n").encode())))
    return [_concatenate(parts) for parts in batches]


def _batches(rows: Iterable[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH_LINES)):
        yield batch


def _concatenate(parts: Sequence[Sentences]) -> Sentences:
    starts = np.cumsum([0] + [len(part.ids) for part in parts], dtype=np.uint64)
    return Sentences(
        np.concatenate([np.empty(0, np.uint32), *(part.ids for part in parts)]),
        np.concatenate(
            [np.empty(0, np.uint64), *(p.ends + s for p, s in zip(parts, starts, strict=False))]
        ),
    )


def write_vocabulary(writer: ContainerWriter, name: str, vocabulary: Vocabulary) -> None:
    """Store a vocabulary in a table, as three arrays whose names begin with `name`.

    >>> import tempfile
    >>> from miriam.container import open_container
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with ContainerWriter(f"{folder}/words", kind="words", version=1) as writer:
    ...         write_vocabulary(writer, "source", Vocabulary())
    ...     sorted(open_container(f"{folder}/words", kind="words", version=1).arrays)
    ['source.ends', 'source.slots', 'source.text']
    """
    text, ends, slots = vocabulary.arrays()
    writer.add(f"{name}.text", text)
    writer.add(f"{name}.ends", ends)
    writer.add(f"{name}.slots", slots)


def read_vocabulary(table: Container, name: str) -> MappedVocabulary:
    """A vocabulary that `write_vocabulary` stored; its words stay in the mapped file.

    >>> import tempfile
    >>> from miriam.container import open_container
    >>> words = Vocabulary()
    >>> _ = words.add("hund")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with ContainerWriter(f"{folder}/words", kind="words", version=1) as writer:
    ...         write_vocabulary(writer, "source", words)
    ...     table = open_container(f"{folder}/words", kind="words", version=1)
    ...     read_vocabulary(table, "source").find("hund")
    0
    """
    return MappedVocabulary(table[f"{name}.text"], table[f"{name}.ends"], table[f"{name}.slots"])
