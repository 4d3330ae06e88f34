"""Weights in a learner's rows, as a decoder reads them in place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["WeightRows"]


class WeightRows(NamedTuple):
    """Weights by feature, with what an L1 penalty still asks of those that were idle.

    Column `columns[0]` has weights. With two more, for what was paid and the unit, a weight is yet
    to be moved towards 0 by (clock - paid) · unit.

    >>> rows = WeightRows(np.array([[0.5, 1.0, 0.1]]), (0, 1, 2), clock=3.0)
    >>> rows.read(np.array([0, 7])).tolist()
    [0.3, 0.0]
    """

    data: npt.NDArray[np.float64]  # [features, columns]
    columns: tuple[int, ...]
    clock: float = 0.0

    def read(self, ids: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        """The weights of some features; 0 for those beyond the rows."""
        known = ids < len(self.data)
        rows = np.zeros((len(ids), self.data.shape[1]))
        rows[known] = self.data[ids[known]]
        weights: npt.NDArray[np.float64] = rows[:, self.columns[0]]
        if len(self.columns) == 3:
            owed = (self.clock - rows[:, self.columns[1]]) * rows[:, self.columns[2]]
            weights = np.copysign(np.maximum(np.abs(weights) - owed, 0.0), weights)
        return weights
