"""How a run of any learner goes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from miriam.progress import Report, silent
from miriam.tune.monitor import Log, no_log

__all__ = ["Run"]


class Run(NamedTuple):
    """How a run goes, whatever it learns."""

    seed: int = 1
    threads: int = 1
    log: Log = no_log
    checkpoint: Path | None = None  # of online learners
    report: Report = silent  # how far online learners have come
