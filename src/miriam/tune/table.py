"""What a learner knows of each feature: one row of float64 columns, found by the feature's id.

A row lies in one or two cache lines. An update takes the rows of the features that fired, changes
them and puts them back, so it costs the same whether ten thousand features are known or ten
million. The table grows by doubling.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["Rows", "Table"]

Ids = npt.NDArray[np.int32]
Array = npt.NDArray[np.float64]
MIN_ROWS = 1024


class Rows:
    """Rows of a table by column name: `rows["weight"]` is an array, and may be written to."""

    def __init__(self, data: Array, columns: dict[str, int]) -> None:
        self.data = data
        self.columns = columns

    def __getitem__(self, column: str) -> Array:
        array: Array = self.data[:, self.columns[column]]
        return array

    def __setitem__(self, column: str, values: Array | float) -> None:
        self.data[:, self.columns[column]] = values

    def __len__(self) -> int:
        return len(self.data)


class Table:
    """Columns of numbers by feature, all 0 at first.

    >>> table = Table(["weight", "squares"])
    >>> ids = np.array([3, 5], dtype=np.int32)
    >>> table.reserve(6)
    >>> rows = table.take(ids)
    >>> rows["weight"] += 0.5
    >>> table.put(ids, rows)
    >>> table.all()["weight"].tolist()
    [0.0, 0.0, 0.0, 0.5, 0.0, 0.5]
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = {name: position for position, name in enumerate(columns)}
        self.size = 0
        self.data = np.zeros((MIN_ROWS, len(columns)))

    def reserve(self, size: int) -> None:
        """Make room for features with ids below `size`."""
        if size > len(self.data):
            grown = np.zeros((max(size, 2 * len(self.data)), len(self.columns)))
            grown[: self.size] = self.data[: self.size]
            self.data = grown
        self.size = max(self.size, size)

    def take(self, ids: Ids) -> Rows:
        """A copy of some rows; a feature that was never put has a row of zeros."""
        if len(ids) and ids.max() >= self.size:
            data = np.zeros((len(ids), len(self.columns)))
            known = ids < self.size
            data[known] = self.data[ids[known]]
            return Rows(data, self.columns)
        # "clip", not because any id is out of bounds: it is three times as fast as indexing.
        return Rows(self.data.take(ids, axis=0, mode="clip"), self.columns)

    def put(self, ids: Ids, rows: Rows) -> None:
        """Put rows back; ids that are new make the table grow."""
        if len(ids):
            self.reserve(int(ids.max()) + 1)
            self.data[ids] = rows.data

    def all(self) -> Rows:
        """Every row, not a copy: for the end of an epoch, never for an update."""
        return Rows(self.data[: self.size], self.columns)
