"""L-BFGS, through SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from miriam.tune.losses.loss import Array

__all__ = ["minimise"]


def minimise(
    objective: Callable[[Array], tuple[float, Array]], start: Array, *, iterations: int = 500
) -> Array:
    """Where a function that returns its value and gradient has a minimum.

    >>> minimise(lambda w: (float(np.sum((w - 3) ** 2)), 2 * (w - 3)), np.zeros(1)).round(6)
    array([3.])
    """
    from scipy.optimize import minimize  # half a second that others need not wait

    options: Any = {"maxiter": iterations, "gtol": 1e-8, "ftol": 1e-12}
    found = minimize(objective, start, jac=True, method="L-BFGS-B", options=options)
    return np.asarray(found.x, dtype=np.float64)
