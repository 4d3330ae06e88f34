"""Pairs of candidates that differ in gold score, sampled as by Hopkins and May (2011)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from miriam.config import Config

__all__ = ["Sampling", "generator"]


def generator(*key: int) -> np.random.Generator:
    """The randomness for one purpose: for example of (seed, epoch, sentence).

    >>> bool(generator(1, 2, 3).random() == generator(1, 2, 3).random())
    True
    """
    # The length too, because (1, 2) and (1, 2, 0) would be the same seed.
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence((len(key), *key))))


class Sampling(Config, frozen=True, kw_only=True):
    """How pairs are drawn.

    `draws` (Γ) pairs are drawn with replacement; those whose gold scores differ by `threshold` or
    more stay, and of them the `keep` (Ξ) with the largest difference. The threshold is in BLEU
    points: 2 means gold scores that differ by 0.02.
    """

    draws: Annotated[int, Meta(ge=1)] = 500
    keep: Annotated[int, Meta(ge=1)] = 15
    threshold: Annotated[float, Meta(ge=0)] = 2.0

    def draw(
        self, gold: npt.NDArray[np.float64], rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The positions of the better and of the worse candidates `[pairs]`.

        >>> sampling = Sampling(draws=9, keep=2, threshold=50)
        >>> better, worse = sampling.draw(np.array([0.1, 0.9, 0.2]), np.random.default_rng(1))
        >>> better.tolist(), worse.tolist()
        ([1, 1], [0, 0])
        """
        one, other = rng.integers(0, len(gold), size=(2, self.draws))
        gaps = gold[one] - gold[other]
        sizes = np.abs(gaps)
        # Equal gold scores never make a pair; sums of decimals are compared with some tolerance.
        far = np.flatnonzero((sizes * 100 >= self.threshold - 1e-9) & (sizes > 0))
        far = far[np.argsort(-sizes[far], kind="stable")[: self.keep]]
        up = gaps[far] > 0
        return np.where(up, one[far], other[far]), np.where(up, other[far], one[far])
