"""PRO, k-best MIRA and batch expected BLEU against reference solutions on small lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from miriam.features.nbest import Names
from miriam.lexicon.vocabulary import Vocabulary
from miriam.metrics import BleuPlusOne
from miriam.tune.batch import ExpectedBleu, KbMira, Mert, Pro
from miriam.tune.batch.differences import differences
from miriam.tune.batch.pool import BatchLearner, Pool
from miriam.tune.batch.rounds import tune_in_rounds
from miriam.tune.clock import Clock
from miriam.tune.gold import Gold
from miriam.tune.learner import Gradient, Learner, Pieces, Scored
from miriam.tune.lists import Candidates, RowList
from miriam.tune.losses import HopeFear
from miriam.tune.losses.loss import Array
from miriam.tune.online import Evaluation
from miriam.tune.pairs import Sampling, generator
from miriam.tune.regularisers import NoRegulariser
from miriam.tune.updaters import Arow, Mira

LEARNERS: list[BatchLearner] = [Mert(restarts=2), Pro(), KbMira(passes=10), ExpectedBleu()]
WORDS = ["the", "a", "dog", "cat", "runs", "sleeps", "on", "under", "green", "grass"]


def toy(sentences: int = 12, seed: int = 1) -> tuple[Pool, Vocabulary]:
    """Lists whose feature `match` counts right words, and two that are noise."""
    rng = np.random.default_rng(seed)
    gold, names, lists = Gold(BleuPlusOne()), Vocabulary(), []
    for _ in range(sentences):
        reference = rng.choice(WORDS, 8)
        texts, rows = [], []
        for _ in range(10):
            wrong = rng.random(8) < rng.random()
            words = np.where(wrong, rng.choice(WORDS, 8), reference)
            match = float((words == reference).sum())
            rows.append({"match": match, "noise": float(rng.normal()), "length": 8.0})
            texts.append(" ".join(words))
        lists.append(Scored(RowList.of(rows, names), *gold.judge([" ".join(reference)])(texts)))
    return Pool(lists, gold.corpus), names


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_every_batch_learner_learns(learner: BatchLearner) -> None:
    pool, names = toy()
    start = np.array([-0.5, 1.0, 0.1])
    weights = learner.learn(pool, start, seed=3)
    assert weights[names.find("match") or 0] > 0
    assert pool.score(weights) > pool.score(start) + 10
    assert weights.tolist() == learner.learn(pool, start, seed=3).tolist()
    best = np.sum([s.stats[np.argmax(s.gold)] for s in pool.lists], axis=0)
    assert pool.score(weights) > 0.8 * float(pool.corpus(best))


def test_pro_is_the_classifier_that_scipy_finds() -> None:
    pool, _ = toy()
    pro = Pro(pairs=Sampling(draws=200, keep=20, threshold=1), l2=0.01)
    found = pro.learn(pool, np.zeros(3), seed=5)
    rows = differences(pool, pro.pairs, 3, seed=5).toarray()
    assert len(rows) > 100

    def objective(w: Array) -> float:
        return float(np.mean(np.logaddexp(0, -rows @ w)) + 0.005 * w @ w)

    expected = minimize(objective, np.zeros(3), method="BFGS", options={"gtol": 1e-9}).x
    assert np.allclose(found, expected, atol=1e-4)
    assert found[2] == 0, "a constant feature stays as it is"
    start = np.array([1.0, 1.0, 1.0])
    half = Pro(pairs=pro.pairs, l2=0.01, interpolation=0.5).learn(pool, start, seed=5)
    assert np.allclose(half[:2], (found[:2] + 1) / 2, atol=1e-4)


def test_expected_bleu_has_the_gradient_of_its_objective() -> None:
    pool, _ = toy(4)
    learner = ExpectedBleu(scale=0.7, l2=0.1)
    at = np.array([0.1, -0.2, 0.3])
    _, gradient = learner.objective(pool, at)
    for j in range(3):
        step = 1e-5 * np.eye(3)[j]
        up, down = learner.objective(pool, at + step)[0], learner.objective(pool, at - step)[0]
        assert np.isclose(gradient[j], (up - down) / 2e-5, atol=1e-6)


def solve(before: Array, values: Array, offset: float, stiffness: Array) -> Array:
    """argmin ½ Σ k (w - w')² + ξ subject to ξ >= 0 and ξ >= values · w + offset, by SciPy."""

    def cost(x: Array) -> float:
        return float(np.sum(stiffness * (x[:-1] - before) ** 2) / 2 + x[-1])

    constraints: Any = [
        {"type": "ineq", "fun": lambda x: x[-1] - (values @ x[:-1] + offset)},
        {"type": "ineq", "fun": lambda x: x[-1]},
    ]
    options: Any = {"ftol": 1e-14, "maxiter": 500}
    start = np.append(before, 5.0)
    found = minimize(cost, start, method="SLSQP", constraints=constraints, options=options)
    return np.asarray(found.x)


@pytest.mark.parametrize("updater", [Mira(c=0.1), Mira(c=10), Arow(eta=0.1), Arow(eta=10)])
def test_a_closed_form_is_the_quadratic_programs_solution(updater: Mira | Arow) -> None:
    """The problem that MIRA (Eq. 6) and AROW (Eq. 8, 9) state, for one hinge."""
    rng = np.random.default_rng(1)
    pieces = Pieces(loss=HopeFear(), updater=updater, regulariser=NoRegulariser(), batch=1)
    learner = Learner(pieces, Vocabulary())
    ids = np.arange(4, dtype=np.int32)
    learner.names.add("a")
    precision = np.ones(4)
    for _ in range(5):
        before = np.pad(learner.vector(), (0, 4))[:4]
        values, offset = rng.normal(size=4), float(rng.random())
        learner.update([Gradient(0, ids, values, 0.0, offset, True)])
        c = updater.c if isinstance(updater, Mira) else updater.eta

        solved = solve(before, values, offset, precision / c)
        assert np.allclose(learner.vector()[:4], solved[:4], atol=1e-5)
        if isinstance(updater, Arow) and values @ before + offset > 0:
            precision = precision + values**2


class Rounds:
    """A made-up decoder: its best 3 of 10 candidates by the weights it is given."""

    def __init__(self) -> None:
        self.pool, self.names = toy()
        self.corpus = self.pool.corpus
        self.clock = Clock()
        self.asked = 0

    names: Names

    def decode_all(self, vector: Array) -> Sequence[Candidates]:
        self.asked += 1
        lists = []
        for i, scored in enumerate(self.pool.lists):
            offsets, columns, values = scored.nbest.csr()
            best = np.argsort(-scored.nbest.scores(vector[scored.nbest.ids]), kind="stable")[:3]
            rows = [slice(offsets[d], offsets[d + 1]) for d in best]
            nbest = RowList(
                np.cumsum([0, *(r.stop - r.start for r in rows)], dtype=np.int64),
                scored.nbest.ids[np.concatenate([columns[r] for r in rows])],
                np.concatenate([values[r] for r in rows]),
            )
            lists.append(Candidates(i, [f"{i} {d}" for d in best], nbest, np.zeros(3)))
        return lists

    def judge(self, candidates: Candidates) -> Scored:
        full = self.pool.lists[candidates.sentence]
        rows = [int(text.split()[1]) for text in candidates.texts]
        return Scored(candidates.nbest, full.stats[rows], full.gold[rows])

    def evaluate(self, vector: Array) -> Evaluation | None:
        return Evaluation(self.pool.score(vector))


def test_lists_accumulate_over_rounds_until_nothing_is_new() -> None:
    problem = Rounds()
    start = np.array([-1.0, 0.5, 0.0])
    tuned = tune_in_rounds(Pro(), problem, start, rounds=20)
    assert tuned.stopped == "decoding found no new candidate"
    assert problem.asked < 20
    assert tuned.score is not None
    assert tuned.score > problem.pool.score(start) + 10


def test_pairs_of_a_sentence_do_not_depend_on_the_others() -> None:
    sampling = Sampling(draws=10, keep=3, threshold=0)
    gold = np.linspace(0, 1, 50)
    one = sampling.draw(gold, generator(1, 2, 3))
    assert all(
        np.array_equal(a, b)
        for a, b in zip(one, sampling.draw(gold, generator(1, 2, 3)), strict=True)
    )
    assert not np.array_equal(one[0], sampling.draw(gold, generator(1, 2, 4))[0])
