"""MERT: the weights whose choices score best, by exact search along lines (Och, 2003)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np
from msgspec import Meta

from miriam._core import tune as core
from miriam.config import Config
from miriam.errors import ConfigError
from miriam.tune.batch.pool import Pool
from miriam.tune.losses.loss import Array
from miriam.tune.monitor import Log, no_log
from miriam.tune.pairs import generator
from miriam.tune.table import Ids

__all__ = ["Mert", "Surface", "line_search"]

MIN_GAIN = 1e-6  # in points: less is rounding
MIN_WIDTH = 1e-12  # of an interval, relative to where it is


class Mert(Config, frozen=True, kw_only=True, tag="mert", tag_field="kind"):
    """Minimum error rate training.

    From the start, and from `restarts` random points, it searches along each feature and along
    `directions` random ones, round after round, until one brings nothing. With `smoothing`,
    what counts of an interval is the mean, or the least, of its score and of those of `window`
    neighbours on each side (Cer, Jurafsky and Manning, 2008).
    """

    restarts: Annotated[int, Meta(ge=0)] = 20
    directions: Annotated[int, Meta(ge=0)] = 10
    smoothing: Literal["none", "average", "minimum"] = "none"
    window: Annotated[int, Meta(ge=1)] = 2

    max_features: ClassVar[int] = 1000

    def learn(
        self, pool: Pool, start: Array, *, seed: int = 1, threads: int = 1, log: Log = no_log
    ) -> Array:
        """The best weights of all starts; absolute values sum to 1."""
        pool.check()
        surface = self.surface(pool, seed)
        points = list(self._points(surface, start[surface.ids], seed))
        stop = threading.Event()
        best, best_score = points[0], -np.inf
        with ThreadPoolExecutor(max_workers=threads) as workers:
            climbs = [workers.submit(self._climb, surface, point, stop) for point in points]
            try:
                for i, climb in enumerate(climbs, 1):
                    weights, score = climb.result()
                    if score > best_score:  # of equal ones, the first
                        best, best_score = weights, score
                    log({"event": "step", "step": i, "steps": len(points), "score": best_score})
            finally:
                stop.set()  # Ctrl-C: the others need not finish
        found = np.zeros(len(start))
        found[surface.ids] = best / max(float(np.abs(best).sum()), 1e-300)
        return found

    def surface(self, pool: Pool, seed: int) -> Surface:
        """The pool in the form that line search needs; one feature is moved at a time."""
        ids = np.unique(np.concatenate([scored.nbest.ids for scored in pool.lists]))
        if len(ids) > self.max_features:
            raise ConfigError(
                f"mert moves features one by one, and there are {len(ids):,} (at most "
                f"{self.max_features:,}); take pro, kbmira or online"
            )
        columns = _columns(pool, ids)
        spread = columns.std(axis=1)
        scale = np.where(spread > 0, spread, 1.0)
        random = generator(seed, 1).normal(size=(self.directions, len(ids))) / scale
        slopes = [core.combine(columns, direction, 1) for direction in random]
        stats = np.concatenate([scored.stats for scored in pool.lists])
        directions = np.vstack([np.eye(len(ids)), random])
        return Surface(ids, directions, [*columns, *slopes], columns, scale, stats, pool)

    def _points(self, surface: Surface, start: Array, seed: int) -> Iterator[Array]:
        """Where to start from; random weights are larger for features of a smaller scale."""
        yield start
        for i in range(self.restarts):
            yield generator(seed, 0, i).normal(size=len(start)) / surface.scale

    def _climb(
        self, surface: Surface, weights: Array, stop: threading.Event
    ) -> tuple[Array, float]:
        """The point that no line leads up from, and its score."""
        best, gained = -np.inf, True
        while gained and not stop.is_set():
            gained = False
            # Anew in each round, so that rounding cannot add up.
            scores = core.combine(surface.columns, weights, 1)
            for direction, slopes in zip(surface.directions, surface.slopes, strict=True):
                step, score, now = line_search(surface, scores, slopes, self)
                best = max(best, now)
                if score > best + MIN_GAIN:
                    weights = weights + step * direction
                    scores = scores + step * slopes
                    best, gained = score, True
        return weights, best


class Surface(NamedTuple):
    """A pool as line search sees it: lines, and what each candidate adds to the corpus score."""

    ids: Ids  # [m], the features
    directions: Array  # [m + r, m], each feature alone, and random ones
    slopes: list[Array]  # [m + r][n], how fast each candidate's score grows along a direction
    columns: Array  # [m, n], the features of all candidates
    scale: Array  # [m], how much each feature varies
    stats: Array  # [n, k]
    pool: Pool


def _columns(pool: Pool, ids: Ids) -> Array:
    """The features of all candidates, written out `[m, n]`."""
    offsets = pool.offsets()
    columns = np.zeros((len(ids), int(offsets[-1])))
    for begin, scored in zip(offsets, pool.lists, strict=False):
        starts, local, values = scored.nbest.csr()
        rows = begin + np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        columns[np.searchsorted(ids, scored.nbest.ids)[local], rows] = values
    return columns


def line_search(
    surface: Surface, scores: Array, slopes: Array, settings: Mert
) -> tuple[float, float, float]:
    """The best step along a line, its score, and the score of no step: exact.

    Along the line the chosen candidates change at finitely many points. The statistics of the
    corpus change there by differences, so one pass in order gives the score of every interval.
    """
    first, at, gone, come = core.envelopes(surface.pool.offsets(), scores, slopes, 1)
    order = np.argsort(at, kind="stable")
    at = at[order]
    changes = surface.stats[come[order]] - surface.stats[gone[order]]
    stats = np.vstack([surface.stats[first].sum(axis=0), changes])
    np.cumsum(stats, axis=0, out=stats)
    edges = np.concatenate([[-np.inf], at, [np.inf]])
    wide = np.diff(at) > MIN_WIDTH * (1 + np.abs(at[:-1]))
    real = np.flatnonzero(np.concatenate([[True], wide, [True]])[: len(stats)])
    values = _smooth(surface.pool.corpus(stats[real]), settings)
    left, right = edges[real], edges[real + 1]
    # Where the choice changes just here, nothing is won yet: what counts is the worse side.
    here = [int(np.searchsorted(right, 0.0, side=side)) for side in ("left", "right")]
    best = int(np.argmax(values))
    return _middle(left[best], right[best]), float(values[best]), float(values[here].min())


def _smooth(values: Array, settings: Mert) -> Array:
    """The mean or the least of each value and its neighbours."""
    if settings.smoothing == "none":
        return values
    width = settings.window
    padded = np.pad(values, width, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1)
    if settings.smoothing == "average":
        return np.asarray(windows.mean(axis=1))
    return np.asarray(windows.min(axis=1))


def _middle(left: float, right: float) -> float:
    """A point well inside an interval that may be unbounded."""
    if np.isinf(left) and np.isinf(right):
        return 0.0
    if np.isinf(left):
        return float(right - 0.1 * (1 + abs(right)))
    if np.isinf(right):
        return float(left + 0.1 * (1 + abs(left)))
    return float((left + right) / 2)
