"""The run folder: what one run of training or tuning leaves for those who ask about it later.

`DIR/runs/NAME/` of a model has, as far as there is something to say:

    log.jsonl             what the learner told, a JSON object a line (`tune.monitor`)
    *.toml                the resolved settings
    weights.txt           the weights that came out
    weights.untuned.txt   those it began with
    timings.json          a `Timing` for each step
    scores.json           a `Score` for each test set and metric
    about.json            versions, seed, threads (`About`)
"""

from __future__ import annotations

import platform
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from miriam.errors import InputError
from miriam.features.weights import read_weights
from miriam.text.files import read_lines
from miriam.tune.monitor import Record
from miriam.version import __version__
from miriam.whole import written_whole

__all__ = [
    "LOG",
    "RUNS",
    "SCORES",
    "About",
    "Epoch",
    "Run",
    "Score",
    "Timing",
    "about",
    "find_runs",
    "read_run",
    "write_json",
]

RUNS = "runs"
LOG, TIMINGS, ABOUT, SCORES = "log.jsonl", "timings.json", "about.json", "scores.json"
WEIGHTS, UNTUNED = "weights.txt", "weights.untuned.txt"


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """What a step took."""

    step: str
    seconds: float  # by the clock
    memory: int = 0  # bytes: the most that the process had in use until the step ended
    bytes: int = 0  # of the files that it made
    note: str = ""  # what it made, in words


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What a model reached on a test set."""

    test: str
    metric: str
    score: float
    untuned: float | None = None  # the same with the weights before tuning
    signature: str = ""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What a run was made by."""

    miriam: str = ""
    python: str = ""
    numpy: str = ""
    seed: int | None = None
    threads: int | None = None
    started: str = ""  # in UTC, ISO 8601


class Epoch(msgspec.Struct, frozen=True, kw_only=True):
    """An epoch of an online learner, or a step of a batch learner."""

    epoch: int
    score: float | None = None
    length_ratio: float | None = None
    features: int | None = None  # that have a weight other than 0
    seconds: float | None = None
    split: dict[str, float] = {}  # seconds by kind of work (`tune.clock.Work`)


