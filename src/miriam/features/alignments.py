"""Templates of word alignments inside rules."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from miriam._core.features import find_cliques
from miriam.features.ragged import Ragged
from miriam.features.rules import Fired, RuleBatch
from miriam.features.symbols import Symbols
from miriam.features.table import Family, Features

__all__ = ["Alignments", "Constellation", "Unaligned", "WordPairs"]


@dataclass
class Alignments:
    """`ALN:s-s>t-t` (`ALNC:c>d` with classes): words of a rule that links hold together.

    Fires once for each clique of linked words, written as the set of its source and the set of its
    target words.
    """

    symbols: Symbols
    cutoff: int | None = None  # only in rules seen more often in training
    family: Family = field(init=False, repr=False)

    def prepare(self, features: Features) -> None:
        """Make the family."""
        layout = f"{self.symbols.layout.source_set}>{self.symbols.layout.target_set}"
        self.family = features.named(f"ALN{self.symbols.layout.suffix}", layout)

    def __call__(self, batch: RuleBatch) -> Fired:
        """One a clique."""
        of_source, of_target, rules = _cliques(batch)
        sides = (
            _sets(self.symbols.source(batch).items, of_source, len(rules)),
            _sets(self.symbols.target(batch).items, of_target, len(rules)),
        )
        chosen = batch.above(self.cutoff)[rules]
        keys = Ragged.join(*(side.take(chosen).with_lengths() for side in sides))
        return Fired.once(rules[chosen].astype(np.int64), batch.features.ids(self.family, keys))


@dataclass
class Unaligned:
    """`ALNS:s` (`ALNSC:c` with classes): a source word of a rule that no link touches.

    `ALNT:t` and `ALNTC:d`: the same of target words.
    """

    symbols: Symbols
    target: bool = False
    family: Family = field(init=False, repr=False)

    def prepare(self, features: Features) -> None:
        """Make the family."""
        side = "T" if self.target else "S"
        layout = self.symbols.layout
        one = layout.target if self.target else layout.source
        self.family = features.named(f"ALN{side}{layout.suffix}", one)

    def __call__(self, batch: RuleBatch) -> Fired:
        """One a word."""
        of_source, of_target, _ = _cliques(batch)
        of_word = of_target if self.target else of_source
        side = (self.symbols.target if self.target else self.symbols.source)(batch)
        free = np.flatnonzero((of_word < 0) & ~batch.gaps(target=self.target))
        ids = batch.features.ids(self.family, side.items[free].reshape(-1, 1))
        return Fired.once(side.row_of[free], ids)


@dataclass
class Constellation:
    """`ACON:0.0-1.2`: the links of a rule, whatever its words."""

    family: Family = field(init=False, repr=False)

    def prepare(self, features: Features) -> None:
        """Make the family."""
        self.family = features.named("ACON", "L")

    def __call__(self, batch: RuleBatch) -> Fired:
        """One a rule."""
        ids = batch.features.ids(self.family, batch.links.with_lengths())
        return Fired.once(np.arange(len(batch)), ids)


@dataclass
class WordPairs:
    """`WP:s>t`: two linked words; with context also `WPS:s-s>t` and `WPT:s>t-t`.

    The context is the word before in the same rule, and nothing where the rule begins.
    """

    context: bool = True
    families: list[Family] = field(init=False, repr=False)

    def prepare(self, features: Features) -> None:
        """Make the families."""
        names = {"WP": "s>t", **({"WPS": "s-s>t", "WPT": "s>t-t"} if self.context else {})}
        self.families = [features.named(name, layout) for name, layout in names.items()]

    def __call__(self, batch: RuleBatch) -> Fired:
        """One a link, and one for each side that has a word before."""
        rows = batch.links.row_of
        source = batch.source.starts[rows] + (batch.links.items >> 8)
        target = batch.target.starts[rows] + (batch.links.items & 255)
        s, t = batch.source.items, batch.target.items
        inner_s = source > batch.source.starts[rows]
        inner_t = target > batch.target.starts[rows]
        found = [(rows, np.stack([s[source], t[target]], axis=1))]
        if self.context:
            a, b = source[inner_s], target[inner_s]
            found.append((rows[inner_s], np.stack([s[a - 1], s[a], t[b]], axis=1)))
            a, b = source[inner_t], target[inner_t]
            found.append((rows[inner_t], np.stack([s[a], t[b - 1], t[b]], axis=1)))
        ids = [batch.features.ids(f, k) for f, (_, k) in zip(self.families, found, strict=True)]
        return Fired.once(np.concatenate([row for row, _ in found]), np.concatenate(ids))


def _cliques(batch: RuleBatch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The clique of each source word and of each target word (-1: none), and each one's rule."""
    return find_cliques(batch.source.ends, batch.target.ends, batch.links.ends, batch.links.items)


def _sets(items: np.ndarray, of_item: np.ndarray, count: int) -> Ragged:
    """The different items of each clique, ascending."""
    linked = of_item >= 0
    cells = np.unique(of_item[linked].astype(np.uint64) << np.uint64(32) | items[linked])
    owners = (cells >> np.uint64(32)).astype(np.int64)
    return Ragged.sized(cells.astype(np.uint32), np.bincount(owners, minlength=count))
