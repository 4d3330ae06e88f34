"""Rules as templates see them: in batches, as flat arrays, or one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from miriam._core.features import Words
from miriam.features.ragged import Ragged
from miriam.features.table import Features

__all__ = ["EVERY_DOMAIN", "Fired", "Rule", "RuleBatch", "WordMap"]

EVERY_DOMAIN = 2**64 - 1


@dataclass(frozen=True)
class Rule:
    """A rule as a template sees it."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[tuple[int, int], ...] = ()
    count: float = 0.0  # how often it was seen in training
    unknown: bool = False  # the copy of an unknown word
    domains: int = 0  # a bit for each domain it was seen in


class Fired(NamedTuple):
    """Features of the rules of a batch, in any order; the same one twice counts twice."""

    rows: npt.NDArray[np.int64]  # which rule
    ids: npt.NDArray[np.int32]
    values: npt.NDArray[np.float64]

    @classmethod
    def once(cls, rows: npt.NDArray[np.int64], ids: npt.NDArray[np.int32]) -> Fired:
        """Indicators: each has the value 1."""
        return cls(rows, ids, np.ones(len(ids)))


@dataclass(frozen=True)
class RuleBatch:
    """Rules that a template is asked about: flat arrays, and `rules` one by one."""

    features: Features  # where features get their numbers, and words have theirs
    source: Ragged  # words
    target: Ragged
    links: Ragged  # source word * 256 + target word
    counts: npt.NDArray[np.float64]  # how often each was seen in training
    unknown: npt.NDArray[np.bool_]  # the copy of an unknown word
    domains: npt.NDArray[np.uint64]  # a bit for each domain it was seen in

    @classmethod
    def of(cls, rules: Sequence[Rule], features: Features) -> RuleBatch:
        """A batch of single rules.

        >>> from miriam.features import Features
        >>> batch = RuleBatch.of([Rule(("ein", "hund"), ("a", "dog"))], Features())
        >>> batch.rules[0].target, batch.target.rows()
        (('a', 'dog'), [[0, 1]])
        """
        words = features.words
        return cls(
            features,
            Ragged.of([[words[0].add(word) for word in rule.source] for rule in rules]),
            Ragged.of([[words[1].add(word) for word in rule.target] for rule in rules]),
            Ragged.of([[i << 8 | j for i, j in rule.links] for rule in rules]),
            np.array([rule.count for rule in rules], np.float64),
            np.array([rule.unknown for rule in rules], np.bool_),
            np.array([rule.domains for rule in rules], np.uint64),
        )

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def rules(self) -> Sequence[Rule]:
        """The rules one by one."""
        source, target = (
            [tuple(map(words.word, row)) for row in side.rows()]
            for words, side in zip(self.features.words, (self.source, self.target), strict=True)
        )
        links = [tuple((link >> 8, link & 255) for link in row) for row in self.links.rows()]
        others = (self.counts.tolist(), self.unknown.tolist(), self.domains.tolist())
        return [Rule(*fields) for fields in zip(source, target, links, *others, strict=True)]

    def gaps(self, *, target: bool) -> npt.NDArray[np.bool_]:
        """Which items of a side are gaps, of hierarchical rules."""
        items = (self.target if target else self.source).items
        return np.isin(items, self.features.gaps[target])

    def above(self, cutoff: int | None) -> npt.NDArray[np.bool_]:
        """Which rules were seen more often in training; all of them without a cut-off."""
        return np.ones(len(self), np.bool_) if cutoff is None else self.counts > cutoff


class WordMap:
    """A number for each word, asked for when the word first comes up."""

    UNASKED = -(2**31)

    def __init__(self, numbers: Callable[[Sequence[str]], npt.NDArray[np.int32]]) -> None:
        self.numbers = numbers
        self.found = np.empty(0, np.int32)

    def __call__(self, words: Words, ids: npt.NDArray[np.uint32]) -> npt.NDArray[np.int32]:
        """The number of each of these words."""
        if len(words) > len(self.found):
            more = np.full(len(words) - len(self.found), self.UNASKED, np.int32)
            self.found = np.concatenate([self.found, more])
        known = self.found[ids]
        new = np.unique(ids[known == self.UNASKED])
        if len(new):
            self.found[new] = self.numbers([words.word(word) for word in new.tolist()])
            known = self.found[ids]
        return known
