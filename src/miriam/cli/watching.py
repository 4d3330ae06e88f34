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

__all__ = ["Pace", "duration", "memory_size", "watched"]

SOON = 0.5  # seconds before a rate is worth telling
EVERY = 30.0  # seconds between two lines on one piece of work, where there is no terminal
TOLD = ("epoch", "step", "inner")  # records of a learner that are lines for a person


@contextmanager
def watched() -> Iterator[Watch]:
    """What shows a run on standard error until the block ends."""
    if not sys.stderr.isatty():
        yield Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    columns = (
        TextColumn("{task.fields[step]:<15}", style="bold", markup=False),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[pace]}", style="dim", markup=False),
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


class Pace:
    """How fast a piece of work goes on, and how long it has to.

    >>> pace = Pace()
    >>> pace.see("aligning", 100, 1000, now=10.0)
    >>> pace.see("aligning", 300, 1000, now=12.0)
    >>> str(pace)
    '100/s, 7.0 s left'
    """

    def __init__(self) -> None:
        self.what = ""
        self.rate = self.left = 0.0
        self._first, self._started = 0, 0.0

    def see(self, what: str, done: int, total: int, *, now: float) -> None:
        """Take up how far it has come; what has another name begins anew."""
        if what != self.what:
            self.what, self._first, self._started = what, done, now
        elapsed = now - self._started
        self.rate = (done - self._first) / elapsed if elapsed > SOON else 0.0
        self.left = (total - done) / self.rate if total and self.rate else 0.0

    def __str__(self) -> str:
        rate = f"{self.rate:,.0f}/s" if self.rate >= 10 else ""
        left = f"{duration(self.left)} left" if self.left else ""
        return ", ".join(filter(None, (rate, left)))


class LiveLine(Watch):
    """A line that changes while a step goes on, and stays when it has ended."""

    def __init__(self, progress: Progress, console: Console) -> None:
        self.progress, self.console = progress, console
        self.step, self.pace = "", Pace()
        self.task: TaskID | None = None

    def begin(self, step: str) -> None:
        """Show the step."""
        self.step, self.pace = step, Pace()
        self._clear()
        self.task = self.progress.add_task("", total=None, step=step, pace="")

    def report(self, what: str, done: int, total: int) -> None:
        """Show how far it has come, how fast, and what time is left."""
        self.pace.see(what, done, total, now=time.monotonic())
        if self.task is not None:
            self.progress.update(
                self.task, description=what, completed=done, total=total or None,
                pace=str(self.pace),
            )  # fmt: skip

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
            self.console.print(f"{'':<16}{render(record)}", style="dim")

    def end(self, timing: Timing, *, skipped: bool = False) -> None:
        """Print what the step has made, where the line was."""
        from rich.text import Text

        self._clear()
        took = "as before" if skipped else duration(timing.seconds)
        line = Text.assemble((f"{timing.step:<16}", "bold"), f"{took:>12}  {timing.note}")
        self.console.print(line)


class Lines(Watch):
    """A line for each step and each epoch, and now and then one on how far a step has come."""

    def __init__(self) -> None:
        self.step, self.pace, self.told = "", Pace(), 0.0

    def begin(self, step: str) -> None:
        """Only remember it."""
        self.step, self.pace, self.told = step, Pace(), time.monotonic()

    def report(self, what: str, done: int, total: int) -> None:
        """Print how far it has come, not often."""
        now = time.monotonic()
        self.pace.see(what, done, total, now=now)
        if now - self.told >= EVERY:
            self.told = now
            share = f"{done / total:.0%}" if total else ""
            self.say(f"{self.step}: " + ", ".join(filter(None, (what, share, str(self.pace)))))

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
