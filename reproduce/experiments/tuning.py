"""# Learners of the dense model

One model, many learners. Multi30k German to English is tuned on its development set, whose score
also chooses the epoch.
"""

from __future__ import annotations

from collections.abc import Iterator

from rows import Column, Row
from systems import MULTI30K, tuned_row

SEEDS = (1, 2, 3)
BASELINE = "MERT"


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


COLUMNS = {"multi30k": _columns("test2016", "test2017")}

SYSTEMS: dict[str, list[str]] = {
    "online pairwise": [],
    "online expected BLEU": ["--loss", "expected"],
    "MERT": ["--algorithm", "mert"],
    "PRO": ["--algorithm", "pro"],
    "k-best MIRA": ["--algorithm", "kbmira"],
}


def rows() -> Iterator[Row]:
    """Every system with every seed; the first seed of all comes first."""
    for seed in SEEDS:
        for name, tune in SYSTEMS.items():
            yield tuned_row(MULTI30K, name, tune, seed=seed)
