"""What a learner has told, kept beside its checkpoint, so that a run that goes on has all of it."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec

from miriam.tune.monitor import Log, Record
from miriam.whole import written_whole

__all__ = ["Journal"]


class Journal:
    r"""The records of a run: each goes to the file, as it comes, and to a `Log`.

    A learner that goes on from its checkpoint tells again what it told after the checkpoint was
    written; of two records of the same moment the later one counts.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     checkpoint = Path(folder, "checkpoint")
    ...     for told in ([1, 2], [2, 3]):
    ...         with Journal(checkpoint, lambda record: None) as journal:
    ...             for epoch in told:
    ...                 journal.log({"event": "epoch", "epoch": epoch, "seconds": 1.5})
    ...         checkpoint.touch()
    ...     journal.write(Path(folder, "log.jsonl"))
    ...     print(Path(folder, "log.jsonl").read_text().count("\n"), journal.earlier_seconds)
    3 3.0
    """

    def __init__(self, checkpoint: Path, log: Log) -> None:
        self.path = checkpoint.with_name(f"{checkpoint.name}.jsonl")
        self._log = log
        self._records: dict[tuple[object, ...], Record] = {}
        if checkpoint.exists() and self.path.exists():
            self._restore()
        self.earlier_seconds = sum(r.get("seconds") or 0.0 for r in self._records.values())
        self._file: IO[bytes] | None = None

    def _restore(self) -> None:
        for line in self.path.read_bytes().splitlines():
            try:
                self._keep(msgspec.json.decode(line))
            except msgspec.MsgspecError:  # the line that was being written
                return

    def __enter__(self) -> Journal:
        self._file = self.path.open("wb")
        for record in self._records.values():
            self._put(record)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._file:
            self._file.close()

    def log(self, record: Record) -> None:
        """Keep a record, and pass it on."""
        self._keep(record)
        self._put(record)
        self._log(record)

    def _keep(self, record: Record) -> None:
        moment = tuple(record.get(key) for key in ("event", "round", "epoch", "step", "sentences"))
        self._records[moment] = record

    def _put(self, record: Record) -> None:
        if self._file:
            self._file.write(msgspec.json.encode(record) + b"\n")
            self._file.flush()

    def write(self, path: Path) -> None:
        """Write all records to a file."""
        lines = [msgspec.json.encode(record) + b"\n" for record in self._records.values()]
        with written_whole([path]) as (temporary,):
            temporary.write_bytes(b"".join(lines))

    def remove(self) -> None:
        """Remove the file, once its checkpoint is of no more use."""
        self.path.unlink(missing_ok=True)
