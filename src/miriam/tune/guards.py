"""Guards against collapse: the tuner stops, says why, and keeps the best weights so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from miriam.errors import MiriamError
from miriam.tune.losses.loss import Array

if TYPE_CHECKING:
    from miriam.tune.learner import Gradient

__all__ = ["CollapseError", "Variety", "check_finite", "check_weights"]


class CollapseError(MiriamError):
    """Tuning that cannot go on; what came before it is kept."""


def check_finite(numbers: Array) -> None:
    """Stop at weights or scores that are not all finite.

    >>> check_finite(np.array([0.0, 0.1]))
    """
    if not np.isfinite(numbers).all():
        raise CollapseError(
            "a weight grew beyond all bounds; take a smaller eta, or features of a smaller scale"
        )


def check_weights(vector: Array) -> None:
    """Stop at weights that are all 0, or not all finite.

    >>> check_weights(np.array([0.0, 0.1]))
    """
    check_finite(vector)
    if not vector.any():
        raise CollapseError(
            "all weights have become 0; take a smaller regulariser.strength, or a larger eta"
        )


class Variety:
    """Whether the n-best lists of an epoch still hold candidates that differ in gold score."""

    def __init__(self) -> None:
        self.lists = self.varied = 0

    def see(self, gradients: Iterable[Gradient]) -> None:
        """Count lists, and those from which something can be learnt."""
        for gradient in gradients:
            self.lists += 1
            self.varied += gradient.varied

    def check(self) -> None:
        """Stop if there were lists, and in none of them two candidates with different scores."""
        if self.lists and not self.varied:
            raise CollapseError(
                f"all {self.lists:,} n-best lists hold candidates of one gold score each, so there "
                "is nothing to learn; look at the n-best lists and the references"
            )
        self.lists = self.varied = 0
