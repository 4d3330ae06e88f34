"""The softmax loss: the model's mass on the oracle translations."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Meta

from miriam.tune.losses.loss import Array, ListLoss, posterior

__all__ = ["Softmax"]


class Softmax(ListLoss, frozen=True, kw_only=True, tag="softmax", tag_field="kind"):
    """Minus the log probability of the oracle set (Watanabe, 2012).

    The oracles are the candidates with the best gold score, or the `oracles` best, and all that
    equal the last of them. The loss is log Σ exp s - log Σ_oracles exp s.

    >>> Softmax()(np.array([0.0, 0.0]), np.array([0.0, 1.0]), np.random.default_rng(1))
    (0.6931471805599453, array([ 0.5, -0.5]))
    """

    oracles: Annotated[int, Meta(ge=1)] = 1

    def __call__(self, scores: Array, gold: Array, rng: np.random.Generator) -> tuple[float, Array]:
        """The loss, and its derivative with respect to each score."""
        worst_oracle = np.sort(gold)[-min(self.oracles, len(gold))]
        oracle = np.flatnonzero(gold >= worst_oracle)
        if len(oracle) == len(gold):
            return 0.0, np.zeros(len(gold))
        derivative = posterior(scores)
        derivative[oracle] -= posterior(scores[oracle])
        return _log_sum(scores) - _log_sum(scores[oracle]), derivative


def _log_sum(scores: Array) -> float:
    top = scores.max()
    return float(top + np.log(np.exp(scores - top).sum()))
