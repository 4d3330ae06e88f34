"""The expected metric: minus the mean gold score under the model's posterior."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Meta

from miriam.tune.losses.loss import Array, ListLoss, posterior

__all__ = ["Expected"]


class Expected(ListLoss, frozen=True, kw_only=True, tag="expected", tag_field="kind"):
    """Minus the expected gold score (Green et al., 2014, Eq. 2 and 3).

    With p = softmax(scale · s) the loss is -E[G], and its derivative by s(d) is
    -scale · p(d) (G(d) - E[G]); contracted with Φ that is Eq. 3.

    >>> Expected()(np.array([0.0, 0.0]), np.array([0.0, 1.0]), np.random.default_rng(1))
    (-0.5, array([ 0.25, -0.25]))
    """

    scale: Annotated[float, Meta(gt=0)] = 1.0

    def __call__(self, scores: Array, gold: Array, rng: np.random.Generator) -> tuple[float, Array]:
        """The loss, and its derivative with respect to each score."""
        probability = posterior(self.scale * scores)
        # Counted from the first score, so that equal gold scores give a derivative of exactly 0.
        gain = gold - gold[0]
        mean = float(np.sum(probability * gain))
        return -float(gold[0] + mean), -self.scale * probability * (gain - mean)
