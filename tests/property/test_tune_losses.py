"""Losses: their derivatives against finite differences, and the laws that all of them obey."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam.tune.losses import (
    AnyLoss,
    Expected,
    Hinge,
    HopeFear,
    Logistic,
    Perceptron,
    Ramp,
    Softmax,
)
from miriam.tune.losses.loss import Array
from miriam.tune.pairs import Sampling, generator

PAIRS = Sampling(draws=50, keep=5, threshold=5)
LOSSES: dict[str, AnyLoss] = {
    "logistic": Logistic(pairs=PAIRS),
    "hinge": Hinge(pairs=PAIRS, margin=0.7),
    "perceptron": Perceptron(pairs=PAIRS),
    "expected": Expected(),
    "sharp": Expected(scale=3.0),
    "softmax": Softmax(),
    "softmax-3": Softmax(oracles=3),
    "ramp-hope": Ramp(side="hope"),
    "ramp-fear": Ramp(side="fear"),
    "ramp": Ramp(),
    "hope-fear": HopeFear(scale=2.0),
}
NEVER_NEGATIVE = set(LOSSES) - {"expected", "sharp"}


@st.composite
def lists(draw: st.DrawFn) -> tuple[Array, Array, int]:
    n = draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    return rng.normal(size=n) * 2, np.round(rng.random(n), 2), draw(st.integers(0, 9))


@pytest.mark.parametrize("name", LOSSES)
@settings(max_examples=40)
@given(lists())
def test_the_derivative_is_that_of_finite_differences(
    name: str, example: tuple[Array, Array, int]
) -> None:
    scores, gold, seed = example
    loss, h = LOSSES[name], 1e-6

    def value(at: Array) -> float:
        return loss(at, gold, generator(seed))[0]

    _, derivative = loss(scores, gold, generator(seed))
    for i in range(len(scores)):
        step = h * np.eye(len(scores))[i]
        up, down = value(scores + step) - value(scores), value(scores) - value(scores - step)
        if abs(up - down) < 1e-9:  # not at a kink
            assert np.isclose((up + down) / (2 * h), derivative[i], rtol=1e-4, atol=1e-6)
    assert np.isclose(derivative.sum(), 0, atol=1e-12)


@pytest.mark.parametrize("name", LOSSES)
@settings(max_examples=40)
@given(lists())
def test_what_all_losses_obey(name: str, example: tuple[Array, Array, int]) -> None:
    scores, gold, seed = example
    loss = LOSSES[name]
    value, derivative = loss(scores, gold, generator(seed))
    assert loss(scores, gold, generator(seed))[0] == value, "the same seed, the same pairs"
    moved = loss(scores + 5.0, gold, generator(seed))
    assert np.isclose(moved[0], value)
    assert np.allclose(moved[1], derivative)
    if name in NEVER_NEGATIVE:
        assert value >= 0
    flat = loss(scores, np.full(len(gold), 0.3), generator(seed))
    if name not in {"hope-fear", "ramp", "ramp-hope", "ramp-fear"}:
        assert not flat[1].any(), "equal gold scores teach nothing"


@pytest.mark.parametrize("name", LOSSES)
def test_a_step_down_makes_the_best_candidate_score_more(name: str) -> None:
    gold = np.array([0.2, 0.9, 0.3, 0.1])
    scores = np.array([0.0, 0.1, 0.0, 0.0] if name == "ramp-fear" else [0.0] * 4)
    _, derivative = LOSSES[name](scores, gold, generator(1))
    assert derivative[1] < 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.integers(0, 5))
def test_pairs_are_ordered_far_apart_and_not_too_many(gold: list[float], seed: int) -> None:
    scores = np.array(gold)
    better, worse = PAIRS.draw(scores, generator(seed))
    gaps = scores[better] - scores[worse]
    assert len(better) <= PAIRS.keep
    assert (gaps >= 0.05 - 1e-9).all()
    assert (np.diff(gaps) <= 0).all(), "the largest first"


def test_means_and_sums_of_the_pairwise_logistic_loss() -> None:
    """Each pair counts twice (its mirror image), and the mean divides by 2Ξ."""
    loss = Logistic(pairs=Sampling(draws=100, keep=4, threshold=0))
    value, _ = loss(np.zeros(2), np.array([0.0, 1.0]), generator(1))
    assert np.isclose(value, 8 * np.log(2))
    assert loss.terms == 8
