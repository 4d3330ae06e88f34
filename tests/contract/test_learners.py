"""The laws of every loss × updater × regulariser: valid ones learn, the others are refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from miriam.errors import ConfigError
from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune.learner import Gradient, Learner, Pieces, Scored
from miriam.tune.lists import RowList
from miriam.tune.losses import AnyLoss
from miriam.tune.losses.loss import Loss
from miriam.tune.pairs import generator
from miriam.tune.regularisers import AnyRegulariser
from miriam.tune.regularisers.regulariser import Regulariser
from miriam.tune.settings import kinds
from miriam.tune.updaters import AnyUpdater
from miriam.tune.updaters.updater import Updater

LOSSES, UPDATERS, REGULARISERS = kinds(AnyLoss), kinds(AnyUpdater), kinds(AnyRegulariser)
COMBINATIONS = list(product(LOSSES, UPDATERS, REGULARISERS))
JOINT = {"oscar", "oscar-as-printed"}
# A closed form solves one hinge, and has no rate that a penalty could follow. Ranks need one rate.
REFUSED = {
    (loss, updater, regulariser)
    for loss, updater, regulariser in COMBINATIONS
    if (updater in {"mira", "arow"} and (loss != "hope-fear" or regulariser != "none"))
    or (updater != "sgd" and regulariser in JOINT)
}
VALID = [c for c in COMBINATIONS if c not in REFUSED]


def keep_to_protocols(pieces: Pieces) -> tuple[Loss, Updater, Regulariser]:
    """Checked by mypy: every member of the unions has what its protocol asks for."""
    return pieces.loss, pieces.updater, pieces.regulariser


def pieces_of(combination: tuple[str, str, str]) -> Pieces:
    loss, updater, regulariser = combination
    strength: dict[str, Any] = {} if regulariser == "none" else {"strength": 1e-4}
    if regulariser in JOINT:
        strength = {"lambda1": 1e-4, "lambda2": 1e-5, "features": ("noise",)}
    return Pieces(
        loss=LOSSES[loss](),
        updater=UPDATERS[updater](),
        regulariser=REGULARISERS[regulariser](**strength),
        batch=1,
    )


def separable(names: Vocabulary) -> list[Scored]:
    """Lists in which the feature `good` marks better candidates, and `noise` nothing."""
    rng = np.random.default_rng(3)
    lists = []
    for i in range(12):
        gold = np.round(rng.random(6), 2)
        rows = [{"good": g, "const": 1.0, f"noise{i % 3}": float(rng.normal())} for g in gold]
        lists.append(Scored(RowList.of(rows, names), gold[:, None], gold))
    return lists


def run(learner: Learner, lists: list[Scored], epochs: range) -> None:
    for epoch in epochs:
        for i, scored in enumerate(lists):
            weights = learner.snapshots.take()
            learner.update([learner.gradient(i, scored, weights, generator(epoch, i))])


def gradients() -> Iterator[Gradient]:
    rng = np.random.default_rng(1)
    for i in range(20):
        ids = np.unique(rng.integers(0, 9, 3)).astype(np.int32)
        yield Gradient(i, ids, rng.normal(size=len(ids)), 1.0, 1.0, True)


@pytest.mark.parametrize("combination", VALID, ids="-".join)
def test_a_valid_combination_learns(combination: tuple[str, str, str]) -> None:
    names = Vocabulary()
    lists = separable(names)
    pieces = pieces_of(combination)
    learner = Learner(pieces, names)
    run(learner, lists, range(15))
    loss, updater, regulariser = keep_to_protocols(pieces)
    needed = {"weight", *updater.columns, *regulariser.columns}
    assert needed <= learner.table.columns.keys()
    assert loss.terms >= 1
    weights = learner.vector()
    assert weights[names.find("good") or 0] > 0
    assert weights[names.find("const") or 0] == 0, "a constant feature never moves"
    chosen = [s.gold[np.argmax(s.nbest.scores(weights[s.nbest.ids]))] for s in lists]
    first = [s.gold[0] for s in lists]
    assert np.mean(chosen) > np.mean(first) + 0.1


@pytest.mark.parametrize("combination", sorted(REFUSED), ids="-".join)
def test_an_invalid_combination_is_refused_by_name(combination: tuple[str, str, str]) -> None:
    loss, updater, regulariser = combination
    with pytest.raises(ConfigError) as error:
        Learner(pieces_of(combination), Vocabulary())
    message = str(error.value)
    assert repr(updater) in message
    assert repr(loss) in message or repr(regulariser) in message
    assert "take" in message


@pytest.mark.parametrize("combination", VALID, ids="-".join)
def test_resuming_equals_never_stopping(combination: tuple[str, str, str]) -> None:
    names = Vocabulary()
    lists = separable(names)
    straight, first, second = (Learner(pieces_of(combination), names) for _ in range(3))
    run(straight, lists, range(2))
    run(first, lists, range(1))
    second.restore(first.state())
    run(second, lists, range(1, 2))
    assert second.vector().tolist() == straight.vector().tolist()


@pytest.mark.parametrize("updater", UPDATERS)
def test_the_first_step_works_and_a_zero_gradient_does_nothing(updater: str) -> None:
    pieces = pieces_of(("hope-fear", updater, "none"))
    learner = Learner(pieces, Vocabulary())
    nothing = Gradient(0, np.empty(0, np.int32), np.empty(0), 0.0, 0.0, False)
    learner.update([nothing])
    assert not learner.vector().any()
    one = Gradient(0, np.array([2], dtype=np.int32), np.array([1.0]), 1.0, 1.0, True)
    learner.update([one])
    assert learner.vector()[2] < 0
    before = learner.vector().tolist()
    learner.update([nothing])
    assert learner.vector().tolist() == before


@pytest.mark.parametrize("updater", ["adagrad", "sgd", "arow-linearised"])
@pytest.mark.parametrize("regulariser", ["none", "l1", "l2", "cumulative-l1"])
def test_strengths_and_frozen_features(updater: str, regulariser: str) -> None:
    """A template of strength 0 is not penalised, and a frozen feature never moves."""
    names = Vocabulary()
    for i in range(9):
        names.add(f"{'free' if i < 3 else 'PT' if i < 6 else 'frozen'}:{i}")
    strong = {} if regulariser == "none" else {"strength": 5.0, "templates": {"free:": 0.0}}
    learners = []
    for extra in (strong, {} if regulariser == "none" else {"strength": 0.0}):
        pieces = Pieces(
            updater=UPDATERS[updater](),
            regulariser=REGULARISERS[regulariser](**extra),
            frozen=("frozen:",),
            gradient="sum",
        )
        learner = Learner(pieces, names)
        learner.start({"frozen:6": 0.5})
        for gradient in gradients():
            learner.update([gradient])
        learners.append(learner)
    penalised, free = learners[0].vector(), learners[1].vector()
    assert np.allclose(penalised[:3], free[:3], rtol=1e-12)
    assert penalised[6:].tolist() == [0.5, 0.0, 0.0]
    if regulariser != "none":
        assert np.abs(penalised[3:6]).sum() < np.abs(free[3:6]).sum()


def test_what_one_strength_cannot_do_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"templates of strength 0\.5; take updater 'adagrad'"):
        Learner(
            Pieces(
                updater=UPDATERS["sgd"](), regulariser=REGULARISERS["l2"](templates={"PT": 0.5})
            ),
            Vocabulary(),
        )
    with pytest.raises(ConfigError, match="average = true cannot go with regulariser 'l1'"):
        Learner(Pieces(average=True), Vocabulary())
    with pytest.raises(ConfigError, match="average = true cannot go with regulariser 'oscar'"):
        Learner(
            Pieces(average=True, updater=UPDATERS["sgd"](), regulariser=REGULARISERS["oscar"]()),
            Vocabulary(),
        )
    with pytest.raises(ConfigError, match="no gradient = 'sum'"):
        Learner(
            Pieces(
                loss=LOSSES["hope-fear"](),
                updater=UPDATERS["mira"](),
                regulariser=REGULARISERS["none"](),
                gradient="sum",
            ),
            Vocabulary(),
        )


@pytest.mark.parametrize("updater", UPDATERS)
def test_the_average_is_the_mean_of_the_weights_after_each_update(updater: str) -> None:
    pieces = Pieces(
        loss=LOSSES["hope-fear"](),
        updater=UPDATERS[updater](),
        regulariser=REGULARISERS["none"](),
        batch=1,
    )
    import msgspec

    plain = Learner(pieces, Vocabulary())
    averaged = Learner(msgspec.structs.replace(pieces, average=True), Vocabulary())
    for learner in (plain, averaged):
        learner.names.add("a")
        learner.start({"a": 0.25})
    history = []
    for gradient in gradients():
        plain.update([gradient])
        averaged.update([gradient])
        history.append(np.pad(plain.vector(), (0, 9 - len(plain.vector()))))
    mean = np.mean(history, axis=0)
    assert np.allclose(averaged.vector(), mean[: len(averaged.vector())], atol=1e-12)


def test_a_cut_off_waits_for_enough_different_sentences() -> None:
    learner = Learner(Pieces(min_sentences=2, regulariser=REGULARISERS["none"]()), Vocabulary())
    step = Gradient(0, np.array([0], dtype=np.int32), np.array([1.0]), 1.0, 1.0, True)
    learner.update([step])
    learner.update([step])
    assert not learner.vector().any(), "the same sentence twice is one sentence"
    learner.restore(learner.state())
    learner.update([step._replace(sentence=7)])
    assert learner.vector()[0] < 0
