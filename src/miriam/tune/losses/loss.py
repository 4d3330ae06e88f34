"""What a loss is: scores and gold scores in, its value and its derivative by each score out."""

from __future__ import annotations

from typing import ClassVar, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from miriam.config import Config

__all__ = ["Array", "ListLoss", "Loss", "posterior"]

Array: TypeAlias = npt.NDArray[np.float64]


class Loss(Protocol):
    """A loss of one n-best list; stateless, so that any thread may call it.

    Gold scores are between 0 and 1, higher is better. The derivative sums to 0, because a loss
    sees differences of scores only.
    """

    single_hinge: ClassVar[bool]
    """Whether it is max(0, one difference of scores + a cost): MIRA's and AROW's closed forms
    solve that, and nothing else, exactly."""

    @property
    def terms(self) -> int:
        """How many terms the sum has at most: the constant that turns it into a mean."""

    def __call__(self, scores: Array, gold: Array, rng: np.random.Generator) -> tuple[float, Array]:
        """The loss, and its derivative with respect to each score `[n]`."""


class ListLoss(Config, frozen=True, kw_only=True):
    """The settings of a loss that looks at the whole list, as one term."""

    single_hinge: ClassVar[bool] = False

    @property
    def terms(self) -> int:
        """1."""
        return 1


def posterior(scores: Array) -> Array:
    """exp(scores) / Σ exp(scores), without overflow.

    >>> posterior(np.array([1000.0, 1000.0]))
    array([0.5, 0.5])
    """
    weights = np.exp(scores - scores.max())
    probabilities: Array = weights / weights.sum()
    return probabilities
