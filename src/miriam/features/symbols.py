"""What stands for the words of rules in a template: the words themselves, or their classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from miriam.features.ragged import Ragged
from miriam.features.rules import RuleBatch, WordMap

__all__ = ["ClassMap", "Classes", "Symbols", "Words"]


class ClassMap(Protocol):
    """A map from words to classes, numbered from 0."""

    def classes(self, words: Sequence[str]) -> npt.NDArray[np.int32]:
        """The class of each word."""


class Layout(NamedTuple):
    """How symbols are written in the names of features (`native/features/names.hh`)."""

    suffix: str  # of a template's name
    source_list: str
    target_list: str
    source_set: str
    target_set: str
    source: str  # one alone
    target: str  # one alone, or the begin or end of the sentence


class Symbols(Protocol):
    """The symbols of a batch."""

    @property
    def layout(self) -> Layout:
        """How they are written."""

    def source(self, batch: RuleBatch) -> Ragged:
        """Those of the source words."""

    def target(self, batch: RuleBatch) -> Ragged:
        """Those of the target words."""


class Words:
    """The words themselves."""

    layout = Layout("", "S", "T", "A", "B", "s", "t")

    def source(self, batch: RuleBatch) -> Ragged:
        """The source words."""
        return batch.source

    def target(self, batch: RuleBatch) -> Ragged:
        """The target words."""
        return batch.target


class Classes:
    """The classes of words."""

    layout = Layout("C", "C", "C", "N", "N", "c", "c")

    def __init__(self, source: ClassMap, target: ClassMap) -> None:
        self._source, self._target = WordMap(source.classes), WordMap(target.classes)

    def source(self, batch: RuleBatch) -> Ragged:
        """The classes of the source words."""
        found = self._source(batch.features.words[0], batch.source.items)
        return Ragged(found.astype(np.uint32), batch.source.ends)

    def target(self, batch: RuleBatch) -> Ragged:
        """The classes of the target words."""
        found = self._target(batch.features.words[1], batch.target.items)
        return Ragged(found.astype(np.uint32), batch.target.ends)
