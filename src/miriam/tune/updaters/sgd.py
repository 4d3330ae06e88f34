"""Stochastic gradient descent: one rate for all coordinates, by a schedule."""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta

from miriam.tune.losses.loss import Array
from miriam.tune.table import Rows
from miriam.tune.updaters.updater import GradientUpdater

__all__ = ["Sgd"]


class Sgd(GradientUpdater, frozen=True, kw_only=True, tag="sgd", tag_field="kind"):
    """w <- w - η_t g (Green et al., 2013, Eq. 1), with η_t = η, η/t or η/√t.

    `halving` stretches the last two: with h, t is 1 + (steps before this one)/h.

    >>> [Sgd(eta=0.4, schedule="1/t").rate(step) for step in (1, 2, 4)]
    [0.4, 0.2, 0.1]
    """

    eta: Annotated[float, Meta(gt=0)] = 0.1
    schedule: Literal["constant", "1/t", "1/sqrt(t)"] = "constant"
    halving: Annotated[float, Meta(gt=0)] = 1.0

    idle: ClassVar[Literal["same", "common", "none"]] = "common"

    def rate(self, step: int) -> float:
        """η_t of step t, counted from 1."""
        time = 1.0 + (step - 1) / self.halving
        return (
            self.eta / {"constant": 1.0, "1/t": time, "1/sqrt(t)": math.sqrt(time)}[self.schedule]
        )

    def rates(self, rows: Rows, gradient: Array, *, loss: float, step: int) -> Array:
        """η_t, the same for all coordinates."""
        return np.full(len(gradient), self.rate(step))
