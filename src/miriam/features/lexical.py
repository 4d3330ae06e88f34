"""Templates of lexical choice: which words, or classes of words, a rule has."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from miriam._core.features import BEGIN, END
from miriam.features.ragged import Ragged
from miriam.features.rules import Fired, RuleBatch
from miriam.features.symbols import Symbols
from miriam.features.table import Family, Features
from miriam.features.templates import NO_KEY, Ids

__all__ = ["BoundaryPairs", "RuleIndicator", "RuleOrientation", "TargetPairs", "TargetUnits"]

CLASSES = ("monotone", "swap", "discontinuous", "nonMonotone")
EVENTS = [0b0001, 0b0010, 0b1100, 0b1110]  # monotone; swap; left or right; all but monotone


@dataclass
class _RuleKeys:
    """Keys of whole rules: source symbols, then target symbols."""

    symbols: Symbols
    cutoff: int | None = None  # only rules seen more often in training
    family: Family = field(init=False, repr=False)

    @property
    def layout(self) -> str:
        return f"{self.symbols.layout.source_list}>{self.symbols.layout.target_list}"

    def ids(self, batch: RuleBatch) -> Ids:
        """The (first) feature of each rule; -1 for rules that are not frequent enough."""
        chosen = batch.above(self.cutoff)
        found = np.full(len(batch), -1, np.int32)
        sides = (self.symbols.source(batch), self.symbols.target(batch))
        keys = Ragged.join(*(side.take(chosen).with_lengths() for side in sides))
        found[chosen] = batch.features.ids(self.family, keys)
        return found


@dataclass
class RuleIndicator(_RuleKeys):
    """`PT:s-s>t-t`: fires for a rule. With classes, `PTC:c-c>d-d`: for its prototype."""

    def prepare(self, features: Features) -> None:
        """Make the family."""
        self.family = features.named(f"PT{self.symbols.layout.suffix}", self.layout)

    def __call__(self, batch: RuleBatch) -> Fired:
        """One a rule."""
        ids = self.ids(batch)
        rows = np.flatnonzero(ids >= 0)
        return Fired.once(rows, ids[rows])


@dataclass
class RuleOrientation(_RuleKeys):
    """`LO:swapWithPrevious:s-s>t-t` (`LOC:…` with classes): a rule and how it lies.

    Eight features: monotone, swap, discontinuous, and nonMonotone, which fires with either of the
    two before; each with the previous phrase (this rule's) and with the next (the earlier rule's).
    """

    blocks: bool = False
    events: list[int] = field(default_factory=lambda: 2 * EVENTS)

    def prepare(self, features: Features) -> None:
        """Make the family."""
        members = [name + side for side in ("WithPrevious", "WithNext") for name in CLASSES]
        self.family = features.named(f"LO{self.symbols.layout.suffix}", self.layout, members)


@dataclass
class TargetUnits:
    """`TGT:t` (`TGTCLS:c` with classes): how often the target side has a word."""

    symbols: Symbols
    family: Family = field(init=False, repr=False)

    def prepare(self, features: Features) -> None:
        """Make the family."""
        name = "TGTCLS" if self.symbols.layout.suffix else "TGT"
        self.family = features.named(name, self.symbols.layout.target)

    def __call__(self, batch: RuleBatch) -> Fired:
        """One a word."""
        target = self.symbols.target(batch)
        words = np.flatnonzero(~batch.gaps(target=True))
        ids = batch.features.ids(self.family, target.items[words].reshape(-1, 1))
        return Fired.once(target.row_of[words], ids)


@dataclass
class BoundaryPairs:
    """`TGTBND:t-t` (`TGTCBND:c-c` with classes): the target words on both sides of a boundary.

    At the first rule the left one is `<s>`, at the end the right one is `</s>`. A rule without
    target words leaves what is on its left.
    """

    symbols: Symbols
    prefix: str = "TGT{}BND"
    begin: int = BEGIN
    end: int = END
    family: Family = field(init=False, repr=False)

    def prepare(self, features: Features) -> None:
        """Make the family."""
        one = self.symbols.layout.target
        self.family = features.named(self.prefix.format(self.symbols.layout.suffix), f"{one}-{one}")

    def keys(self, batch: RuleBatch) -> np.ndarray:
        """The first and the last symbol of each rule's target side."""
        target = self.symbols.target(batch)
        keys = np.full((len(batch), 2), NO_KEY, np.uint32)
        some = target.lengths > 0
        keys[some, 0] = target.items[target.starts[some]]
        keys[some, 1] = target.items[target.starts[some] + target.lengths[some] - 1]
        return keys


@dataclass
class TargetPairs:
    """`NGR:t-t` (`NGRC:c-c`): a discriminative bigram model of the target side.

    Pairs inside a rule are the rule's, and those over a boundary the decoder's, who is given the
    same family by `boundary`.
    """

    symbols: Symbols
    boundary: BoundaryPairs = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.boundary = BoundaryPairs(self.symbols, "NGR{}")

    def prepare(self, features: Features) -> None:
        """The family is the boundary's."""

    def __call__(self, batch: RuleBatch) -> Fired:
        """One a pair of neighbours."""
        target = self.symbols.target(batch)
        later = np.flatnonzero(target.place > 0)
        pairs = np.stack([target.items[later - 1], target.items[later]], axis=1)
        return Fired.once(target.row_of[later], batch.features.ids(self.boundary.family, pairs))
