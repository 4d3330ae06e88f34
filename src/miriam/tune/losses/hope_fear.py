"""Losses of two candidates: the one to hope for, and the one to fear.

With the cost c(d) = scale · (1 - G(d)):

    hope = argmax s - c        fear = argmax s + c        best = argmax s
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta

from miriam.tune.losses.loss import Array, ListLoss

__all__ = ["HopeFear", "Ramp"]


class HopeFear(ListLoss, frozen=True, kw_only=True, tag="hope-fear", tag_field="kind"):
    """MIRA's cost-augmented hinge (Chiang, 2012): max(0, s(fear) + c(fear) - s(hope) - c(hope)).

    >>> HopeFear()(np.array([0.0, 0.0]), np.array([0.0, 1.0]), np.random.default_rng(1))
    (1.0, array([ 1., -1.]))
    """

    scale: Annotated[float, Meta(gt=0)] = 1.0

    single_hinge: ClassVar[bool] = True

    def __call__(self, scores: Array, gold: Array, rng: np.random.Generator) -> tuple[float, Array]:
        """The loss, and its derivative with respect to each score."""
        cost = self.scale * (1.0 - gold)
        hope, fear = int(np.argmax(scores - cost)), int(np.argmax(scores + cost))
        augmented = scores + cost
        return float(augmented[fear] - augmented[hope]), _difference(len(scores), fear, hope)


class Ramp(ListLoss, frozen=True, kw_only=True, tag="ramp", tag_field="kind"):
    """Ramp loss (Gimpel and Smith, 2012): how far the model is from hope, from fear, or both.

    `hope`: s(best) - [s(hope) - c(hope)]; `fear`: [s(fear) + c(fear)] - s(best);
    `both`: [s(fear) + c(fear)] - [s(hope) - c(hope)]. None is convex.

    >>> Ramp(side="fear")(np.array([0.0, 0.5]), np.array([0.0, 1.0]), np.random.default_rng(1))
    (0.5, array([ 1., -1.]))
    """

    side: Literal["hope", "fear", "both"] = "both"
    scale: Annotated[float, Meta(gt=0)] = 1.0

    def __call__(self, scores: Array, gold: Array, rng: np.random.Generator) -> tuple[float, Array]:
        """The loss, and its derivative with respect to each score."""
        cost = self.scale * (1.0 - gold)
        above = scores if self.side == "hope" else scores + cost
        below = scores if self.side == "fear" else scores - cost
        down, up = int(np.argmax(above)), int(np.argmax(below))
        return float(above[down] - below[up]), _difference(len(scores), down, up)


def _difference(n: int, down: int, up: int) -> Array:
    """The derivative of s(down) - s(up)."""
    derivative = np.zeros(n)
    derivative[down] += 1.0
    derivative[up] -= 1.0
    return derivative
