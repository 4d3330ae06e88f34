"""Who is told how a run goes: a person at a terminal, a log, or nobody."""

from __future__ import annotations

from pathlib import Path
from time import strftime
from typing import IO

from miriam.analysis.run import Timing
from miriam.progress import Report
from miriam.tune.monitor import Record, render

__all__ = ["Logbook", "Reporting", "Watch"]


class Watch:
    """Is told of all, and shows nothing: what a run is watched by unless one asks for more."""

    def begin(self, step: str) -> None:
        """A step begins, which is not done yet."""

    def report(self, what: str, done: int, total: int) -> None:
        """How far a piece of the step has come (total 0: not known)."""

    def say(self, sentence: str) -> None:
        """What a person should know: what was chosen, and why."""

    def log(self, record: Record) -> None:
        """What a learner tells."""

    def end(self, timing: Timing, *, skipped: bool = False) -> None:
        """A step has ended, perhaps long ago."""


class Reporting(Watch):
    """Tells a `Report`, and nobody else."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def report(self, what: str, done: int, total: int) -> None:
        """Pass it on."""
        self._report(what, done, total)


class Logbook(Watch):
    r"""Writes what it is told to a file, a line each, and passes it on.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     logbook = Logbook(Path(folder, "log.txt"), Watch())
    ...     logbook.say("all is well")
    ...     logbook.close()
    ...     Path(folder, "log.txt").read_text().split(" ", 2)[2]
    'all is well\n'
    """

    def __init__(self, path: Path, watch: Watch) -> None:
        self.watch = watch
        self._file: IO[str] = path.open("a", encoding="utf-8", errors="backslashreplace")

    def begin(self, step: str) -> None:
        """Write that a step begins."""
        self.note(f"{step} begins")
        self.watch.begin(step)

    def report(self, what: str, done: int, total: int) -> None:
        """Only pass it on: it comes ten times a second."""
        self.watch.report(what, done, total)

    def say(self, sentence: str) -> None:
        """Write a sentence."""
        self.note(sentence)
        self.watch.say(sentence)

    def log(self, record: Record) -> None:
        """Write a learner's record as a person reads it."""
        self.note(render(record))
        self.watch.log(record)

    def end(self, timing: Timing, *, skipped: bool = False) -> None:
        """Write what the step took and made."""
        how = "was done before" if skipped else f"took {timing.seconds:.1f} s"
        self.note(f"{timing.step} {how}" + (f": {timing.note}" if timing.note else ""))
        self.watch.end(timing, skipped=skipped)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def note(self, text: str) -> None:
        """Write a line that is for the file alone."""
        self._file.write(f"{strftime('%Y-%m-%d %H:%M:%S')} {text}\n")
        self._file.flush()
