"""What experiments share: rows, and the file of what has been measured.

An experiment yields `Row`s. A row is one system on one data set with one seed: its settings, and a
function that measures it. What was measured is appended as one line of JSON to
`results/EXPERIMENT.jsonl`, under a key that the settings make, so a row that is done is not done
again, and a row whose settings were changed is.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

__all__ = ["CACHE", "RESULTS", "Column", "Experiment", "Figures", "Results", "Row", "digest"]

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
# Models and outputs; several working trees may share them.
CACHE = Path(os.environ.get("MIRIAM_REPRODUCE_CACHE", HERE / "models")).absolute()

Figures: TypeAlias = Mapping[str, Any]
"""What was measured: numbers by name; a dictionary of numbers where there are several tests."""


def digest(settings: object) -> str:
    """A short name for settings."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One system, on one data set, with one seed."""

    data: str
    name: str  # what the table calls it
    settings: Mapping[str, Any]  # all that decides the figures, as JSON would have it
    measure: Callable[[Path], Figures]  # gets a folder for hypotheses and logs
    seed: int = 1

    @property
    def key(self) -> str:
        """What is another for other settings."""
        return digest([self.data, dict(self.settings), self.seed])

    @property
    def folder(self) -> Path:
        """Where its hypotheses are; rows of equal settings share it."""
        return CACHE / "outputs" / self.data / self.key


@dataclass(frozen=True)
class Column:
    """A column of the table: its title, the figure it shows, and how.

    `figure` may go into a dictionary: `bleu.test1`.
    """

    title: str
    figure: str
    form: str = ".2f"


class Experiment(Protocol):
    """A module of `experiments/`; its docstring is the text above the table."""

    __doc__: str | None
    COLUMNS: Mapping[str, tuple[Column, ...]]  # by data set
    BASELINE: str | tuple[str, ...] | None  # the row, or rows, that p-values compare with

    def rows(self) -> Iterable[Row]:
        """All rows, in the order of the table."""


class Results:
    """The lines of one experiment's file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[str, dict[str, Any]] = {}
        if path.exists():
            for text in path.read_text(encoding="utf-8").splitlines():
                line = json.loads(text)
                self.lines[line["key"]] = line

    def __contains__(self, row: Row) -> bool:
        return row.key in self.lines

    def figures(self, row: Row) -> Figures:
        """What was measured of a row."""
        figures: Figures = self.lines[row.key]["figures"]
        return figures

    def add(self, row: Row, figures: Figures) -> None:
        """Append the figures of a row."""
        self.append({
            "data": row.data, "name": row.name, "seed": row.seed, "settings": dict(row.settings),
            "figures": figures, "key": row.key,
        })  # fmt: skip

    def append(self, line: dict[str, Any]) -> None:
        """Append any line that has a key."""
        self.lines[line["key"]] = line
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def by_system(self, rows: Iterable[Row]) -> Iterator[tuple[str, str, list[Row]]]:
        """Data set, name and the measured rows of each system, in the order of the rows."""
        systems: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            if row in self:
                systems.setdefault((row.data, row.name), []).append(row)
        for (data, name), measured in systems.items():
            yield data, name, measured
