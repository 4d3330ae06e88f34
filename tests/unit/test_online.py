"""The online tuner: delays, buffers, checkpoints, guards, mixing, and what an update may cost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from conftest import ROOT
from miriam.errors import ConfigError, MiriamError
from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune import checkpoint
from miriam.tune.clock import Clock
from miriam.tune.learner import Gradient, Learner, Pieces, Scored
from miriam.tune.lists import RowList
from miriam.tune.losses import AnyLoss, HopeFear, Logistic, Perceptron
from miriam.tune.losses.loss import Array
from miriam.tune.monitor import Record
from miriam.tune.online import Evaluation, Online, OnlineTuner, Tuned
from miriam.tune.pairs import Sampling, generator
from miriam.tune.regularisers import L1, AnyRegulariser, CumulativeL1, NoRegulariser
from miriam.tune.snapshots import Weights
from miriam.tune.updaters import AdaGrad, AnyUpdater, Arow, Mira, Sgd

PAIRS = Logistic(pairs=Sampling(draws=40, keep=5))
SMALL = Pieces(loss=PAIRS, batch=3, regulariser=L1(strength=1e-3))


class Problem:
    """Lists with a feature that marks good candidates, others that fire now and then."""

    def __init__(self, sentences: int = 40, *, flat: bool = False) -> None:
        self.names = Vocabulary()
        self.lists = []
        self.clock = Clock()
        self.flat = flat
        rng = np.random.default_rng(1)
        for _ in range(sentences):
            gold = np.full(8, 0.5) if flat else rng.random(8)
            rows = [
                {"good": float(g + rng.normal()), "const": 2.0, f"rare{rng.integers(60)}": 1.0}
                for g in gold
            ]
            stats = np.column_stack([gold, np.ones(8)])
            self.lists.append(Scored(RowList.of(rows, self.names), stats, gold))

    def __len__(self) -> int:
        return len(self.lists)

    def fingerprint(self) -> str:
        return str(len(self.lists))

    def decode(self, sentences: Sequence[int], weights: Weights) -> list[Scored]:
        return [self.lists[i] for i in sentences]

    def score(self, sentences: Sequence[int], decoded: list[Scored]) -> list[Scored]:
        return decoded

    def evaluate(self, vector: Array) -> Evaluation | None:
        chosen = [s.gold[int(np.argmax(s.nbest.scores(vector[s.nbest.ids])))] for s in self.lists]
        return Evaluation(100 * float(np.mean(chosen)), 1.0)


def tuner(settings: Online, problem: Any = None, **options: Any) -> OnlineTuner:
    problem = problem or Problem()
    return OnlineTuner(
        settings, problem, lambda: Learner(settings.pieces, problem.names), **options
    )


def tune(settings: Online, problem: Any = None, **options: Any) -> Tuned:
    return tuner(settings, problem, **options).run()


@pytest.mark.parametrize("delay", [0, 1, 3])
@pytest.mark.parametrize("regulariser", [NoRegulariser(), L1(strength=1e-3), CumulativeL1()])
def test_it_learns_whatever_the_delay(delay: int, regulariser: AnyRegulariser) -> None:
    pieces = Pieces(loss=PAIRS, batch=3, regulariser=regulariser)
    settings = Online(pieces=pieces, epochs=4, delay=delay)
    one = tune(settings)
    assert one == tune(settings), "the clock and the threads play no part"
    assert one.score is not None
    assert one.score > 55
    assert one.weights["good"] > 0
    assert "const" not in one.weights


@pytest.mark.parametrize("delay", [0, 1, 2, 5])
def test_a_delay_is_what_its_definition_says(delay: int) -> None:
    """The gradient of batch i is taken at the weights after update i - delay - 1."""
    problem = Problem()
    settings = Online(pieces=SMALL, epochs=1, delay=delay, shuffle=False, patience=0)
    found = tune(settings, problem).weights
    learner = Learner(SMALL, problem.names)
    history = [learner.vector()]
    pending: list[list[Gradient]] = []

    class Past:
        def read(self, ids: Any) -> Array:
            return np.asarray(history[-1][ids])

        def rows(self) -> None:
            return None

    for begin in range(0, len(problem), 3):
        sentences = range(begin, min(begin + 3, len(problem)))
        pending.append([
            learner.gradient(i, problem.lists[i], Past(), generator(1, 0, i)) for i in sentences
        ])  # fmt: skip
        if len(pending) > delay:
            learner.update(pending.pop(0))
            history.append(learner.vector())
    for gradients in pending:
        learner.update(gradients)
    expected = learner.weights()
    assert found.keys() == expected.keys()
    assert all(abs(found[name] - expected[name]) < 1e-12 for name in expected)


def test_seeds_differ_and_the_best_epoch_is_kept() -> None:
    settings = Online(pieces=SMALL, epochs=3)
    records: list[Record] = []
    best = tune(settings, log=records.append)
    epochs = [r for r in records if r["event"] == "epoch"]
    assert [r["epoch"] for r in epochs] == [0, 1, 2, 3]
    assert best.score == max(r["score"] for r in epochs)
    assert epochs[best.epoch]["score"] == best.score
    marks = [r["sentences"] for r in records if r["event"] == "progress"]
    assert marks == [1, 2, 4, 8, 16, 32, 64]
    assert tune(settings, seed=2).weights != best.weights
    msgspec.json.encode(records)


def test_it_stops_when_the_development_score_stands_still() -> None:
    class Still(Problem):
        def evaluate(self, vector: Array) -> Evaluation:
            return Evaluation(1.0)

    records: list[Record] = []
    tuned = tune(Online(pieces=SMALL, epochs=50, patience=2), Still(), log=records.append)
    assert tuned.epoch == 0
    assert sum(r["event"] == "epoch" for r in records) == 3


def test_without_a_development_set_the_last_epoch_counts() -> None:
    class Blind(Problem):
        def evaluate(self, vector: Array) -> None:
            return None

    tuned = tune(Online(pieces=SMALL, epochs=7, patience=2), Blind())
    assert tuned.epoch == 7
    assert tuned.score is None


class Killed(Exception):  # noqa: N818
    pass


COMBINATIONS: list[tuple[AnyLoss, AnyUpdater, AnyRegulariser, dict[str, Any]]] = [
    (PAIRS, AdaGrad(), L1(strength=1e-3), {}),
    (PAIRS, Sgd(schedule="1/sqrt(t)"), CumulativeL1(strength=1e-3), {}),
    (Perceptron(), Sgd(), NoRegulariser(), {"average": True}),
    (HopeFear(), Mira(), NoRegulariser(), {}),
    (HopeFear(), Arow(), NoRegulariser(), {"min_sentences": 2, "frozen": ("rare1",)}),
]


@pytest.mark.parametrize(
    "combination", COMBINATIONS, ids=["adagrad", "sgd", "average", "mira", "arow"]
)
@pytest.mark.parametrize("delay", [0, 2])
@pytest.mark.parametrize("shards", [1, 2])
def test_resuming_equals_never_stopping(
    combination: Any, delay: int, shards: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever checkpoint was the last one."""
    loss, updater, regulariser, more = combination
    if shards > 1:
        more = {**more, "average": False}  # together they are refused
    pieces = Pieces(loss=loss, updater=updater, regulariser=regulariser, batch=3, **more)
    settings = Online(
        pieces=pieces, epochs=3, delay=delay, shards=shards, checkpoint_batches=4, patience=0
    )
    straight = tune(settings)
    save, saves = checkpoint.save, 0

    def dying(tuner: OnlineTuner, path: Path) -> None:
        nonlocal saves
        save(tuner, path)
        saves += 1
        raise Killed

    monkeypatch.setattr(checkpoint, "save", dying)
    for _ in range(100):
        try:
            resumed = tuner(settings).run(tmp_path / "checkpoint")
            break
        except Killed:
            continue
    assert saves > 6
    assert resumed == straight


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    settings = Online(pieces=SMALL, epochs=1)
    tuner(settings).run(path)
    changes: list[tuple[Online, dict[str, Any]]] = [
        (msgspec.structs.replace(settings, epochs=2), {}),
        (settings, {"seed": 5}),
        (settings, {"problem": Problem(39)}),
    ]
    for other, options in changes:
        with pytest.raises(ConfigError, match="remove it to begin anew"):
            tuner(other, **options).run(path)
    path.write_bytes(path.read_bytes()[:-64])
    with pytest.raises(MiriamError, match="cut short"):
        tuner(settings).run(path)


