"""What can be chosen when rules are extracted, and what the score columns of a table are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta

from miriam._core.rules import MAX_GAPS, MAX_PHRASE_WORDS, GapOptions, Reordering
from miriam.config import Config

__all__ = [
    "PHRASE_SCORES",
    "AnySettings",
    "ExtractSettings",
    "HierarchicalLimits",
    "HierarchicalSettings",
    "Orientation",
    "orientation_columns",
    "settings_key",
]

Orientation = Literal[
    "wbe-msd", "wbe-mslr", "phrase-msd", "phrase-mslr",
    "hier-msd", "hier-mslr", "symmetric-msd", "symmetric-mslr",
]  # fmt: skip
"""What a neighbour must be (a linked word, an extracted phrase, any phrase; as Moses learns it, or
symmetrically by Galley and Manning's definition), and which classes there are."""

PHRASE_SCORES = ("phi(f|e)", "lex(f|e)", "phi(e|f)", "lex(e|f)", "count", "unique")

REORDERINGS = {
    "wbe": Reordering.WORD,
    "phrase": Reordering.PHRASE,
    "hier": Reordering.HIERARCHICAL,
    "symmetric": Reordering.SYMMETRIC,
}

# The last two are known to Moses alone, and only imported.
CLASSES = {
    "msd": ("monotone", "swap", "discontinuous"),
    "mslr": ("monotone", "swap", "left", "right"),
    "monotonicity": ("monotone", "other"),
    "leftright": ("left", "right"),
}


class ExtractSettings(Config, frozen=True, kw_only=True):
    """How rules are extracted and scored.

    >>> ExtractSettings().score_names[:6]
    ('phi(f|e)', 'lex(f|e)', 'phi(e|f)', 'lex(e|f)', 'count', 'unique')
    >>> ExtractSettings().score_names[6:8]
    ('hier-mslr.previous.monotone', 'hier-mslr.previous.swap')
    """

    max_length: Annotated[int, Meta(ge=1, le=MAX_PHRASE_WORDS)] = 7  # words a side
    orientations: Annotated[tuple[Orientation, ...], Meta(max_length=4)] = ("hier-mslr",)
    smoothing: Annotated[float, Meta(gt=0)] = 0.5  # added to the count of each orientation
    memory: Annotated[int, Meta(ge=1)] = 2 << 30  # bytes for the records held at a time
    threads: Annotated[int, Meta(ge=1)] = 1

    gaps: ClassVar[None] = None  # phrases have none

    @property
    def score_names(self) -> tuple[str, ...]:
        """The names of the score columns of the table."""
        names = list(PHRASE_SCORES)
        for orientation in self.orientations:
            names += orientation_columns(orientation, ("previous", "next"))
        return tuple(names)

    @property
    def reorderings(self) -> list[Reordering]:
        """The kinds of reordering, for the core."""
        return [REORDERINGS[name.partition("-")[0]] for name in self.orientations]

    @property
    def classes(self) -> list[int]:
        """How many orientations each kind tells apart."""
        return [len(CLASSES[name.partition("-")[2]]) for name in self.orientations]


class HierarchicalLimits(Config, frozen=True, kw_only=True):
    """Which hierarchical rules there are; the defaults are Chiang's (2007, section 3.2)."""

    max_length: Annotated[int, Meta(ge=1, le=MAX_PHRASE_WORDS)] = 10  # words a side, gaps filled
    max_symbols: Annotated[int, Meta(ge=1, le=MAX_PHRASE_WORDS)] = 5  # source words and gaps
    max_gaps: Annotated[int, Meta(ge=0, le=MAX_GAPS)] = 2
    adjacent: bool = False  # whether gaps may be side by side on the source side
    tight: bool = True  # whether initial phrases must begin and end with linked words
    least_links: Annotated[int, Meta(ge=1)] = 1  # between the words of a rule


class HierarchicalSettings(HierarchicalLimits, frozen=True, kw_only=True):
    """How hierarchical rules are extracted and scored.

    >>> HierarchicalSettings(max_gaps=1).score_names
    ('phi(f|e)', 'lex(f|e)', 'phi(e|f)', 'lex(e|f)', 'count', 'unique')
    """

    memory: Annotated[int, Meta(ge=1)] = 2 << 30  # bytes for the records held at a time
    threads: Annotated[int, Meta(ge=1)] = 1

    score_names: ClassVar[tuple[str, ...]] = PHRASE_SCORES
    reorderings: ClassVar[list[Reordering]] = []
    classes: ClassVar[list[int]] = []
    smoothing: ClassVar[float] = 0.0

    @property
    def gaps(self) -> GapOptions:
        """The limits, for the core."""
        return GapOptions(
            max_symbols=self.max_symbols,
            max_gaps=self.max_gaps,
            adjacent=self.adjacent,
            tight=self.tight,
            least_links=self.least_links,
        )


AnySettings: TypeAlias = ExtractSettings | HierarchicalSettings


def settings_key(settings: AnySettings, *, without: Sequence[str] = ()) -> str:
    """The settings that the result depends on.

    >>> settings_key(ExtractSettings(memory=5), without=["orientations"])
    '{"max_length":7,"smoothing":0.5}'
    """
    tree = msgspec.to_builtins(settings)
    for name in ("memory", "threads", *without):
        tree.pop(name, None)
    return msgspec.json.encode(tree).decode()


def orientation_columns(orientation: str, directions: Sequence[str]) -> list[str]:
    """The names of the columns of one orientation model.

    >>> orientation_columns("wbe-msd", ["next"])
    ['wbe-msd.next.monotone', 'wbe-msd.next.swap', 'wbe-msd.next.discontinuous']
    """
    classes = CLASSES[orientation.partition("-")[2]]
    return [f"{orientation}.{direction}.{name}" for direction in directions for name in classes]
