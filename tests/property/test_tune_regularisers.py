"""Lazy penalties against a learner that visits every weight at every update."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune.learner import Gradient, Learner, Pieces
from miriam.tune.regularisers import L1, L2, AnyRegulariser, CumulativeL1
from miriam.tune.updaters import AdaGrad, AnyUpdater, ArowLinearised, Sgd
from oracles.tune import dense_cumulative, dense_fobos, soft

SIZE = 6
NUMBER = st.floats(-2, 2).map(lambda x: round(x, 3)).filter(bool)
STREAM = st.lists(st.dictionaries(st.integers(0, SIZE - 1), NUMBER, max_size=3), max_size=40)
UPDATERS: dict[str, AnyUpdater] = {
    "adagrad": AdaGrad(eta=0.1),
    "arow": ArowLinearised(eta=0.1, prior=1.0),
    "constant": Sgd(eta=0.1),
    "1/t": Sgd(eta=0.1, schedule="1/t"),
    "1/sqrt(t)": Sgd(eta=0.1, schedule="1/sqrt(t)"),
}
SHRINK: dict[str, tuple[AnyRegulariser, Callable[[float, float], float]]] = {
    "l1": (L1(strength=0.05), lambda w, r: soft(w, r * 0.05)),
    "l2": (L2(strength=0.3), lambda w, r: w / (1 + r * 0.3)),
}


def gradient(batch: dict[int, float]) -> Gradient:
    ids = np.array(sorted(batch), dtype=np.int32)
    return Gradient(0, ids, np.array([batch[int(i)] for i in ids], dtype=np.float64), 0, 0, True)


def names() -> Vocabulary:
    vocabulary = Vocabulary()
    for i in range(SIZE):
        vocabulary.add(f"f{i}")
    return vocabulary


def learnt(pieces: Pieces, stream: list[dict[int, float]]) -> np.ndarray:
    learner = Learner(pieces, names())
    for batch in stream:
        learner.update([gradient(batch)])
    return learner.vector()


@pytest.mark.parametrize("rate", UPDATERS)
@pytest.mark.parametrize("penalty", SHRINK)
@settings(max_examples=40)
@given(STREAM)
def test_lazy_equals_dense(rate: str, penalty: str, stream: list[dict[int, float]]) -> None:
    regulariser, shrink = SHRINK[penalty]
    pieces = Pieces(updater=UPDATERS[rate], regulariser=regulariser, gradient="sum")
    expected = dense_fobos(stream, SIZE, shrink, rate)
    assert np.allclose(learnt(pieces, stream), expected, rtol=0, atol=1e-12)


@given(STREAM)
def test_cumulative_l1_equals_its_definition(stream: list[dict[int, float]]) -> None:
    pieces = Pieces(
        updater=Sgd(eta=0.1, schedule="1/sqrt(t)"),
        regulariser=CumulativeL1(strength=0.3),
        gradient="sum",
    )
    expected = dense_cumulative(stream, SIZE, 0.3)
    assert np.allclose(learnt(pieces, stream), expected, rtol=0, atol=1e-12)


def test_lazy_equals_dense_on_a_long_stream() -> None:
    rng = np.random.default_rng(1)
    stream = [
        {int(j): float(rng.normal()) for j in rng.integers(0, SIZE, 2) if rng.random() < 0.2}
        for _ in range(4000)
    ]
    pieces = Pieces(updater=AdaGrad(eta=0.1), regulariser=L1(strength=0.01), gradient="sum")
    expected = dense_fobos(stream, SIZE, lambda w, r: soft(w, r * 0.01), "adagrad")
    assert np.allclose(learnt(pieces, stream), expected, rtol=0, atol=1e-12)


@settings(max_examples=30)
@given(st.lists(STREAM, max_size=3))
def test_l1_once_an_epoch_waits_for_its_end(epochs: list[list[dict[int, float]]]) -> None:
    pieces = Pieces(
        updater=AdaGrad(eta=0.1), regulariser=L1(strength=0.05, every="epoch"), gradient="sum"
    )
    learner = Learner(pieces, names())
    weights, squares = np.zeros(SIZE), np.zeros(SIZE)
    for stream in epochs:
        for batch in stream:
            learner.update([gradient(batch)])
            for i, g in batch.items():
                squares[i] += g * g
                weights[i] -= 0.1 / math.sqrt(squares[i]) * g
            assert np.allclose(learner.vector(), weights, rtol=0, atol=1e-12)
        learner.end_epoch()
        for i in np.flatnonzero(squares).tolist():
            weights[i] = soft(weights[i], 0.1 / math.sqrt(squares[i]) * 0.05 * len(stream))
        assert np.allclose(learner.vector(), weights, rtol=0, atol=1e-12)


@settings(max_examples=30)
@given(STREAM)
def test_what_is_read_is_what_a_dense_learner_has(stream: list[dict[int, float]]) -> None:
    """Reading pays debts in passing, so decoding sees no feature that would have been dropped."""
    pieces = Pieces(updater=AdaGrad(eta=0.1), regulariser=L1(strength=0.05), gradient="sum")
    learner = Learner(pieces, names())
    learner.snapshots.keep(2)
    for done, batch in enumerate(stream, 1):
        learner.update([gradient(batch)])
        snapshot = learner.snapshots.take()
        ids = np.arange(SIZE, dtype=np.int32)
        read, rows = snapshot.read(ids), snapshot.rows()
        assert rows is not None
        assert np.allclose(rows.read(ids), read, rtol=0, atol=1e-15)
        learner.snapshots.give_back(snapshot)
        expected = dense_fobos(stream[:done], SIZE, lambda w, r: soft(w, r * 0.05), "adagrad")
        assert np.allclose(read, expected, rtol=0, atol=1e-12)


@given(NUMBER, st.floats(0, 5))
def test_l1_never_flips_a_sign(weight: float, cost: float) -> None:
    from miriam.tune.table import Rows

    rows = Rows(np.array([[weight]]), {"weight": 0})
    L1().pay(rows, np.array([cost]))
    assert float(rows["weight"][0]) * weight >= 0
    assert abs(float(rows["weight"][0])) <= abs(weight)


def test_sums_with_the_papers_strength_give_the_weights_of_means_with_ours() -> None:
    """λ = 0.1 for sums over 20 sentences and 2 · 15 pair terms is λ = 0.1/600 for means."""
    rng = np.random.default_rng(2)
    stream = [{int(j): float(rng.normal()) for j in rng.integers(0, SIZE, 2)} for _ in range(200)]
    sums = Pieces(regulariser=L1(strength=0.1), gradient="sum")
    means = Pieces(regulariser=L1(strength=0.1 / 600))
    assert sums.loss.terms == 30
    assert np.allclose(learnt(sums, stream), learnt(means, stream), rtol=0, atol=1e-12)
    assert np.count_nonzero(learnt(sums, stream))
    default = Learner(Pieces(), names()).strengths.default
    assert math.isclose(default, 0.1 / 600)