SCRIPT = """
import sys
sys.path.insert(0, "tests")
sys.path.insert(0, "tests/unit")
import time
from pathlib import Path
from test_online import SMALL, Online, Problem, tuner

class Slow(Problem):
    def decode(self, sentences, weights):
        time.sleep(0.004)
        return super().decode(sentences, weights)

settings = Online(pieces=SMALL, epochs=6, delay=1, checkpoint_batches=2, patience=0)
tuned = tuner(settings, Slow()).run(Path(sys.argv[1]))
print(sorted(tuned.weights.items()))
"""


def test_kill_9_at_any_moment_and_the_weights_are_the_same(tmp_path: Path) -> None:
    def start(path: Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(path)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
        )  # fmt: skip

    expected, errors = start(tmp_path / "straight").communicate()
    assert expected, errors.decode()
    path = tmp_path / "killed"
    kills = 0
    for wait in (0.02, 0.11, 0.23):
        process = start(path)
        seen = path.stat().st_mtime_ns if path.exists() else 0
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and process.poll() is None:
            if path.exists() and path.stat().st_mtime_ns != seen:
                break
            time.sleep(0.005)
        time.sleep(wait)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.communicate()
    assert kills
    found, errors = start(path).communicate()
    assert found == expected, errors.decode()


def test_mixing_gives_every_learner_the_mean() -> None:
    problem = Problem()
    pieces = Pieces(loss=PAIRS, batch=3, regulariser=NoRegulariser())
    settings = Online(pieces=pieces, epochs=1, shards=2, delay=0, shuffle=False, patience=0)
    run = tuner(settings, problem)
    mixed = run.run()
    halves = []
    for shard in range(2):
        learner = Learner(pieces, problem.names)
        order = list(range(len(problem)))[shard::2]
        for begin in range(0, len(order), 3):
            batch = order[begin : begin + 3]
            weights = learner.snapshots.take()
            learner.update([
                learner.gradient(i, problem.lists[i], weights, generator(1, 0, i)) for i in batch
            ])  # fmt: skip
        halves.append(learner.vector())
    mean = np.mean(halves, axis=0)
    assert np.allclose(run.learners[0].vector(), mean, atol=1e-15)
    assert np.array_equal(run.learners[0].vector(), run.learners[1].vector())
    few = tune(msgspec.structs.replace(settings, select=5), problem)
    assert len(few.weights) <= 5 < len(mixed.weights)
    with pytest.raises(ConfigError, match="average = true cannot go with shards"):
        tuner(Online(pieces=msgspec.structs.replace(pieces, average=True), shards=2))


