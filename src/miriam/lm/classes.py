"""Class models: a map from words to classes in front of a model over classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from miriam.lexicon.classes import WordClasses
from miriam.lexicon.vocabulary import Sentences
from miriam.lm.model import UNKNOWN, LanguageModel, Scoring, WordScores

__all__ = ["ClassModel", "replace_words"]


class ClassModel(Scoring):
    """Scores the classes of words: p(class | classes before), not p(word | class).

    >>> from miriam.lm import Estimation, estimate
    >>> classes = WordClasses({"a": "1", "the": "1", "dog": "2", "cat": "2"})
    >>> model = estimate(replace_words(["a dog", "the cat"], classes), Estimation(order=2)).model()
    >>> by_class = ClassModel(model, classes)
    >>> by_class.score("a cat") == by_class.score("the dog") == model.score("1 2")
    True
    """

    def __init__(self, model: LanguageModel, classes: WordClasses) -> None:
        self.model, self.classes = model, classes
        find = model.vocabulary.find
        self.class_ids = np.array([find(name) or UNKNOWN for name in classes.names], np.uint32)

    @property
    def order(self) -> int:
        """The number of classes of the longest n-grams."""
        return self.model.order

    def encode(self, lines: bytes) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
        """The model's ids of the classes of the words of lines of tokens, and where each ends."""
        classes, ends = self.classes.encode(lines)
        return self.class_ids[classes], ends

    def score_words(self, text: Sequence[str]) -> WordScores:
        """What the model says of the class of each word of lines of tokens."""
        lines = "".join(f"{line}\n" for line in text).encode()
        return self.model.score_ids(Sentences(*self.encode(lines)))


def replace_words(text: Sequence[str], classes: WordClasses) -> list[str]:
    """Lines of tokens as lines of classes, the text from which a class model is estimated.

    >>> replace_words(["a dog", "a cow"], WordClasses({"a": "1", "dog": "2", "<unk>": "0"}))
    ['1 2', '1 0']
    """
    return [
        " ".join(classes.names[i] for i in classes.classes(line.split()).tolist()) for line in text
    ]
