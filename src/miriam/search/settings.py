"""How the decoder searches."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from miriam._core.search import Settings
from miriam.config import Config

__all__ = ["SearchSettings"]


class SearchSettings(Config, frozen=True, kw_only=True):
    """Settings of search: with phrases, or, where the rules of the tables have gaps, hierarchical.

    >>> SearchSettings(pops=100).native().pops
    100
    """

    pops: Annotated[int, Meta(ge=1, le=60_000)] = 400  # hypotheses opened a stack, or a span
    stack: Annotated[int, Meta(ge=0, le=60_000)] = 0  # kept; 0: a third of pops, of a span all
    distortion_limit: Annotated[int, Meta(ge=0, le=50)] | None = 6  # None: the window's 64 words
    limit_jumps: bool = False  # also every jump, not only how far the first gap may lie behind
    max_phrase: Annotated[int, Meta(ge=1, le=64)] = 7  # source words
    max_span: Annotated[int, Meta(ge=1, le=1000)] = 10  # source words of a rule, gaps filled
    # Rules of a source phrase that are looked at, those seen most often in training; 0: all.
    considered: Annotated[int, Meta(ge=0)] = 100
    rule_limit: Annotated[int, Meta(ge=1, le=60_000)] = 20  # the best of them, which are used
    future_distortion: bool = True  # jumps that are still to come count when hypotheses compete
    unknown: Literal["copy", "drop"] = "copy"  # what becomes of words that no rule translates
    # Merge hypotheses that these features may treat differently: quicker, and n-best scores are
    # those of the best history. To measure what their states are worth.
    ignore_states: tuple[Literal["orientation", "boundary"], ...] = ()

    def native(self, *, nbest: int = 1, distinct: bool = False) -> Settings:
        """The same for the core."""
        settings = Settings()
        settings.pops, settings.stack = self.pops, self.stack
        settings.distortion_limit = -1 if self.distortion_limit is None else self.distortion_limit
        settings.limit_jumps = self.limit_jumps
        settings.max_phrase, settings.max_span = self.max_phrase, self.max_span
        settings.considered, settings.rule_limit = self.considered, self.rule_limit
        settings.future_distortion = self.future_distortion
        settings.nbest, settings.distinct = nbest, distinct
        settings.ignore_orientation = "orientation" in self.ignore_states
        settings.ignore_boundary = "boundary" in self.ignore_states
        return settings
