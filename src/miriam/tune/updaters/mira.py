"""MIRA: the smallest change of the weights that satisfies the example (Crammer et al., 2006)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Meta

from miriam.tune.losses.loss import Array
from miriam.tune.table import Rows
from miriam.tune.updaters.updater import ClosedForm

__all__ = ["Mira"]


class Mira(ClosedForm, frozen=True, kw_only=True, tag="mira", tag_field="kind"):
    """argmin 1/(2C) |w - w'|² + hinge(w) in closed form (Green et al., 2013, Eq. 6).

    For a hinge with value ℓ and gradient g the step is min(C, ℓ / |g|²).
    """

    c: Annotated[float, Meta(gt=0)] = 0.01

    def rates(self, rows: Rows, gradient: Array, *, loss: float, step: int) -> Array:
        """min(C, ℓ / |g|²), the same for all coordinates."""
        return np.full(len(gradient), min(self.c, loss / float(np.sum(gradient * gradient))))
