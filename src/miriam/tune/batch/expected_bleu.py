"""Batch expected BLEU: the corpus score of expected statistics (Cherry and Foster, 2012)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.tune.batch.lbfgs import minimise
from miriam.tune.batch.pool import Pool
from miriam.tune.losses.loss import Array, posterior
from miriam.tune.monitor import Log, no_log

__all__ = ["ExpectedBleu"]


class ExpectedBleu(Config, frozen=True, kw_only=True, tag="expected-bleu", tag_field="kind"):
    """Expected BLEU, or another corpus metric, of a whole corpus.

    It maximises F(Σ_i Σ_d p_i(d) s_i(d)) - l2/2 |w|² by L-BFGS, with p = softmax(scale · Φw), the
    statistics s, and the corpus score F between 0 and 1. By the chain rule the derivative by the
    score of a candidate is scale · p(d) ∇F · (s(d) - E s).
    """

    scale: Annotated[float, Meta(gt=0)] = 1.0
    l2: Annotated[float, Meta(ge=0)] = 1e-4
    iterations: Annotated[int, Meta(ge=1)] = 200

    def learn(
        self, pool: Pool, start: Array, *, seed: int = 1, threads: int = 1, log: Log = no_log
    ) -> Array:
        """The weights at which L-BFGS stops."""
        pool.check()
        return minimise(lambda w: self.objective(pool, w), start, iterations=self.iterations)

    def objective(self, pool: Pool, weights: Array) -> tuple[float, Array]:
        """What is minimised, and its gradient."""
        posteriors = [
            posterior(self.scale * nbest.scores(weights[nbest.ids])) for nbest, _, _ in pool.lists
        ]
        means = np.array([
            np.sum(p[:, None] * scored.stats, axis=0)
            for p, scored in zip(posteriors, pool.lists, strict=True)
        ])  # fmt: skip
        value, slope = _value_and_slope(pool, means.sum(axis=0))
        gradient = self.l2 * weights
        for p, mean, (nbest, stats, _) in zip(posteriors, means, pool.lists, strict=True):
            coefficients = self.scale * p * np.sum((stats - mean) * slope, axis=1)
            gradient[nbest.ids] -= nbest.gradient(coefficients)
        return self.l2 / 2 * float(np.sum(weights * weights)) - value, gradient


def _value_and_slope(pool: Pool, stats: Array) -> tuple[float, Array]:
    """F at a sum of statistics, and its slope by central differences: any metric will do."""
    steps = 1e-6 * np.maximum(np.abs(stats), 1.0)
    moved = np.concatenate([[stats], stats + np.diag(steps), stats - np.diag(steps)])
    value, up, down = np.split(pool.corpus(moved) / 100, [1, 1 + len(stats)])
    slope: Array = (up - down) / (2 * steps)
    return float(value[0]), slope
