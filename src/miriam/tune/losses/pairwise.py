"""Pairwise losses: of two sampled candidates, the better one should have the higher score.

Each accepted pair counts twice, as d₊ over d₋ and as its mirror image (Hopkins and May, 2011), so
there are 2Ξ terms at most. With m = s(d₊) - s(d₋):

    logistic    log(1 + exp(-m))     (Green et al., 2013, Eq. 12)
    hinge       max(0, margin - m)
    perceptron  max(0, -m), with a step also at m = 0
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.tune.losses.loss import Array
from miriam.tune.pairs import Sampling

__all__ = ["Hinge", "Logistic", "Perceptron"]


class Pairwise(Config, frozen=True, kw_only=True):
    """What the three have in common: pairs are drawn, then each margin has a loss."""

    pairs: Sampling = Sampling()

    single_hinge: ClassVar[bool] = False

    @property
    def terms(self) -> int:
        """2Ξ: each pair and its mirror image."""
        return 2 * self.pairs.keep

    def of_margins(self, margins: Array) -> tuple[Array, Array]:
        """The loss of each margin, and its derivative."""
        raise NotImplementedError

    def __call__(self, scores: Array, gold: Array, rng: np.random.Generator) -> tuple[float, Array]:
        """The summed loss of the sampled pairs, and its derivative by each score."""
        better, worse = self.pairs.draw(gold, rng)
        losses, slopes = self.of_margins(scores[better] - scores[worse])
        n = len(scores)
        up, down = np.bincount(better, slopes, n), np.bincount(worse, slopes, n)
        return 2 * float(losses.sum()), np.asarray(2 * (up - down), dtype=np.float64)


class Logistic(Pairwise, frozen=True, kw_only=True, tag="logistic", tag_field="kind"):
    """Pairwise logistic loss (Green et al., 2013, Eq. 12).

    >>> from miriam.tune.pairs import Sampling
    >>> loss = Logistic(pairs=Sampling(draws=9, keep=1, threshold=0))
    >>> loss(np.array([0.0, 0.0]), np.array([0.2, 0.9]), np.random.default_rng(1))
    (1.3862943611198906, array([ 1., -1.]))
    """

    def of_margins(self, margins: Array) -> tuple[Array, Array]:
        """log(1 + exp(-m)), and -1 / (1 + exp(m)), neither of which overflows here."""
        tail = np.exp(-np.abs(margins))
        losses = np.maximum(-margins, 0.0) + np.log1p(tail)
        return losses, -np.where(margins >= 0, tail, 1.0) / (1.0 + tail)


class Hinge(Pairwise, frozen=True, kw_only=True, tag="hinge", tag_field="kind"):
    """Pairwise hinge loss: the one-class support vector machine."""

    margin: Annotated[float, Meta(gt=0)] = 1.0

    def of_margins(self, margins: Array) -> tuple[Array, Array]:
        """max(0, margin - m), and -1 where it is positive."""
        losses = np.maximum(self.margin - margins, 0.0)
        return losses, -(losses > 0).astype(np.float64)


class Perceptron(Pairwise, frozen=True, kw_only=True, tag="perceptron", tag_field="kind"):
    """Pairwise perceptron loss (Simianer et al., 2012)."""

    def of_margins(self, margins: Array) -> tuple[Array, Array]:
        """max(0, -m), and -1 where a pair is not strictly in order."""
        return np.maximum(-margins, 0.0), -(margins <= 0).astype(np.float64)
