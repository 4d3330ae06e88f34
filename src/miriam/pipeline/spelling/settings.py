"""The settings of a normaliser of spelling: the same for all languages, some of them by size."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from miriam.align.models import AlignSettings
from miriam.config import Config
from miriam.search.settings import SearchSettings
from miriam.tune.loglinear import LogLinear

__all__ = ["SpellingSettings"]

LARGE = 100_000  # training words from which half the folds will do


class SpellingSettings(Config, frozen=True, kw_only=True):
    """All settings of `miriam train --preset characters`.

    >>> SpellingSettings().resolved(size=500, capitals=False).folds
    10
    """

    # What capitals are: part of the spelling, or of the text around; auto: keep them where the
    # modern forms of the training pairs have any.
    case: Literal["auto", "lower", "keep"] = "auto"
    align: AlignSettings = AlignSettings(symmetrise="grow-diag-final-and")
    max_length: Annotated[int, Meta(ge=1, le=20)] = 7  # characters a side of a rule
    order: Annotated[int, Meta(ge=1, le=10)] = 8  # of the model of the training pairs' modern forms
    modern_order: Annotated[int, Meta(ge=1, le=10)] = 8  # of the model of the modern words
    search: SearchSettings = SearchSettings(pops=40, distortion_limit=0, max_phrase=7)
    candidates: Annotated[int, Meta(ge=2, le=1000)] = 20  # forms of a word that are compared
    # Each part of the pairs is spelt by a model of the other parts, to learn from what it offers.
    folds: Annotated[int, Meta(ge=0, le=100)] = 0  # 0: by size
    held_out: Annotated[int, Meta(ge=1)] = 40_000  # words to learn from, of all parts
    learner: LogLinear = LogLinear()
    seed: Annotated[int, Meta(ge=0)] = 1

    def resolved(self, *, size: int, capitals: bool) -> SpellingSettings:
        """The settings for so many training words, with or without capitals in modern forms."""
        folds = self.folds or (10 if size < LARGE else 5)
        case = self.case
        if case == "auto":
            case = "keep" if capitals else "lower"
        return msgspec.structs.replace(self, folds=folds, case=case)
