"""Progress on standard error: a bar on a terminal, a line a step elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from miriam.progress import Report

__all__ = ["show_progress"]


@contextmanager
def show_progress() -> Iterator[Report]:
    """A `Report` for the steps of a command, shown until the block ends."""
    if sys.stderr.isatty():
        with _bar() as report:
            yield report
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        tasks: dict[str, int] = {}

        def report(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = progress.add_task(step, total=None)
            progress.update(progress.task_ids[tasks[step]], completed=done, total=total or None)

        yield report


def _lines() -> Report:
    """A line for each step when it is done, with the seconds since the last one."""
    started, last = time.monotonic(), ""

    def report(step: str, done: int, total: int) -> None:
        nonlocal started, last
        if done >= total > 0 and step != last:
            last, now = step, time.monotonic()
            print(f"{step}: {now - started:.1f} s", file=sys.stderr, flush=True)
            started = now

    return report
