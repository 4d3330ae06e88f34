"""Ratios of a derivation and its source sentence: of punctuation, and of function words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from miriam.features.rules import RuleBatch, WordMap
from miriam.features.table import Features

__all__ = ["WordRatio", "function_words", "is_punctuation"]

MOST = 255  # what a rule's count is kept in


@dataclass
class WordRatio:
    """Target words of a kind for each source word of the kind: `PDIF` and `TWFN`."""

    name: str
    is_source: Callable[[str], bool]
    is_target: Callable[[str], bool]
    _of_word: WordMap = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._of_word = WordMap(
            lambda words: np.array([self.is_target(word) for word in words], np.int32)
        )

    def prepare(self, features: Features) -> int:
        """The feature's number."""
        return int(features.ids(features.named(self.name), np.empty((1, 0), np.uint32))[0])

    def counts(self, batch: RuleBatch) -> npt.NDArray[np.uint8]:
        """How many target words of the kind each rule has."""
        found = self._of_word(batch.features.words[1], batch.target.items)
        counts = np.bincount(batch.target.row_of, found, minlength=len(batch))
        return np.minimum(counts, MOST).astype(np.uint8)

    def total(self, source: Sequence[str]) -> int:
        """How many words of the kind a sentence has."""
        return sum(map(self.is_source, source))


def is_punctuation(word: str) -> bool:
    """Whether a word is nothing but punctuation.

    >>> [is_punctuation(word) for word in ("...", "„", "don't", "5", "$")]
    [True, True, False, False, False]
    """
    return all(unicodedata.category(c)[0] == "P" for c in word)


def function_words(lines: Iterable[str], count: int = 25) -> tuple[str, ...]:
    """The most frequent words of lines of tokens that are no number, punctuation or symbol.

    >>> function_words(["the dog , the cat , 3 , 3", "the cat"], 2)
    ('the', 'cat')
    """
    counts = Counter(word for line in lines for word in line.split())
    words = [w for w in counts if any(unicodedata.category(c)[0] in "LM" for c in w)]
    return tuple(sorted(words, key=lambda word: (-counts[word], word))[:count])