def test_weights_that_all_reach_zero_stop_the_run_and_the_best_are_kept() -> None:
    pieces = Pieces(loss=PAIRS, batch=3, regulariser=L1(strength=1000.0))
    problem = Problem()

    def started() -> Learner:
        learner = Learner(pieces, problem.names)
        learner.start({"good": 1.0})
        return learner

    tuned = OnlineTuner(Online(pieces=pieces, epochs=5), problem, started).run()
    assert "all weights have become 0" in tuned.stopped
    assert tuned.weights == {"good": 1.0}


def test_lists_that_hold_one_score_stop_the_run() -> None:
    tuned = tune(Online(pieces=SMALL, epochs=5), Problem(flat=True))
    assert "hold candidates of one gold score each" in tuned.stopped
    assert tuned.epoch == 0


def test_weights_beyond_all_bounds_stop_the_run() -> None:
    pieces = Pieces(
        loss=Perceptron(),
        updater=Sgd(eta=1e308),
        regulariser=NoRegulariser(),
        gradient="sum",
    )
    tuned = tune(Online(pieces=pieces, epochs=1, delay=0))
    assert "grew beyond all bounds" in tuned.stopped


class Spy(np.ndarray):
    """An array that refuses to be worked on as a whole."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        for value in inputs:
            assert not (isinstance(value, Spy) and value.size >= 100_000), "a whole vector"
        plain = [np.asarray(v) if isinstance(v, Spy) else v for v in inputs]
        out = kwargs.pop("out", None)
        if out is not None:
            kwargs["out"] = tuple(np.asarray(o) if isinstance(o, Spy) else o for o in out)
        return getattr(ufunc, method)(*plain, **kwargs)

    def copy(self, *args: Any, **kwargs: Any) -> Any:
        assert self.size < 100_000, "a whole vector"
        return super().copy(*args, **kwargs)


@pytest.mark.parametrize("regulariser", [L1(), CumulativeL1()], ids=["l1", "cumulative"])
def test_no_update_touches_the_whole_vector(regulariser: AnyRegulariser) -> None:
    learner = Learner(Pieces(regulariser=regulariser), Vocabulary())
    learner.snapshots.keep(2)
    learner.table.reserve(100_000)
    learner.table.data = learner.table.data.view(Spy)
    rng = np.random.default_rng(1)
    for _ in range(10):
        ids = np.unique(rng.integers(0, 100_000, 20)).astype(np.int32)
        learner.update([Gradient(0, ids, rng.normal(size=len(ids)), 1.0, 0.0, True)])
        snapshot = learner.snapshots.take()
        assert len(snapshot.read(ids)) == len(ids)
        snapshot.rows()
        learner.snapshots.give_back(snapshot)
    with pytest.raises(AssertionError, match="a whole vector"):
        np.add(learner.table.data, 1.0)
