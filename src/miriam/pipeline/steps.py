"""Steps of a long piece of work, each skipped where it is done already.

A step's fingerprint is a hash of its name, its settings and the fingerprints of what it reads:
the content of a file, or the step that wrote it. Steps compute the same from the same, so a step
that left its outputs under this fingerprint need not run again.
"""

from __future__ import annotations

import fcntl
import hashlib
import resource
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

import msgspec

from miriam.analysis.run import Timing
from miriam.errors import InputError
from miriam.pipeline.watch import Watch
from miriam.version import __version__
from miriam.whole import written_whole

__all__ = ["Step", "Work"]

LOCK = "lock"


class Done(msgspec.Struct, frozen=True):
    """What is written beside the outputs of a step that has ended well."""

    fingerprint: str
    sizes: dict[str, int]  # of the outputs, in bytes
    seconds: float = 0.0  # what it took
    memory: int = 0
    note: str = ""


class Work:
    """A folder in which steps leave what they made; only one process at a time has it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for _ in range(2):
    ...         with Work(Path(folder)) as work:
    ...             step = work.step("greet", settings="hello", reads=[], makes=["a.txt"])
    ...             step.run(lambda: (Path(folder) / "a.txt").write_text("hello") and "a word")
    ...             print(step.name, work.skipped, step.timing.note)
    greet [] a word
    greet ['greet'] a word
    """

    def __init__(self, folder: Path, watch: Watch | None = None) -> None:
        self.folder = folder
        self.watch = watch or Watch()
        self.skipped: list[str] = []
        self.timings: list[Timing] = []  # of the steps that are done, also of those skipped
        self.files: set[str] = set()  # that steps make
        self._made_by: dict[str, str] = {}  # file: fingerprint of the step that makes it
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise InputError("a file, where a folder is needed for the work", path=folder) from None
        self._lock = self.path(LOCK).open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise InputError(
                "another training is at work in this folder; wait for it, or give --work another",
                path=folder,
            ) from None
        self._sweep()

    def _sweep(self) -> None:
        """Remove what a training that was killed was writing under other names."""
        for path in self.folder.glob(".*"):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def __enter__(self) -> Work:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._lock.close()

    def path(self, name: str) -> Path:
        """Where a file of the work is."""
        return self.folder / name

    def paths(self, *names: str) -> list[Path | str]:
        """Where some files of the work are."""
        return [self.path(name) for name in names]

    def step(
        self, name: str, *, settings: object, reads: Sequence[Path | str], makes: Sequence[str]
    ) -> Step:
        """A step that reads files, of this work or of elsewhere, and makes files of this work."""
        parts = [__version__, name, msgspec.json.encode(settings).decode()]
        parts += [self._made_by.get(str(path)) or _content(Path(path)) for path in reads]
        fingerprint = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        self.files.update(makes)
        for made in makes:
            self._made_by[str(self.path(made))] = f"{fingerprint} {made}"
        return Step(self, name, fingerprint, makes)


class Step:
    """One step: `done`, or to be `run`."""

    def __init__(self, work: Work, name: str, fingerprint: str, makes: Sequence[str]) -> None:
        self.work, self.name = work, name
        self.fingerprint, self.makes = fingerprint, makes
        self.record = work.path(f"{name}.done.json")
        self._found = self._read()

    @property
    def done(self) -> bool:
        """Whether its outputs are there."""
        return self._found is not None

    @property
    def timing(self) -> Timing:
        """What the step took when it was done, which may be long ago, and what it made."""
        found = self._found or Done("", {})
        return Timing(
            step=self.name, seconds=found.seconds, memory=found.memory,
            bytes=sum(found.sizes.values()), note=found.note,
        )  # fmt: skip

    def run(self, task: Callable[[], str | None]) -> None:
        """Do the work, unless it is done, and remember that it is, and what it says of itself."""
        skipped = self.done
        if skipped:
            self.work.skipped.append(self.name)
        else:
            self._run(task)
        self.work.timings.append(self.timing)
        self.work.watch.end(self.timing, skipped=skipped)

    def _run(self, task: Callable[[], str | None]) -> None:
        self.work.watch.begin(self.name)
        self.record.unlink(missing_ok=True)
        started = time.monotonic()
        note = task() or ""
        seconds = time.monotonic() - started
        found = Done(self.fingerprint, self._sizes(), seconds, _peak_memory(), note)
        with written_whole([self.record]) as (temporary,):
            temporary.write_bytes(msgspec.json.encode(found))
        self._found = found

    def _read(self) -> Done | None:
        """What was written beside the outputs, if they are those of this step."""
        try:
            found = msgspec.json.decode(self.record.read_bytes(), type=Done)
            same = (found.fingerprint, found.sizes) == (self.fingerprint, self._sizes())
        except (OSError, msgspec.MsgspecError):
            return None
        return found if same else None

    def _sizes(self) -> dict[str, int]:
        return {name: self.work.path(name).stat().st_size for name in self.makes}


def _peak_memory() -> int:
    """The most memory that this process has had in use, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def _content(path: Path) -> str:
    """A hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
