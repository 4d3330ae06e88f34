"""The weights that take a step together after each update: those that are not 0."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from miriam.features.nbest import Names
from miriam.tune.losses.loss import Array
from miriam.tune.prefixes import Prefixed
from miriam.tune.table import Ids, Table

__all__ = ["Joint", "Together"]


class Joint(Protocol):
    """A penalty that sees many weights at once."""

    @property
    def features(self) -> tuple[str, ...]:
        """Which weights: those of features whose names begin so."""

    @property
    def known(self) -> int | None:
        """How many such features there are; None: as many as are known when learning begins."""

    def step(self, weights: Array, rate: float, known: int) -> Array:
        """The weights `[u]`, none of them 0, after their step; only these can become 0."""


class Together:
    """Which weights are not 0, and how many could be: kept up to date at the cost of the former.

    `known` is part of the run: names that come later do not change it, unless more weights than
    that are not 0.
    """

    def __init__(self, penalty: Joint, frozen: tuple[str, ...], names: Names) -> None:
        self.penalty = penalty
        self.seen, self.frozen = Prefixed(penalty.features, names), Prefixed(frozen, names)
        self.ids = np.empty(0, dtype=np.int32)  # of the weights that are not 0, ascending
        movable = self.seen.all() & ~self.frozen.all()
        self.known = penalty.known or int(np.count_nonzero(movable))

    def begin(self, table: Table) -> None:
        """Look through a whole table: before learning, and after weights came from elsewhere."""
        self.ids = np.empty(0, dtype=np.int32)
        self.ids = self._with(np.flatnonzero(table.all()["weight"]).astype(np.int32))

    def step(self, table: Table, fired: Ids, rate: float) -> Ids:
        """Let the weights take their step after an update of some; whose may have changed."""
        ids = self._with(fired)
        rows = table.take(ids)
        if not rows["weight"].all():
            ids = ids[rows["weight"] != 0]
            rows = table.take(ids)
        self.known = max(self.known, len(ids))
        rows["weight"] = self.penalty.step(rows["weight"], rate, self.known)
        table.put(ids, rows)
        self.ids = ids[rows["weight"] != 0]
        return ids

    def _with(self, ids: Ids) -> Ids:
        """The weights that are not 0, and others that may have come, ascending."""
        ids = ids[self.seen(ids) & ~self.frozen(ids)]
        at = np.searchsorted(self.ids, ids)
        new = self.ids.take(at, mode="clip") != ids if len(self.ids) else np.ones(len(ids), bool)
        return np.insert(self.ids, at[new], ids[new])
