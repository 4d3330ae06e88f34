"""OSCAR's proximal step against a general solver, and the learner against a dense one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune.learner import Gradient, Learner, Pieces
from miriam.tune.regularisers import Oscar, OscarAsPrinted
from miriam.tune.updaters import Sgd
from oracles.oscar import gap, penalty, solve

NUMBER = st.floats(-2, 2).map(lambda x: round(x, 2))
STRENGTH = st.sampled_from([0.0, 0.01, 0.1, 0.3])
PROBLEM = {"start": st.lists(NUMBER, min_size=1, max_size=30).map(np.array),
           "rate": st.sampled_from([0.1, 0.5, 1.0]), "lambda1": STRENGTH, "lambda2": STRENGTH,
           "idle": st.integers(0, 5)}  # fmt: skip


def prices(size: int, known: int, lambda1: float, lambda2: float) -> np.ndarray:
    return lambda1 + lambda2 * (known - np.arange(1, size + 1))


@pytest.mark.parametrize("seed", range(12))
def test_the_step_is_what_a_general_solver_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start = np.round(rng.normal(size=1 + seed % 5), 2) * (rng.random(1 + seed % 5) < 0.8)
    rate, lambda1, lambda2 = rng.random(3) * [1.0, 0.5, 0.3]
    found = Oscar(lambda1=lambda1, lambda2=lambda2).step(start, rate, len(start))
    assert np.allclose(found, solve(start, rate, lambda1, lambda2), rtol=0, atol=1e-8)


@given(**PROBLEM)
def test_the_step_satisfies_the_conditions_of_the_minimum(
    start: np.ndarray, rate: float, lambda1: float, lambda2: float, idle: int
) -> None:
    """At the minimum and nowhere else; signs stay, order stays, and 0 stays 0 (Lemma 1)."""
    known = len(start) + idle
    found = Oscar(lambda1=lambda1, lambda2=lambda2).step(start, rate, known)
    each = rate * prices(len(start), known, lambda1, lambda2)
    assert gap(found, start, each) < 1e-12
    assert (found * start >= 0).all()
    assert (np.abs(found) <= np.abs(start) + 1e-15).all()
    assert not found[start == 0].any()
    order = np.argsort(-np.abs(start), kind="stable")
    assert (np.diff(np.abs(found)[order]) <= 0).all()
    for size in np.unique(np.abs(start)):
        assert len(np.unique(np.abs(found)[np.abs(start) == size])) == 1, "equal ones stay equal"


@given(**PROBLEM)
def test_weights_of_zero_cost_nothing_but_rank(
    start: np.ndarray, rate: float, lambda1: float, lambda2: float, idle: int
) -> None:
    """What is said of d weights can be computed from those that are not 0."""
    known = len(start) + idle
    oscar = Oscar(lambda1=lambda1, lambda2=lambda2)
    dense = oscar.step(np.pad(start, (0, idle)), rate, known)
    alive = np.flatnonzero(start)
    assert np.allclose(dense[alive], oscar.step(start[alive], rate, known), rtol=0, atol=1e-12)
    assert np.count_nonzero(dense) <= len(alive)


@given(st.lists(NUMBER, max_size=12), STRENGTH, STRENGTH)
def test_the_penalty_is_a_sorted_norm(weights: list[float], lambda1: float, lambda2: float) -> None:
    sizes = np.sort(np.abs(weights))[::-1]
    each = prices(len(weights), len(weights), lambda1, lambda2)
    assert np.isclose(sizes @ each, penalty(np.array(weights), lambda1, lambda2), atol=1e-12)


def test_similar_weights_are_tied_and_keep_their_signs() -> None:
    found = Oscar(lambda1=0.02, lambda2=0.05).step(np.array([0.5, -0.52, 0.9, -0.01]), 1.0, 4)
    assert found[0] == -found[1] > 0
    assert found[2] > found[0]
    assert found[3] == 0


def test_without_penalty_only_the_printed_step_changes_weights() -> None:
    """Eq. 3 lacks a ½: with λ = 0 its minimum is a/2. And v(g) has no bound at 0."""
    start = np.array([0.5, -0.2, 0.1])
    assert Oscar(lambda1=0.0, lambda2=0.0).step(start, 1.0, 3).tolist() == start.tolist()
    printed = OscarAsPrinted(lambda1=0.0, lambda2=0.0).step(start, 1.0, 3)
    assert printed.tolist() == (start / 2).tolist()
    flipped = OscarAsPrinted(lambda1=0.3, lambda2=0.0).step(start, 1.0, 3)
    assert (flipped * start < 0).all()


@given(**PROBLEM)
def test_the_printed_step_is_the_papers_loop(
    start: np.ndarray, rate: float, lambda1: float, lambda2: float, idle: int
) -> None:
    """Algorithm 3, line by line: groups on a stack, merged while v does not fall."""
    alive = start[start != 0]
    known = len(start) + idle

    def v(group: list[tuple[int, float]]) -> float:
        gains = [size - 2 * rate * (lambda1 + lambda2 * (known - k)) for k, size in group]
        return sum(gains) / (2 * len(group))

    stack: list[list[tuple[int, float]]] = []
    order = np.argsort(-np.abs(alive), kind="stable")
    for k, size in enumerate(np.abs(alive)[order].tolist(), 1):
        group = [(k, size)]
        while stack and v(group) >= v(stack[-1]):
            group = stack.pop() + group
        stack.append(group)
    expected = np.zeros(len(alive))
    expected[order] = [v(group) for group in stack for _ in group]
    oscar = OscarAsPrinted(lambda1=lambda1, lambda2=lambda2)
    found = oscar.step(alive, rate, known)
    assert np.allclose(found, np.sign(alive) * expected, rtol=0, atol=1e-12)


SIZE = 8
STREAM = st.lists(st.dictionaries(st.integers(0, SIZE), NUMBER.filter(bool), max_size=3),
                  max_size=25)  # fmt: skip


def learnt(stream: list[dict[int, float]], learner: Learner) -> Learner:
    for batch in stream:
        ids = np.array(sorted(batch), dtype=np.int32)
        values = np.array([batch[int(i)] for i in ids], dtype=np.float64)
        learner.update([Gradient(0, ids, values, 0, 0, True)])
    return learner


def learner_of(**settings: Any) -> Learner:
    """Features 0 to 6 are under OSCAR, 7 is frozen, and 8 is dense."""
    names = Vocabulary()
    for i in range(SIZE):
        names.add(f"PT:{i}")
    names.add("LM")
    pieces = Pieces(
        updater=Sgd(eta=0.5, schedule="1/t"),
        regulariser=Oscar(lambda1=0.01, lambda2=0.02, **settings),
        frozen=("PT:7",),
        gradient="sum",
    )
    learner = Learner(pieces, names)
    learner.start({"PT:0": 0.3, "PT:7": 0.25, "LM": 0.5})
    return learner


@settings(max_examples=60)
@given(STREAM, st.booleans())
def test_the_learner_is_fobos_over_all_weights(stream: list[dict[int, float]], more: bool) -> None:
    known = 20 if more else SIZE - 1  # the frozen one does not count
    learner = learnt(stream, learner_of(known=20) if more else learner_of())
    oscar = learner.regulariser
    assert isinstance(oscar, Oscar)
    expected = np.array([0.3, 0, 0, 0, 0, 0, 0, 0.25, 0.5])
    for step, batch in enumerate(stream, 1):
        for j, g in batch.items():
            expected[j] -= 0.5 / step * g * (j != 7)
        expected[: SIZE - 1] = oscar.step(expected[: SIZE - 1], 0.5 / step, known)
    assert np.allclose(learner.vector(), expected, rtol=0, atol=1e-12)


@settings(max_examples=20)
@given(STREAM)
def test_snapshots_and_resumed_learners_have_the_same_weights(
    stream: list[dict[int, float]],
) -> None:
    learner, resumed = learner_of(), learner_of()
    learner.snapshots.keep(2)
    ids = np.arange(SIZE + 1, dtype=np.int32)
    for batch in stream:
        learnt([batch], learner)
        snapshot = learner.snapshots.take()
        assert snapshot.read(ids).tolist() == learner.vector().tolist()
        learner.snapshots.give_back(snapshot)
    middle = len(stream) // 2
    first = learnt(stream[:middle], learner_of())
    first.names.add("PT:later")  # d is of the run, not of the moment
    resumed.restore(first.state())
    assert learnt(stream[middle:], resumed).vector().tolist() == learner.vector().tolist()
