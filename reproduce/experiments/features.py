"""# Sparse and extended features

Named sets of feature templates, tuned online (logistic loss on sampled pairs, AdaGrad, L1) against
the dense features tuned by MERT and online. PT, AL and LO are those of Green et al. (2013), E, F
and D those of Green et al. (2014). The development set chooses the epoch.

bible: Arabic to English, tuned on 2,032 verses with four references. D has six kinds of text as
domains: by the gold labels of the training text, or by labels that feature-decay selection gives
to 20 times as many lines as the tuning set has of a kind, with history as the default domain.

multi30k-half, multi30k-5000: German to English with one reference, trained on the same 23,992
pairs, tuned on half of the development set, or on 5,000 pairs set aside from the training text.
The other half of the development set chooses the epoch. There are no domains, and so no D.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from data_parts import BIBLE_FDA, BIBLE_GOLD, MULTI30K_5000, MULTI30K_HALF
from rows import Column, Row
from systems import Data, tuned_row

SEEDS = (1, 2, 3)
BASELINE = ("MERT dense", "online dense")


def _columns(*tests: str) -> tuple[Column, ...]:
    return (
        Column("dev", "bleu.dev"),
        *(Column(test, f"bleu.{test}") for test in tests),
        *(Column(f"length {test}", f"ratio.{test}", ".3f") for test in tests),
        Column("weights", "features", ",.0f"),
        Column("best epoch", "best", ".1f"),
        Column("epochs", "epochs", ".0f"),
        Column("CPU s", "cpu", ",.0f"),
    )


COLUMNS = {
    "bible": _columns("test1", "test2"),
    "multi30k-half": _columns("test2016", "test2017"),
    "multi30k-5000": _columns("test2016", "test2017"),
}

# Epochs and patience are the same for all, so that nobody wins by training for longer.
ONLINE = ["--set", "learner.epochs=10", "--set", "learner.patience=3"]
PT = 'features.templates=[{kind="rule-indicator"}]'
SETS: dict[str, list[str]] = {
    "MERT dense": ["--features", "dense", "--algorithm", "mert"],
    "online dense": ["--features", "dense", *ONLINE],
    "PT": ["--features", "dense", "--model-set", PT, *ONLINE],
    "PT+AL+LO": ["--features", "2013", *ONLINE],
    "E": ["--features", "extended", *ONLINE],
    "E+F": ["--features", "extended+lexical", *ONLINE],
}
DOMAINS = ["--features", "domains", *ONLINE]
DEFAULT = ["--model-set", "features.default_domain=history"]
TRAIN = ["--set", "features.set=domains"]


def rows() -> Iterator[Row]:
    """Every system with every seed; the first seed of all comes first."""
    for seed in SEEDS:
        yield from _rows(BIBLE_GOLD, seed, TRAIN)
        yield tuned_row(BIBLE_GOLD, "E+F+D, gold labels", DOMAINS, seed=seed, train=TRAIN)
        yield tuned_row(
            BIBLE_FDA, "E+F+D, FDA labels", [*DOMAINS, *DEFAULT], seed=seed,
            train=[*TRAIN, "--set", "features.default_domain=history"],
        )  # fmt: skip
    for seed in SEEDS:
        for data in (MULTI30K_HALF, MULTI30K_5000):
            rich = ["--set", "features.set=extended+lexical"]
            for row in _rows(replace(data, name="multi30k"), seed, rich):
                yield replace(row, data=data.name)


def _rows(data: Data, seed: int, train: list[str]) -> Iterator[Row]:
    for name, tune in SETS.items():
        yield tuned_row(data, name, tune, seed=seed, train=train)
