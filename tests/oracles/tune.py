"""Slow, obvious versions of the learner's parts: dense updates, every break point, dense Φ."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from miriam.tune.losses.loss import Array

Batch = dict[int, float]  # a gradient by feature


def soft(value: float, threshold: float) -> float:
    return math.copysign(max(0.0, abs(value) - threshold), value)


def dense_fobos(
    stream: Sequence[Batch], size: int, shrink: Callable[[float, float], float], rate: str
) -> list[float]:
    """FOBOS that visits every weight at every update; one that never moved is left alone.

    `rate`: `adagrad` (0.1 / √G), `arow` (0.1 / (1 + G)), or SGD's `constant`, `1/t`, `1/sqrt(t)`.
    """
    weights, squares = [0.0] * size, [0.0] * size
    moved = [False] * size
    for step, gradient in enumerate(stream, 1):
        for j in range(size):
            g = gradient.get(j, 0.0)
            squares[j] += g * g
            moved[j] = moved[j] or g != 0
            if not moved[j]:
                continue
            r = 0.1 * {
                "adagrad": 1 / math.sqrt(squares[j]), "arow": 1 / (1 + squares[j]),
                "constant": 1.0, "1/t": 1 / step, "1/sqrt(t)": 1 / math.sqrt(step),
            }[rate]  # fmt: skip
            weights[j] = shrink(weights[j] - r * g, r)
    return weights


def dense_cumulative(stream: Sequence[Batch], size: int, strength: float) -> list[float]:
    """Tsuruoka et al. (2009), SGD with the rate 0.1 / √t, applied to every weight."""
    weights, received, due = [0.0] * size, [0.0] * size, [0.0] * size
    moved = [False] * size
    for step, gradient in enumerate(stream, 1):
        r = 0.1 / math.sqrt(step)
        for j in range(size):
            g = gradient.get(j, 0.0)
            moved[j] = moved[j] or g != 0
            if not moved[j]:
                continue
            due[j] += r * strength
            half = weights[j] - r * g
            if half > 0:
                weights[j] = max(0.0, half - (due[j] + received[j]))
            else:
                weights[j] = min(0.0, half + (due[j] - received[j]))
            received[j] += weights[j] - half
    return weights


def dense_matrix(rows: Sequence[dict[int, float]], ids: Sequence[int]) -> Array:
    return np.array([[row.get(j, 0.0) for j in ids] for row in rows]).reshape(len(rows), len(ids))


def best_on_line(
    lists: Sequence[tuple[Array, Array, Array]], corpus: Callable[[Array], Array]
) -> float:
    """The best corpus score anywhere on a line, from (intercepts, slopes, stats) by sentence.

    Every two lines of a sentence cross once; between two neighbouring crossings nothing changes,
    so it is enough to look at one point of each gap.
    """
    crossings = sorted({
        (b[i] - b[j]) / (a[j] - a[i])
        for b, a, _ in lists for i in range(len(a)) for j in range(len(a)) if a[i] != a[j]
    })  # fmt: skip
    if not crossings:
        points = [0.0]
    else:
        points = [
            crossings[0] - 1,
            *((left + right) / 2 for left, right in pairwise(crossings)),
            crossings[-1] + 1,
        ]
    scores = []
    for x in points:
        chosen = [stats[int(np.argmax(b + x * a))] for b, a, stats in lists]
        scores.append(float(corpus(np.sum(chosen, axis=0))))
    return max(scores)
