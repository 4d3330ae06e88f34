"""L1 with a cumulative penalty (Tsuruoka, Tsujii and Ananiadou, 2009)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from miriam.tune.losses.loss import Array
from miriam.tune.regularisers.regulariser import Penalty
from miriam.tune.table import Rows

__all__ = ["CumulativeL1"]


class CumulativeL1(Penalty, frozen=True, kw_only=True, tag="cumulative-l1", tag_field="kind"):
    """Each weight has received what all updates so far would have cost it, clipped at 0.

    u is the penalty that a weight could have received, q what it did receive:
    w > 0: w <- max(0, w - (u + q)); w < 0: w <- min(0, w + (u - q)); q changes as w does.
    """

    columns: ClassVar[tuple[str, ...]] = ("due", "received")
    linear: ClassVar[bool] = True
    thresholds: ClassVar[bool] = False

    def cost(self, rate: Array | float, strength: Array | float) -> Array:
        """What u grows by: rλ."""
        return np.asarray(rate * strength)

    def pay(self, rows: Rows, cost: Array) -> None:
        """Let u grow, and apply what is still owed."""
        rows["due"] += cost
        weight, due, received = rows["weight"].copy(), rows["due"], rows["received"]
        rows["weight"] = np.where(
            weight > 0,
            np.maximum(weight - np.maximum(due + received, 0.0), 0.0),
            np.minimum(weight + np.maximum(due - received, 0.0), 0.0),
        )
        rows["received"] += rows["weight"] - weight
