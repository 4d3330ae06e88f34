"""Charts as data, which `svg` draws for the report and `pictures` with Matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Bars", "Chart", "Lines", "Points", "ticks"]


@dataclass(frozen=True, kw_only=True)
class Lines:
    """Values that go on; `mark` is the number of the point that counts."""

    name: str  # of a file
    title: str
    x: str
    y: str
    xs: Sequence[float]
    ys: Sequence[float]
    mark: int | None = None


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Values by group, a bar for each series; `sizes` says how much is in each group."""

    name: str
    title: str
    x: str
    y: str
    groups: Sequence[str]
    series: Mapping[str, Sequence[float]]
    sizes: Sequence[int] = ()
    horizontal: bool = False


@dataclass(frozen=True, kw_only=True)
class Points:
    """Pairs of values on the same scale, 0 to 100, with the diagonal."""

    name: str
    title: str
    x: str
    y: str
    xs: Sequence[float]
    ys: Sequence[float]
    note: str = ""


Chart: TypeAlias = Lines | Bars | Points


def ticks(low: float, high: float, *, most: int = 5, whole: bool = False) -> list[float]:
    """Round numbers that span an interval, at most about `most` of them.

    >>> ticks(37.2, 41.9)
    [37.0, 38.0, 39.0, 40.0, 41.0, 42.0]
    >>> ticks(0, 3, whole=True)
    [0.0, 1.0, 2.0, 3.0]
    """
    if not high > low:
        low, high = (low - 1, high + 1) if low else (0.0, 1.0)
    size = 10.0 ** math.floor(math.log10((high - low) / most))
    steps = (size * factor for factor in (1, 2, 2.5, 5, 10, 20))
    step = next(s for s in steps if (high - low) / s <= most and not (whole and s % 1))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]
