"""# Learners of the dense model

One model with the 19 dense features, many learners. Multi30k German to English is tuned on its
development set, whose score also chooses the epoch; bible-ar-en on `tune` with four references, and
`dev` chooses the epoch.

The online learners are the pairwise logistic loss and the expected metric with AdaGrad and L1
(Green et al. 2013 and 2014); the rows below them exchange one piece of the first, or its schedule.
In the rows so far search looked at all rules of a phrase, not at the 100 most frequent of now.
"""

from __future__ import annotations

from collections.abc import Iterator

from rows import Column, Row
from systems import BIBLE, MULTI30K, tuned_row

SEEDS = (1, 2, 3)
BASELINE = "MERT"


def _set(piece: str, value: object) -> list[str]:
    return ["--set", f"learner.pieces.{piece}={value}"]


def _columns(*tests: str) -> tuple[Column, ...]:
    return (
        Column("epochs", "epochs", ".0f"),
        Column("CPU s", "cpu", ".0f"),
        Column("wall s", "wall", ".0f"),
        Column("dev", "bleu.dev"),
        *(Column(test, f"bleu.{test}") for test in tests),
        *(Column(f"length {test}", f"ratio.{test}", ".3f") for test in tests),
        Column("first near best", "near", ".1f"),
        Column("CPU s to best", "cpu_best", ".0f"),
        Column("features", "features", ",.0f"),
    )


COLUMNS = {
    "multi30k": _columns("test2016", "test2017"),
    "bible": _columns("test1", "test2"),
}

SGD = ["--updater", "sgd", "--regulariser", "none"]
MAIN: dict[str, list[str]] = {
    "online pairwise": [],
    "online expected BLEU": ["--loss", "expected", *_set("updater.eta", 0.1)],
    "MERT": ["--algorithm", "mert"],
    "PRO": ["--algorithm", "pro"],
    "k-best MIRA": ["--algorithm", "kbmira"],
}
PIECES: dict[str, list[str]] = {
    "SGD": [*SGD, *_set("updater.eta", 0.1), *_set("updater.schedule", "1/sqrt(t)")],
    "MIRA": ["--algorithm", "mira"],
    "AROW": ["--algorithm", "arow"],
    "AROW, linearised": ["--updater", "arow-linearised"],
    "perceptron, parameter mixing": ["--algorithm", "perceptron", *_set("average", "false"),
                                     "--set", "learner.shards=4"],
    "L1 once an epoch": _set("regulariser.every", "epoch"),
    "delay 0": ["--set", "learner.delay=0"],
    "delay 16": ["--set", "learner.delay=16"],
    "free-running": ["--set", "learner.schedule=free"],
}  # fmt: skip


def rows() -> Iterator[Row]:
    """Every system with every seed; the first seed of all comes first."""
    for seed in SEEDS:
        for systems in (MAIN, PIECES):
            for data in (MULTI30K, BIBLE):
                for name, tune in systems.items():
                    threads = 2 if name.startswith("online") else 1
                    yield tuned_row(data, name, tune, seed=seed, threads=threads)
