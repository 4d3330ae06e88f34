"""How fast the learner works: MERT's line search, updates, a list's sampling and gradient."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from harness import Row, best_seconds
from miriam._core import tune as core
from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune.batch import Mert
from miriam.tune.batch.mert import line_search
from miriam.tune.batch.pool import Pool
from miriam.tune.files import read_nbest
from miriam.tune.gold import corpus_bleu
from miriam.tune.learner import Gradient, Learner, Pieces, Scored
from miriam.tune.lists import RowList
from miriam.tune.losses import Expected
from miriam.tune.pairs import generator
from miriam.tune.regularisers import Oscar
from miriam.tune.updaters import Sgd

THREADS = os.cpu_count() or 1


def rows() -> Iterator[Row]:
    yield from _mert()
    yield from _updates()
    yield from _oscar()
    yield from _lists()
    yield from _files()


def _pool(sentences: int, candidates: int, features: int) -> Pool:
    """Lists in which a hidden direction is good; statistics are BLEU's."""
    rng = np.random.default_rng(1)
    hidden = rng.normal(size=features)
    offsets = np.arange(candidates + 1, dtype=np.int64) * features
    ids = np.tile(np.arange(features, dtype=np.int32), candidates)
    lists = []
    for _ in range(sentences):
        values = rng.normal(size=(candidates, features))
        quality = values @ hidden / np.sqrt(features) + rng.normal(size=candidates)
        matches = np.clip(np.round(6 + quality[:, None] - np.arange(4)), 0, [12, 11, 10, 9])
        lengths = np.tile([12.0, 12.0], (candidates, 1))
        totals = np.tile([12.0, 11.0, 10.0, 9.0], (candidates, 1))
        stats = np.hstack([lengths, matches, totals])
        lists.append(Scored(RowList(offsets, ids, values.ravel()), stats, matches[:, 0] / 12))
    return Pool(lists, corpus_bleu)


def _mert() -> Iterator[Row]:
    what = "MERT on 1,000 × 1,000 candidates × 20 features"
    pool = _pool(1000, 1000, 20)
    mert = Mert()
    surface = mert.surface(pool, seed=1)
    rng = np.random.default_rng(2)
    scores = core.combine(surface.columns, rng.normal(size=20), 1)
    direction = rng.normal(size=20)

    def search() -> None:
        line_search(surface, scores, core.combine(surface.columns, direction, 1), mert)

    seconds = best_seconds(search, repeat=7)
    yield Row(what=f"{what}: a direction", ours=seconds, unit="s", target="< 0.1 s")
    start = time.perf_counter()
    mert.learn(pool, np.ones(20) / 20, threads=THREADS)
    seconds = time.perf_counter() - start
    yield Row(
        what=f"{what}: 20 restarts to convergence, {THREADS} threads",
        ours=seconds, unit="s", target="< 60 s",
    )  # fmt: skip


def _updates() -> Iterator[Row]:
    """A mini-batch's update; half of what fires is of a thousand frequent features."""
    seconds = []
    for known in (10_000, 10_000_000):
        rng = np.random.default_rng(3)
        learner = Learner(Pieces(), Vocabulary())
        learner.table.reserve(known)
        learner.table.data[:] = 1e-3  # touched: pages and all
        batches = []
        for _ in range(60):
            gradients = []
            for sentence in range(20):
                ids = np.unique(np.append(rng.integers(0, 1000, 100), rng.integers(0, known, 100)))
                values = rng.normal(size=len(ids))
                gradients.append(Gradient(sentence, ids.astype(np.int32), values, 1.0, 0.0, True))
            batches.append(gradients)
        times = []
        for gradients in batches:
            start = time.perf_counter()
            learner.update(gradients)
            times.append(time.perf_counter() - start)
        seconds.append(float(np.median(times)))
    for name, value in zip(("10 thousand", "10 million"), seconds, strict=True):
        yield Row(
            what=f"update of 20 sentences × 200 features, {name} known",
            ours=1e3 * value, unit="ms",
        )  # fmt: skip
    yield Row(what="their ratio", ours=seconds[1] / seconds[0], unit="times", target="< 2 times")


def _oscar() -> Iterator[Row]:
    """The proximal step alone, and the learner's update with it, by what is known and not 0."""
    alive = 500_000
    rng = np.random.default_rng(5)
    oscar = Oscar(lambda2=1e-9, features=("",))
    weights = rng.normal(size=alive)
    oscar.step(weights, 1.0, alive)  # SciPy is loaded
    seconds = best_seconds(lambda: oscar.step(weights, 1.0, 10_000_000), repeat=7)
    yield Row(
        what="OSCAR's step over 500 thousand weights", ours=1e3 * seconds, unit="ms",
        target="< 50 ms",
    )  # fmt: skip
    times = []
    for known in (alive, 10_000_000):
        names = Numbered(known)
        learner = Learner(Pieces(updater=Sgd(eta=1e-3), regulariser=oscar, gradient="sum"), names)
        learner.table.reserve(known)
        ids = np.sort(rng.choice(known, alive, replace=False)).astype(np.int32)
        gradient = Gradient(0, ids, rng.normal(size=alive), 1.0, 0.0, True)
        learner.update([gradient])
        few = gradient._replace(ids=ids[::250], values=gradient.values[::250])
        times.append(best_seconds(lambda: learner.update([few]), repeat=7))  # noqa: B023
    for name, value in zip(("500 thousand", "10 million"), times, strict=True):
        yield Row(
            what=f"update with OSCAR, 500 thousand weights, {name} known", ours=1e3 * value,
            unit="ms",
        )  # fmt: skip
    yield Row(what="their ratio with OSCAR", ours=times[1] / times[0], unit="times")


class Numbered:
    """Names of features that are only numbers."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size

    def word(self, id: int) -> str:  # noqa: A002  # the protocol's own name for it
        return str(id)

    def find(self, word: str) -> int | None:
        return int(word)

    def add(self, word: str) -> int:
        return int(word)


def _lists() -> Iterator[Row]:
    """Sampling, loss, gradient, and their share of an update, for one list."""
    for features, kind in ((20, "20 dense"), (200, "200 sparse")):
        pool = _pool(40, 200, features)
        for loss, name in ((Pieces().loss, "pairwise logistic"), (Expected(), "expected")):
            learner = Learner(Pieces(loss=loss), Vocabulary())
            learner.table.reserve(features)

            def batches(learner: Learner = learner, pool: Pool = pool) -> None:
                for begin in (0, 20):
                    weights = learner.snapshots.take()
                    lists = enumerate(pool.lists[begin : begin + 20])
                    learner.update([
                        learner.gradient(i, scored, weights, generator(1, i)) for i, scored in lists
                    ])  # fmt: skip

            yield Row(
                what=f"learning from a 200-best list, {kind} features, {name}",
                ours=1e3 * best_seconds(batches, repeat=7) / 40, unit="ms",
            )  # fmt: skip


def _files() -> Iterator[Row]:
    rng = np.random.default_rng(4)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "nbest"
        with path.open("w") as out:
            for i in range(100_000):
                values = " ".join(f"{v:.5f}" for v in rng.normal(size=17))
                out.write(
                    f"{i // 100} ||| a man with a hat is standing in the rain ||| TM= {values} "
                    "LM= -32.5 Distortion= -4 WordPenalty= -9 ||| -102.3\n"
                )
        seconds = best_seconds(lambda: list(read_nbest(path, Vocabulary())), repeat=2)
    yield Row(
        what="reading 1,000 × 100 candidates × 20 features in Moses' format",
        ours=seconds, unit="s", target="< 2 s",
    )  # fmt: skip
