"""What every benchmark shares: rows of the table, timing, and the memory of a process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

__all__ = ["SHARED", "Row", "Usage", "best_seconds", "kenlm_program", "run_process", "run_python"]

LAUNCHER = Path(__file__).with_name("launch.py")
SHARED = Path(os.environ.get("MIRIAM_SHARED", Path(__file__).resolve().parents[2] / "shared"))


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table: what was measured, ours, and a peer's figure from the same run."""

    what: str
    ours: float
    unit: str  # "s", "CPU s", "MB", "words/s", …
    target: str = ""  # as an issue or a decision states it, such as "< 300 MB"
    peer: str = ""
    theirs: float | None = None


@dataclass(frozen=True)
class Usage:
    """What a process took."""

    wall: float  # seconds
    cpu: float  # seconds, user and system
    peak_mb: float  # resident set size at its highest


def best_seconds(task: Callable[[], object], *, repeat: int = 5) -> float:
    """The shortest of several wall times of a call."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def kenlm_program(name: str) -> str | None:
    """One of KenLM's programs, which are looked for in $KENLM_BIN and on the PATH."""
    return shutil.which(name, path=os.environ.get("KENLM_BIN"))


def run_process(
    command: Sequence[str | Path], *, repeat: int = 1, stdin: IO[bytes] | None = None
) -> Usage:
    """The best time and the highest memory of several runs of a command."""
    usages = []
    for _ in range(repeat):
        launch = [sys.executable, "-S", str(LAUNCHER), *map(str, command)]
        if stdin is not None:
            stdin.seek(0)
        result = subprocess.run(launch, stdin=stdin, capture_output=True, text=True, check=True)
        taken = json.loads(result.stdout)
        if taken.pop("status"):
            raise RuntimeError(f"{command} failed: {result.stderr}")
        usages.append(Usage(**taken))
    return Usage(
        min(u.wall for u in usages), min(u.cpu for u in usages), max(u.peak_mb for u in usages)
    )


def run_python(code: str, *, repeat: int = 1) -> Usage:
    """The same for a piece of Python in a fresh interpreter."""
    return run_process([sys.executable, "-c", code], repeat=repeat)
