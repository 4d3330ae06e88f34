"""A run of many steps as a person sees it: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from miriam.analysis.run import Timing
from miriam.pipeline.watch import Watch
from miriam.tune.monitor import Record, render

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

__all__ = ["duration", "memory_size", "watched"]

EVERY = 30.0  # seconds between two lines on one piece of work, where there is no terminal
TOLD = ("epoch", "step", "groups")  # records of a learner that are lines for a person


@contextmanager
def watched() -> Iterator[Watch]:
    """What shows a run on standard error until the block ends."""
    if not sys.stderr.isatty():
        yield Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    columns = (
        TextColumn("{task.fields[step]:<12}", style="bold", markup=False),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[rate]}", style="dim", markup=False),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield LiveLine(progress, console)


def duration(seconds: float) -> str:
    """Seconds as people say them.

    >>> [duration(seconds) for seconds in (0.04, 7.25, 61, 3725)]
    ['0.0 s', '7.2 s', '1 min 01 s', '1 h 02 min']
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return (
        f"{minutes} min {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"
    )


def memory_size(size: float) -> str:
    """Bytes as people say them.

    >>> [memory_size(size) for size in (0, 5_300, 220_000_000, 5.2e9)]
    ['', '5 kB', '220 MB', '5.2 GB']
    """
    if not size:
        return ""
    if size < 1e6:
        return f"{size / 1e3:.0f} kB"
    return f"{size / 1e6:.0f} MB" if size < 1e9 else f"{size / 1e9:.1f} GB"


class LiveLine(Watch):
    """A line that changes while a step goes on, and stays when it has ended."""

    def __init__(self, progress: Progress, console: Console) -> None:
        self.progress, self.console = progress, console
        self.step, self.what = "", ""
        self.task: TaskID | None = None
        self.first, self.started = 0, time.monotonic()

    def begin(self, step: str) -> None:
        """Show the step."""
        self.step, self.what = step, ""
        self._show("", 0, 0)

    def report(self, what: str, done: int, total: int) -> None:
        """Show how far it has come, how fast, and what time is left."""
        if self.task is None or what != self.what:
            self._show(what, done, total)
        elapsed = time.monotonic() - self.started
        rate = (done - self.first) / elapsed if elapsed > 0.5 else 0.0
        shown = f"{rate:,.0f}/s" if rate >= 10 else ""
        if self.task is not None:
            self.progress.update(self.task, completed=done, total=total or None, rate=shown)

    def _show(self, what: str, done: int, total: int) -> None:
        self._clear()
        self.what, self.first, self.started = what, done, time.monotonic()
        self.task = self.progress.add_task(
            what, total=total or None, completed=done, step=self.step, rate=""
        )

    def _clear(self) -> None:
        if self.task is not None:
            self.progress.remove_task(self.task)
            self.task = None

    def say(self, sentence: str) -> None:
        """Print a sentence above the line."""
        self.console.print(sentence, style="dim")

    def log(self, record: Record) -> None:
        """Print an epoch above the line."""
        if record["event"] in TOLD:
            self.console.print(f"{'':<13}{render(record)}", style="dim")

    def end(self, timing: Timing, *, skipped: bool = False) -> None:
        """Print what the step has made, where the line was."""
        from rich.text import Text

        self._clear()
        took = "as before" if skipped else duration(timing.seconds)
        line = Text.assemble((f"{timing.step:<13}", "bold"), f"{took:>12}  {timing.note}")
        self.console.print(line)


class Lines(Watch):
    """A line for each step and each epoch, and now and then one on how far a step has come."""

    def __init__(self) -> None:
        self.step, self.what = "", ""
        self.first, self.started, self.told = 0, 0.0, 0.0

    def begin(self, step: str) -> None:
        """Only remember it."""
        self.step, self.told = step, time.monotonic()

    def report(self, what: str, done: int, total: int) -> None:
        """Print how far it has come, not often."""
        now = time.monotonic()
        if what != self.what:
            self.what, self.first, self.started = what, done, now
        if now - self.told < EVERY:
            return
        self.told = now
        line = f"{self.step}: {what}"
        if total and done > self.first:
            rate = (done - self.first) / max(now - self.started, 1e-9)
            line += f", {done / total:.0%}, {duration((total - done) / rate)} left"
        self.say(line)

    def say(self, sentence: str) -> None:
        """Print a sentence."""
        print(sentence, file=sys.stderr, flush=True)

    def log(self, record: Record) -> None:
        """Print an epoch."""
        if record["event"] in TOLD:
            self.say(render(record))

    def end(self, timing: Timing, *, skipped: bool = False) -> None:
        """Print what the step took and made."""
        took = "as before" if skipped else duration(timing.seconds)
        self.say(f"{timing.step}: {took}" + (f", {timing.note}" if timing.note else ""))
