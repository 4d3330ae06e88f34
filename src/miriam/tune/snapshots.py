"""Weights as they were at one moment, for decoding while the learner goes on.

A snapshot is a buffer of its own, brought up to date by replaying the rows that changed since it
was last used; it is never copied whole. With a delay of k mini-batches there are k + 1 buffers;
whoever has read one gives it back. Without a delay nobody reads while the learner writes, and a
snapshot is the learner's own table.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

import numpy as np

from miriam.features.rows import WeightRows
from miriam.tune.losses.loss import Array
from miriam.tune.table import Ids, Table

if TYPE_CHECKING:
    from miriam.tune.learner import Learner
    from miriam.tune.regularisers import AnyRegulariser

__all__ = ["Snapshot", "Snapshots", "Weights"]


class Weights(Protocol):
    """Weights that may be read from any thread."""

    def read(self, ids: Ids) -> Array:
        """The weights of some features; 0 for one that is not known."""

    def rows(self) -> WeightRows | None:
        """The weights in place, for a decoder; None where debts are others than L1's."""


class Snapshot:
    """A table at one reading of the clock; reading pays debts in passing and changes nothing."""

    def __init__(
        self, table: Table, clock: float, regulariser: AnyRegulariser, buffer: Buffer | None = None
    ) -> None:
        self.table, self.clock, self.regulariser = table, clock, regulariser
        self.buffer = buffer

    def rows(self) -> WeightRows | None:
        """The weights in place, for a decoder; None where debts are others than L1's."""
        columns = self.table.columns
        data = self.table.all().data
        if not self.regulariser.penalises:
            return WeightRows(data, (columns["weight"],))
        if not self.regulariser.thresholds:
            return None
        return WeightRows(data, (columns["weight"], columns["paid"], columns["unit"]), self.clock)

    def read(self, ids: Ids) -> Array:
        """The weights of some features, their debts paid."""
        rows = self.table.take(ids)
        if self.regulariser.penalises:
            self.regulariser.pay(rows, (self.clock - rows["paid"]) * rows["unit"])
        return rows["weight"].copy()


class Buffer:
    """A copy of the learner's table, and which rows have changed since."""

    def __init__(self, table: Table) -> None:
        self.table = Table(list(table.columns))
        self.unseen: list[Ids] = [np.arange(table.size, dtype=np.int32)]


class Snapshots:
    """The buffers, and those of them that nobody reads."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.buffers: list[Buffer] = []
        self.idle: deque[Buffer] = deque()

    def keep(self, count: int) -> None:
        """Have so many buffers; none: a snapshot is the learner's own table."""
        self.buffers = [Buffer(self.learner.table) for _ in range(count)]
        self.idle = deque(self.buffers)

    def changed(self, ids: Ids) -> None:
        """Note which rows changed."""
        for buffer in self.buffers:
            buffer.unseen.append(ids)

    def take(self) -> Snapshot:
        """The weights now, in the buffer that was given back longest ago."""
        learner = self.learner
        if not self.buffers:
            return Snapshot(learner.table, learner.due, learner.regulariser)
        buffer = self.idle.popleft()
        for ids in buffer.unseen:
            buffer.table.put(ids, learner.table.take(ids))
        buffer.unseen.clear()
        return Snapshot(buffer.table, learner.due, learner.regulariser, buffer)

    def give_back(self, snapshot: Snapshot) -> None:
        """Nobody reads this one any more."""
        if snapshot.buffer:
            self.idle.append(snapshot.buffer)
