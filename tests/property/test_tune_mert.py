"""MERT's line search against every break point; envelopes with ties, parallels and single lines."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam._core import tune as core
from miriam.errors import ConfigError, InputError
from miriam.tune.batch import Mert
from miriam.tune.batch.mert import line_search
from miriam.tune.batch.pool import Pool
from miriam.tune.gold import corpus_bleu
from miriam.tune.learner import Scored
from miriam.tune.lists import RowList
from miriam.tune.losses.loss import Array
from oracles.tune import best_on_line


def pool_of(values: list[Array], stats: list[Array]) -> Pool:
    """A pool of candidates with two features."""
    lists = []
    for rows, counts in zip(values, stats, strict=True):
        offsets = 2 * np.arange(len(rows) + 1, dtype=np.int64)
        ids = np.tile(np.array([0, 1], dtype=np.int32), len(rows))
        gold = counts[:, 2] / counts[:, 0]
        lists.append(Scored(RowList(offsets, ids, rows.ravel().astype(float)), counts, gold))
    return Pool(lists, corpus_bleu)


def bleu_stats(rng: np.random.Generator, n: int) -> Array:
    matches = np.sort(rng.integers(0, 7, (n, 4)), axis=1)[:, ::-1]
    columns = [np.full((n, 2), 9), matches, np.tile([9, 8, 7, 6], (n, 1))]
    return np.hstack(columns).astype(np.float64)


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    """Small whole numbers, so that lines are often parallel, equal, or cross in one point."""
    rng = np.random.default_rng(draw(st.integers(0, 100_000)))
    sizes = draw(st.lists(st.integers(1, 7), min_size=1, max_size=5))
    top = draw(st.sampled_from([2, 9, 1000]))
    values = [rng.integers(-top, top + 1, (n, 2)).astype(np.float64) for n in sizes]
    return pool_of(values, [bleu_stats(rng, n) for n in sizes])


@settings(max_examples=150)
@given(pools())
def test_line_search_finds_the_exact_maximum(pool: Pool) -> None:
    mert = Mert(directions=0)
    surface = mert.surface(pool, seed=1)
    if len(surface.ids) < 2:
        return
    scores, slopes = surface.columns
    step, score, now = line_search(surface, scores, slopes, mert)
    offsets = pool.offsets()
    spans = [slice(a, b) for a, b in pairwise(offsets)]
    lists = [
        (scores[span], slopes[span], scored.stats)
        for span, scored in zip(spans, pool.lists, strict=True)
    ]
    assert np.isclose(score, best_on_line(lists, pool.corpus), atol=1e-9)
    reached = [stats[int(np.argmax(b + step * a))] for b, a, stats in lists]
    assert np.isclose(score, float(pool.corpus(np.sum(reached, axis=0))), atol=1e-9)
    assert score >= now


@settings(max_examples=150)
@given(st.integers(0, 100_000), st.integers(1, 40), st.sampled_from([1, 3, 1000]))
def test_an_envelope_is_the_best_line_everywhere(seed: int, n: int, top: int) -> None:
    rng = np.random.default_rng(seed)
    slopes = rng.integers(-top, top + 1, n).astype(float)
    intercepts = rng.integers(-top, top + 1, n).astype(float)
    first, at, gone, come = core.envelopes(np.array([0, n]), intercepts, slopes, 1)
    assert (np.diff(at) >= 0).all()
    chain = [int(first[0]), *come.tolist()]
    assert chain[:-1] == gone.tolist()
    edges = [at[0] - 1 if len(at) else 0.0, *at, (at[-1] if len(at) else 0.0) + 1]
    for line, left, right in zip(chain, edges, edges[1:], strict=False):
        x = (left + right) / 2
        values = intercepts + x * slopes
        assert np.isclose(values[line], values.max())


def test_mert_finds_the_good_direction() -> None:
    rng = np.random.default_rng(1)
    values, stats = [], []
    for _ in range(30):
        rows = rng.normal(size=(10, 2))
        good = np.argsort(np.argsort(rows @ [1.0, -2.0]))  # ranks
        counts = np.repeat((good % 7)[:, None], 4, axis=1)
        values.append(rows)
        stats.append(np.hstack([np.full((10, 2), 9), counts, np.tile([9, 8, 7, 6], (10, 1))]))
    pool = pool_of(values, [s.astype(float) for s in stats])
    start = np.array([-1.0, 1.0])
    one, two = (Mert(restarts=4).learn(pool, start, threads=threads) for threads in (1, 3))
    assert one.tolist() == two.tolist(), "the same with any number of threads"
    assert np.isclose(np.abs(one).sum(), 1)
    assert pool.score(one) > pool.score(start) + 5
    assert pool.score(one) >= pool.score(np.array([1.0, -2.0])) - 1


def test_mert_leaves_weights_of_zero() -> None:
    """At 0 all candidates are equal, whatever lies on either side."""
    values = [np.array([[0.0, 1.0], [1.0, 1.0]])]
    stats = [np.array([[9, 9, 0, 0, 0, 0, 9, 8, 7, 6.0], [9, 9, 9, 8, 7, 6, 9, 8, 7, 6]])]
    pool = pool_of(values, stats)
    weights = Mert(restarts=0, directions=0).learn(pool, np.zeros(2))
    assert weights[0] > 0
    assert pool.score(weights) == pytest.approx(100)


@pytest.mark.parametrize(("smoothing", "expected"), [("average", 2.0), ("minimum", 1.0)])
def test_smoothing_looks_at_neighbours(smoothing: str, expected: float) -> None:
    from miriam.tune.batch.mert import _smooth

    settings = Mert(smoothing=smoothing, window=1)  # type: ignore[arg-type]
    smoothed = _smooth(np.array([1.0, 1.0, 3.0, 2.0, 3.0]), settings)
    assert smoothed[2] == expected


def test_what_mert_cannot_use_is_refused() -> None:
    flat = pool_of([np.ones((3, 2))], [np.tile(bleu_stats(np.random.default_rng(1), 1), (3, 1))])
    with pytest.raises(InputError, match="nothing to learn"):
        Mert().learn(flat, np.zeros(2))
    rows = RowList(np.array([0, 2000, 2000]), np.arange(2000, dtype=np.int32), np.ones(2000))
    wide = Pool(
        [Scored(rows, bleu_stats(np.random.default_rng(1), 2), np.array([0, 1.0]))], corpus_bleu
    )
    with pytest.raises(ConfigError, match="there are 2,000"):
        Mert().learn(wide, np.zeros(2000))
    with pytest.raises(ConfigError, match="offsets of candidates"):
        core.envelopes(np.array([0, 2, 2]), np.zeros(2), np.zeros(2), 1)
