"""No regulariser, L1 and squared L2, each as the proximal step of FOBOS (Duchi and Singer, 2009).

After w <- w - r g comes w <- argmin ½ (w - v)² + r λ |v|, or ... + r λ v²/2.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from miriam.tune.losses.loss import Array
from miriam.tune.regularisers.regulariser import Penalty, Unpaid
from miriam.tune.table import Rows

__all__ = ["L1", "L2", "NoRegulariser"]


class NoRegulariser(Unpaid, frozen=True, kw_only=True, tag="none", tag_field="kind"):
    """No penalty."""


class L1(Penalty, frozen=True, kw_only=True, tag="l1", tag_field="kind"):
    """Soft threshold: w <- sign(w) max(0, |w| - rλ) (Green et al., 2013, Eq. 15).

    `every = "epoch"` takes the steps of all updates at the end of an epoch, at the rates of then
    (Simianer et al., 2012).

    >>> from miriam.tune.table import Rows
    >>> rows = Rows(np.array([[0.5], [-0.1]]), {"weight": 0})
    >>> L1(strength=2.0).pay(rows, L1().cost(np.array([0.1, 0.1]), 2.0))
    >>> rows["weight"].tolist()
    [0.3, -0.0]
    """

    every: Literal["update", "epoch"] = "update"

    columns: ClassVar[tuple[str, ...]] = ()
    linear: ClassVar[bool] = True
    thresholds: ClassVar[bool] = True

    @property
    def deferred(self) -> bool:
        """Whether nothing is due before the end of an epoch."""
        return self.every == "epoch"

    def cost(self, rate: Array | float, strength: Array | float) -> Array:
        """What the threshold is: rλ. Thresholds add up: S(S(w, a), b) = S(w, a + b)."""
        return np.asarray(rate * strength)

    def pay(self, rows: Rows, cost: Array) -> None:
        """Move the weights towards 0 by the cost, and no further."""
        weight = rows["weight"]
        rows["weight"] = np.copysign(np.maximum(np.abs(weight) - cost, 0.0), weight)


class L2(Penalty, frozen=True, kw_only=True, tag="l2", tag_field="kind"):
    """Squared L2: w <- w / (1 + rλ)."""

    columns: ClassVar[tuple[str, ...]] = ()
    linear: ClassVar[bool] = False
    thresholds: ClassVar[bool] = False

    def cost(self, rate: Array | float, strength: Array | float) -> Array:
        """The log of the factor, so that costs add up: ln(1 + rλ)."""
        return np.log1p(rate * strength)

    def pay(self, rows: Rows, cost: Array) -> None:
        """Scale the weights down."""
        rows["weight"] *= np.exp(-cost)
