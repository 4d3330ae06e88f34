"""# Word classes with and without clipping

The English training text of the Bible into 512 classes, by one-sided exchange until no word moves,
or 30 passes. Digits as 0 and rare words as `<unk>` reduce the vocabulary (Green et al. 2014);
the objective is comparable only between texts with the same words, so the gain over the first
classes is shown beside it.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from pathlib import Path

from miriam.lexicon.cluster import ClusterSettings, exchange
from miriam.text.files import read_lines
from rows import Column, Figures, Row
from systems import SHARED

BASELINE = None
COLUMNS = {
    "bible": (
        Column("words", "words", ",.0f"),
        Column("fewer", "fewer", ".1%"),
        Column("passes", "passes", ".0f"),
        Column("CPU s", "cpu", ".0f"),
        Column("objective", "objective", ",.0f"),
        Column("gain", "gain", ",.0f"),
    )
}
SYSTEMS = {
    "digits as 0, fewer than 5 as <unk>": ClusterSettings(),
    "digits as 0": ClusterSettings(clip=0),
    "words as they are": ClusterSettings(clip=0, zero_digits=False),
}


def rows() -> Iterator[Row]:
    """Each kind of text."""
    for name, settings in SYSTEMS.items():
        described = {"clip": settings.clip, "zero_digits": settings.zero_digits}
        yield Row(data="bible", name=name, settings=described, measure=_measure(settings))


def _measure(settings: ClusterSettings) -> Callable[[Path], Figures]:
    def measure(_: Path) -> Figures:
        lines = list(read_lines(SHARED / "data" / "bible-ar-en" / "train.en.gz"))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        found = exchange(lines, settings)
        cpu = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
        first, last = found.passes[0].objective, found.passes[-1].objective
        return {
            "words": found.words, "fewer": round(1 - found.words / found.types, 4),
            "passes": len(found.passes) - 1, "cpu": round(cpu, 1),
            "objective": round(last), "gain": round(last - first),
        }  # fmt: skip

    return measure
