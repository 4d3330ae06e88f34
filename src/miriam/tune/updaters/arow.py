"""AROW: a Gaussian over weights whose variance falls where data was seen (Crammer et al., 2009).

The precision of a coordinate is `prior` plus the sum of its squared gradients (Green et al., 2013,
Eq. 10); the diagonal only. The column holds that sum.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from miriam.tune.losses.loss import Array
from miriam.tune.table import Rows
from miriam.tune.updaters.updater import ClosedForm, GradientUpdater

__all__ = ["Arow", "ArowLinearised"]


class Arow(ClosedForm, frozen=True, kw_only=True, tag="arow", tag_field="kind"):
    """Diagonal AROW, its hinge solved exactly (Green et al., 2013, Eq. 7 to 10).

    argmin 1/(2η) (w - w')ᵀ Σ⁻¹ (w - w') + hinge(w) moves by τΣg with τ = min(η, ℓ / gᵀΣg), where
    Σ is from before the example; then Σ⁻¹ <- Σ⁻¹ + g².
    """

    eta: Annotated[float, Meta(gt=0)] = 0.01
    prior: Annotated[float, Meta(gt=0)] = 1.0

    columns: ClassVar[tuple[str, ...]] = ("precision",)

    def rates(self, rows: Rows, gradient: Array, *, loss: float, step: int) -> Array:
        """τΣ, with Σ from before this example."""
        variance = 1.0 / (self.prior + rows["precision"])
        squares = gradient * gradient
        rows["precision"] += squares
        rates: Array = min(self.eta, loss / float(np.sum(squares * variance))) * variance
        return rates


class ArowLinearised(
    GradientUpdater, frozen=True, kw_only=True, tag="arow-linearised", tag_field="kind"
):
    """Linearised AROW: w <- w - ηΣg for any loss (Green et al., 2013, Eq. 10 and 11)."""

    eta: Annotated[float, Meta(gt=0)] = 0.02
    prior: Annotated[float, Meta(gt=0)] = 1.0

    columns: ClassVar[tuple[str, ...]] = ("precision",)

    def rates(self, rows: Rows, gradient: Array, *, loss: float, step: int) -> Array:
        """ηΣ, the new gradient included."""
        rows["precision"] += gradient * gradient
        rates: Array = self.eta / (self.prior + rows["precision"])
        return rates
