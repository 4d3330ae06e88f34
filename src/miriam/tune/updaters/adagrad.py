"""AdaGrad: a rate for each coordinate, by the gradients it has seen (Duchi et al., 2011)."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from miriam.tune.losses.loss import Array
from miriam.tune.table import Rows
from miriam.tune.updaters.updater import GradientUpdater

__all__ = ["AdaGrad"]


class AdaGrad(GradientUpdater, frozen=True, kw_only=True, tag="adagrad", tag_field="kind"):
    """G <- G + g² and w <- w - η g / √G, diagonal (Green et al., 2013, Eq. 4 and 5).

    No constant is added to √G: a gradient of exactly 0 is no step, and any other makes G positive.
    """

    eta: Annotated[float, Meta(gt=0)] = 0.02

    columns: ClassVar[tuple[str, ...]] = ("squares",)

    def rates(self, rows: Rows, gradient: Array, *, loss: float, step: int) -> Array:
        """η / √G, the new gradient included."""
        rows["squares"] += gradient * gradient
        rates: Array = self.eta / np.sqrt(rows["squares"])
        return rates
