"""OSCAR: weights of similar size become equal, and small ones 0 (Bondell and Reich, 2008).

Liu, Zhao, Watanabe and Sumita (2013, Eq. 2) penalise λ1 Σ|w_i| + λ2 Σ_{i<j} max(|w_i|, |w_j|). Of d
weights the one of rank k is the larger of d - k pairs, so the penalty is a sorted ℓ1 norm,
Σ (λ1 + λ2 (d - k)) |w|₍ₖ₎, and its proximal step is an isotonic regression (Zhong and Kwok, 2011).
`docs/rooms/tune.md` derives it.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from miriam.features.nbest import Names
from miriam.tune.losses.loss import Array
from miriam.tune.regularisers.regulariser import Strength, Unpaid
from miriam.tune.regularisers.together import Together

__all__ = ["Oscar", "OscarAsPrinted"]


class Oscar(Unpaid, frozen=True, kw_only=True, tag="oscar", tag_field="kind"):
    """The proximal step of OSCAR over all weights that are not 0, after each update.

    `features` are the prefixes of the names of those it penalises and ties. d is `known`, or how
    many of them are known when learning begins. A weight of 0 stays 0 (Lemma 1), so the cost
    follows the weights that are not 0, and never d.

    >>> Oscar(lambda1=0.0, lambda2=0.1).step(np.array([0.2, -1.0, 0.9]), 1.0, 3).round(9).tolist()
    [0.2, -0.8, 0.8]
    """

    lambda1: Strength = 1e-10
    lambda2: Strength = 3e-8
    features: tuple[str, ...] = ("PT:",)
    known: Annotated[int, Meta(ge=1)] | None = None

    joint: ClassVar[bool] = True

    def step(self, weights: Array, rate: float, known: int) -> Array:
        """Argmin ½|w - a|² + r Σ (λ1 + λ2 (d - k)) |w|₍ₖ₎, for a rate r and d known features."""
        order, sizes, prices = self._ranked(weights, known)
        return _restored(weights, order, np.maximum(_increasing(sizes - rate * prices), 0.0))

    def together(self, frozen: tuple[str, ...], names: Names) -> Together | None:
        """What keeps the weights that are not 0."""
        return Together(self, frozen, names)

    def _ranked(self, weights: Array, known: int) -> tuple[npt.NDArray[np.intp], Array, Array]:
        """The order of rising size, the sizes in it, and what each pays for a unit."""
        sizes = np.abs(weights)
        order = np.argsort(sizes)  # of equal ones any order: they are pooled
        smaller = np.arange(known - len(weights), known, dtype=np.float64)  # d - k
        return order, sizes[order], self.lambda1 + self.lambda2 * smaller


class OscarAsPrinted(Oscar, frozen=True, kw_only=True, tag="oscar-as-printed", tag_field="kind"):
    """The step as the paper prints it (Liu et al., 2013, Eq. 3 and v(g) of section 4).

    It halves all weights at each step, and has no bound at 0, so that weights change their sign. To
    see what that does; not to tune with.
    """

    def step(self, weights: Array, rate: float, known: int) -> Array:
        """sign(a) v(g), where v(g) is half the mean of |a| - 2 r (λ1 + λ2 (d - k)) over a group."""
        order, sizes, prices = self._ranked(weights, known)
        return _restored(weights, order, _increasing(sizes / 2 - rate * prices))


def _increasing(values: Array) -> Array:
    """The nearest values that do not decrease: neighbours out of order get their mean."""
    from scipy.optimize import isotonic_regression  # half a second that others need not wait

    return np.asarray(isotonic_regression(values).x)


def _restored(weights: Array, order: npt.NDArray[np.intp], sizes: Array) -> Array:
    """Sizes in their old places, with their old signs."""
    found = np.empty(len(weights))
    found[order] = sizes
    found *= np.sign(weights)
    return found