def about(*, seed: int | None = None, threads: int | None = None) -> About:
    """What to say of a run that begins now.

    >>> about(seed=3).seed
    3
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return About(
        miriam=__version__, python=platform.python_version(), numpy=np.__version__,
        seed=seed, threads=threads, started=now,
    )  # fmt: skip


def write_json(path: Path, what: About | Sequence[Timing | Score]) -> None:
    """Write `about.json`, `timings.json` or `scores.json`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_json(Path(folder, "timings.json"), [Timing(step="align", seconds=1.5)])
    ...     "align" in Path(folder, "timings.json").read_text()
    True
    """
    with written_whole([path]) as (temporary,):
        temporary.write_bytes(msgspec.json.format(msgspec.json.encode(what)) + b"\n")


@dataclass(frozen=True)
class Run:
    """A run folder, read when it is asked."""

    folder: Path

    @property
    def name(self) -> str:
        """What people call it."""
        return self.folder.name

    @cached_property
    def log(self) -> list[Record]:
        """All that the learner told."""
        return list(_records(self.folder / LOG))

    @cached_property
    def epochs(self) -> list[Epoch]:
        """The epochs, or the steps of a batch learner, in order."""
        told = [r for r in self.log if r.get("event") in ("epoch", "step")]
        return [_epoch(record, self.folder / LOG) for record in told]

    @property
    def best(self) -> Epoch | None:
        """The first epoch with the highest score; without scores the last."""
        scored = [e for e in self.epochs if e.score is not None]
        if scored:
            return max(scored, key=lambda e: e.score if e.score is not None else -np.inf)
        return self.epochs[-1] if self.epochs else None

    @cached_property
    def settings(self) -> dict[str, Any]:
        """All settings by their path, those of every `.toml` file."""
        found: dict[str, Any] = {}
        for file in sorted(self.folder.glob("*.toml")):
            try:
                found.update(_flat(tomllib.loads(file.read_text(encoding="utf-8")), ()))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise InputError(f"not valid TOML: {error}", path=file) from None
        return found

    @cached_property
    def weights(self) -> dict[str, float] | None:
        """The weights that came out."""
        return self._weights(WEIGHTS)

    @cached_property
    def untuned(self) -> dict[str, float] | None:
        """The weights it began with."""
        return self._weights(UNTUNED)

    def _weights(self, name: str) -> dict[str, float] | None:
        path = self.folder / name
        return read_weights(path) if path.is_file() else None

    @cached_property
    def timings(self) -> list[Timing]:
        """What each step took."""
        return _decoded(self.folder / TIMINGS, list[Timing]) or []

    @cached_property
    def scores(self) -> list[Score]:
        """What the model reached on test sets."""
        return _decoded(self.folder / SCORES, list[Score]) or []

    @cached_property
    def about(self) -> About:
        """Versions, seed and threads."""
        return _decoded(self.folder / ABOUT, About) or About()

    @property
    def seconds(self) -> float:
        """How long it took: its steps, or else its epochs."""
        if self.timings:
            return sum(timing.seconds for timing in self.timings)
        return sum(epoch.seconds or 0.0 for epoch in self.epochs)


def read_run(folder: Path | str) -> Run:
    """The run in a folder, refused if there is nothing of a run in it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_json(Path(folder, "timings.json"), [Timing(step="align", seconds=1.5)])
    ...     read_run(folder).seconds
    1.5
    """
    run = Run(Path(folder))
    if not run.folder.is_dir():
        raise InputError("there is no such folder", path=folder)
    if not _is_run(run.folder):
        raise InputError(
            f"not a run: it has no {LOG}, no {TIMINGS} and no {WEIGHTS}", path=run.folder
        )
    return run


def find_runs(folder: Path | str) -> list[Run]:
    """The runs of a model, or of any folder with `runs/` in it, oldest first; or the run it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("first", "second"):
    ...         where = Path(folder, "runs", name)
    ...         where.mkdir(parents=True)
    ...         write_json(where / "timings.json", [Timing(step="align", seconds=1.5)])
    ...     [(run.name, run.seconds) for run in find_runs(folder)]
    [('first', 1.5), ('second', 1.5)]
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError("there is no such folder", path=folder)
    inner = folder / RUNS
    if inner.is_dir():
        runs = [Run(path) for path in sorted(inner.iterdir()) if _is_run(path)]
        return sorted(runs, key=lambda run: run.about.started)
    return [Run(folder)] if (folder / LOG).is_file() or (folder / TIMINGS).is_file() else []


def _is_run(path: Path) -> bool:
    return any((path / name).is_file() for name in (LOG, TIMINGS, WEIGHTS))


def _records(path: Path) -> Iterator[Record]:
    if not path.is_file():
        return
    lines = list(enumerate(read_lines(path), 1))
    for number, line in lines:
        try:
            record = msgspec.json.decode(line)
            yield {"event": record["event"], **record}
        except (msgspec.MsgspecError, KeyError, TypeError):
            if number == len(lines):  # a run that was killed, or one that is still being written
                return
            raise InputError("not a record of a learner's log", path=path, line=number) from None


def _epoch(record: Mapping[str, Any], path: Path) -> Epoch:
    try:
        return msgspec.convert({"epoch": record.get("step"), **record}, Epoch)
    except msgspec.ValidationError as error:
        raise InputError(f"not the record of an epoch: {error}", path=path) from None


def _decoded(path: Path, kind: Any) -> Any:
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except msgspec.MsgspecError as error:
        raise InputError(f"damaged: {error}", path=path) from None


def _flat(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, (*path, key))
        else:
            yield ".".join((*path, key)), value
