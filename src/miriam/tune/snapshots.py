"""Weights as they were at one moment, for decoding while the learner goes on.

A snapshot is a buffer of its own, brought up to date by replaying the rows that changed since it
was last used; it is never copied whole. With a delay of k mini-batches, k + 1 buffers take turns.
Without a delay nobody reads while the learner writes, and a snapshot is the learner's own table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from miriam.tune.losses.loss import Array
from miriam.tune.table import Ids, Table

if TYPE_CHECKING:
    from miriam.tune.learner import Learner
    from miriam.tune.regularisers import AnyRegulariser

__all__ = ["Snapshots", "Weights"]


class Weights(Protocol):
    """Weights that may be read from any thread."""

    def read(self, ids: Ids) -> Array:
        """The weights of some features; 0 for one that is not known."""


class Snapshot:
    """A table at one reading of the clock; reading pays debts in passing and changes nothing."""

    def __init__(self, table: Table, clock: float, regulariser: AnyRegulariser) -> None:
        self.table, self.clock, self.regulariser = table, clock, regulariser

    def read(self, ids: Ids) -> Array:
        """The weights of some features, their debts paid."""
        rows = self.table.take(ids)
        if self.regulariser.penalises:
            self.regulariser.pay(rows, (self.clock - rows["paid"]) * rows["unit"])
        return rows["weight"].copy()


class Snapshots:
    """The buffers that take turns, and the changes that each of them has not seen."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.buffers: list[Table] = []
        self.unseen: list[list[Ids]] = []
        self.turn = 0

    def keep(self, count: int) -> None:
        """Have so many buffers; none: a snapshot is the learner's own table."""
        self.buffers = [Table(list(self.learner.table.columns)) for _ in range(count)]
        everything = np.arange(self.learner.table.size, dtype=np.int32)
        self.unseen = [[everything] for _ in range(count)]
        self.turn = 0

    def changed(self, ids: Ids) -> None:
        """Note which rows changed."""
        for changes in self.unseen:
            changes.append(ids)

    def take(self) -> Snapshot:
        """The weights now; the buffer that was taken longest ago is used again."""
        learner = self.learner
        if not self.buffers:
            return Snapshot(learner.table, learner.clock, learner.regulariser)
        buffer, changes = self.buffers[self.turn], self.unseen[self.turn]
        for ids in changes:
            buffer.put(ids, learner.table.take(ids))
        changes.clear()
        self.turn = (self.turn + 1) % len(self.buffers)
        return Snapshot(buffer, learner.clock, learner.regulariser)
