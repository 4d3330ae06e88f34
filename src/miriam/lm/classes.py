"""Class models: a map from words to classes in front of a model over classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from miriam.errors import InputError
from miriam.lexicon.vocabulary import MappedVocabulary, Sentences, Vocabulary
from miriam.lm.model import UNKNOWN, LanguageModel, Scoring, WordScores
from miriam.text.files import read_lines

__all__ = ["ClassModel", "read_classes", "replace_words"]

UNKNOWN_WORD = "<unk>"


class ClassModel(Scoring):
    """Scores the classes of words: p(class | classes before), not p(word | class).

    A word that the map does not have is of the class of `<unk>`, or unknown if there is none.

    >>> from miriam.lm import Estimation, estimate
    >>> classes = {"a": "1", "the": "1", "dog": "2", "cat": "2"}
    >>> model = estimate(replace_words(["a dog", "the cat"], classes), Estimation(order=2)).model()
    >>> by_class = ClassModel(model, classes)
    >>> by_class.score("a cat") == by_class.score("the dog") == model.score("1 2")
    True
    """

    def __init__(self, model: LanguageModel, classes: Mapping[str, str]) -> None:
        self.model = model
        words = Vocabulary()
        for word in classes:
            words.add(word)
        self.words = MappedVocabulary(*words.arrays())
        find = model.vocabulary.find
        unknown = classes.get(UNKNOWN_WORD)
        # One entry a word, and the last for all words that the map does not have.
        self.class_ids = np.array(
            [
                UNKNOWN if name is None else find(name) or UNKNOWN
                for name in (*classes.values(), unknown)
            ],
            dtype=np.uint32,
        )

    @property
    def order(self) -> int:
        """The number of classes of the longest n-grams."""
        return self.model.order

    def score_words(self, text: Sequence[str]) -> WordScores:
        """What the model says of the class of each word of lines of tokens."""
        ids, ends = self.words.encode("".join(f"{line}\n" for line in text).encode())
        classes = self.class_ids[np.minimum(ids, len(self.class_ids) - 1)]
        return self.model.score_ids(Sentences(classes, ends))


def replace_words(text: Sequence[str], classes: Mapping[str, str]) -> list[str]:
    """Lines of tokens as lines of classes, the text from which a class model is estimated.

    >>> replace_words(["a dog", "a cow"], {"a": "1", "dog": "2", "<unk>": "0"})
    ['1 2', '1 0']
    """
    unknown = classes.get(UNKNOWN_WORD, "<other>")
    return [" ".join(classes.get(word, unknown) for word in line.split()) for line in text]


def read_classes(path: Path | str) -> dict[str, str]:
    """The map in a file of lines of a word and its class."""
    classes: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), 1):
        match line.split():
            case [word, name]:
                classes[word] = name
            case _:
                raise InputError(
                    f"expected a word and its class, found {line!r}", path=path, line=number
                )
    return classes
