"""A log-linear model of choices: weights that make the right candidates likely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from msgspec import Meta
from scipy.sparse import csr_array

from miriam.config import Config
from miriam.errors import InputError
from miriam.tune.batch.lbfgs import minimise
from miriam.tune.losses.loss import Array

__all__ = ["Choices", "LogLinear", "posteriors"]

TINY = 1e-300  # a probability that has a logarithm


@dataclass(frozen=True)
class Choices:
    """Lists of candidates, one after another: their features, and how often each was right."""

    features: Any  # a SciPy CSR array, candidates x features
    ends: npt.NDArray[np.int64]  # where each list ends
    right: Array  # of each candidate; it need not be a whole number


def posteriors(scores: Array, ends: npt.NDArray[np.int64]) -> Array:
    """The probability of each candidate among those of its list.

    >>> posteriors(np.array([0.0, 0.0, 7.0]), np.array([2, 3])).tolist()
    [0.5, 0.5, 1.0]
    """
    sizes = np.diff(ends, prepend=0)
    starts = (ends - sizes)[sizes > 0]
    sizes = sizes[sizes > 0]
    weights = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
    return np.asarray(weights / np.repeat(np.add.reduceat(weights, starts), sizes))


class LogLinear(Config, frozen=True, kw_only=True):
    """Maximum likelihood with a Gaussian prior about the weights to begin with.

    It minimises -Σ_i Σ_d r_i(d) log p_i(d) + l2/2 Σ_j (σ_j (w_j - w0_j))², where p_i is the softmax
    of Φ_i w, and candidate d of list i was right r_i(d) times. σ_j is how much feature j varies
    within lists, so that the prior does not depend on the units of a feature. Features of the
    columns `indicators` and on are 0 or 1, and have σ = 1.
    """

    l2: Annotated[float, Meta(gt=0)] = 3.0
    iterations: Annotated[int, Meta(ge=1)] = 200

    def learn(self, choices: Choices, start: Array, *, indicators: int) -> Array:
        """The weights by column; a list in which no candidate is right teaches nothing.

        >>> from scipy.sparse import csr_array
        >>> rows = csr_array(np.array([[1.0, 0.0], [0.0, 1.0]]))
        >>> choices = Choices(rows, np.array([2]), np.array([1.0, 0.0]))
        >>> LogLinear(l2=0.5).learn(choices, np.zeros(2), indicators=0).round(2).tolist()
        [0.52, -0.52]
        """
        if not choices.right.any():
            raise InputError("no list of candidates has a right one, so there is nothing to learn")
        sizes = np.diff(choices.ends, prepend=0)
        totals = np.bincount(np.repeat(np.arange(len(sizes)), sizes), choices.right, len(sizes))
        times = np.repeat(totals, sizes)
        scale = _spread(choices, sizes, indicators)
        features = choices.features.copy()
        features.data *= (1 / scale)[features.indices]
        transposed = features.T
        centre = start * scale

        def objective(weights: Array) -> tuple[float, Array]:
            probability = posteriors(features @ weights, choices.ends)
            step = weights - centre
            loss = -float(np.sum(choices.right * np.log(np.maximum(probability, TINY))))
            gradient = transposed @ (probability * times - choices.right)
            return loss + self.l2 / 2 * float(step @ step), gradient + self.l2 * step

        return minimise(objective, centre, iterations=self.iterations) / scale


def _spread(choices: Choices, sizes: npt.NDArray[np.int64], indicators: int) -> Array:
    """How much each feature varies within lists: the root of the mean squared deviation."""
    lists = csr_array(
        (np.ones(sizes.sum()), np.arange(sizes.sum()), np.append(0, choices.ends)),
        shape=(len(sizes), sizes.sum()),
    )
    dense = choices.features[:, :indicators]
    sums = (lists @ dense).toarray()
    squares = np.asarray(dense.multiply(dense).sum(axis=0)).ravel()
    within = squares - np.sum(sums**2 / np.maximum(sizes, 1)[:, None], axis=0)
    spread = np.ones(choices.features.shape[1])
    spread[:indicators] = np.sqrt(np.maximum(within, 0.0) / sizes.sum()) + 1e-3
    return spread
