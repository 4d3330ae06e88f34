"""The penalty of OSCAR by its definition, and its proximal step by general convex programming."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import minimize

from miriam.tune.losses.loss import Array


def penalty(weights: Array, lambda1: float, lambda2: float) -> float:
    """λ1 Σ|w_i| + λ2 Σ_{i<j} max(|w_i|, |w_j|) (Liu et al., 2013, Eq. 2)."""
    sizes: list[float] = np.abs(weights).tolist()
    return lambda1 * sum(sizes) + lambda2 * sum(max(pair) for pair in combinations(sizes, 2))


def solve(start: Array, rate: float, lambda1: float, lambda2: float) -> Array:
    """argmin ½|w - a|² + r penalty(w), as a quadratic program that knows nothing of ranks.

    Variables are w, b >= |w|, and m >= b_i, b_j for each pair.
    """
    d = len(start)
    pairs = list(combinations(range(d), 2))
    rows = [_row(d, pairs, {i: -sign, d + i: 1.0}) for i in range(d) for sign in (1.0, -1.0)]
    rows += [_row(d, pairs, {2 * d + k: 1.0, d + i: -1.0}) for k, p in enumerate(pairs) for i in p]
    bounds = np.array(rows)
    price = rate * np.repeat([0.0, lambda1, lambda2], [d, d, len(pairs)])

    def objective(x: Array) -> tuple[float, Array]:
        step = x[:d] - start
        slope = np.concatenate([step, np.zeros(len(x) - d)]) + price
        return float(step @ step / 2 + price @ x), slope

    constraint: Any = {"type": "ineq", "fun": lambda x: bounds @ x, "jac": lambda _: bounds}
    options: Any = {"ftol": 1e-18, "maxiter": 1000}
    found = minimize(
        objective, np.zeros(bounds.shape[1]), jac=True, method="SLSQP", constraints=[constraint],
        options=options,
    )  # fmt: skip
    return np.asarray(found.x[:d])


def gap(weights: Array, start: Array, prices: Array) -> float:
    """How far weights are from argmin ½|w - a|² + Σ prices[k] |w|₍ₖ₎: 0 exactly at the minimum.

    y = a - w is a subgradient of the sorted norm at w if and only if the sums of its largest
    entries do not exceed the sums of the prices, and y · w equals the norm.
    """
    rest = start - weights
    excess = np.cumsum(np.sort(np.abs(rest))[::-1]) - np.cumsum(prices)
    norm = float(np.sort(np.abs(weights))[::-1] @ prices)
    return max(float(excess.max(initial=0.0)), abs(float(rest @ weights) - norm))


def _row(d: int, pairs: list[tuple[int, int]], cells: dict[int, float]) -> Array:
    row = np.zeros(2 * d + len(pairs))
    row[list(cells)] = list(cells.values())
    return row
