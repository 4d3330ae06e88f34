"""Moses' text tables as rule tables, so that models trained with Moses can be used."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam.errors import ConfigError, InputError
from miriam.lexicon.vocabulary import Vocabulary
from miriam.progress import Report, silent
from miriam.rules.rows import (
    TextRows,
    logs,
    probabilities,
    read_fields,
    score_names,
    write_rows,
)
from miriam.rules.settings import CLASSES, orientation_columns
from miriam.rules.table import TABLE_NAME, RuleTable

__all__ = ["import_moses"]

DIRECTIONS = {"bidirectional": ["previous", "next"], "backward": ["previous"], "forward": ["next"]}
REORDERING = re.compile(
    rf"(?P<model>(wbe|phrase|hier|symmetric)-({'|'.join(CLASSES)}))"
    rf"-(?P<direction>{'|'.join(DIRECTIONS)})-(?P<key>fe|f)(?![a-z])"
)


def import_moses(
    phrase_table: Path | str,
    out: Path | str,
    *,
    reordering: Sequence[Path | str] = (),
    scores: Sequence[str] | None = None,
    unescape: bool = False,
    words: tuple[Vocabulary, Vocabulary] | None = None,
    report: Report = silent,
) -> RuleTable:
    """The rule table of Moses' phrase table and its reordering tables, written to a folder.

    The type of a reordering table is read from its name, which must hold something like
    `wbe-msd-bidirectional-fe`. `scores` names the columns of the phrase table: by default four are
    Moses' usual ones, and others are `score0`, `score1` and so on. Words keep Moses' escapes
    (`&apos;`) unless `unescape` is set. `words` are vocabularies to be used and stored: tables of
    one model need the same. The table is put together in memory.

    >>> import tempfile
    >>> line = "ein hund ||| a dog ||| 0.5 0.25 1 0.5 ||| 0-0 1-1 ||| 2 1 1"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "table").write_text(line)
    ...     table = import_moses(f"{folder}/table", folder)
    >>> table.lookup("ein hund")[0].links
    ((0, 0), (1, 1))
    """
    rows = TextRows(phrase_table, unescape)
    for number, fields in read_fields(phrase_table, 3, report):
        rows.add(fields, number)
    names = score_names(scores, rows, phrase_table)
    matrices = [rows.matrix]
    for path in reordering:
        columns, matrix = _read_reordering(path, rows, report)
        if set(columns) & set(names):
            raise ConfigError(f"{path}: a second reordering table of the same type")
        names += columns
        matrices.append(matrix)
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    return write_rows(rows, names, np.hstack(matrices), out / TABLE_NAME, words)


def _read_reordering(
    path: Path | str, rows: TextRows, report: Report
) -> tuple[list[str], npt.NDArray[np.float32]]:
    """The columns of a reordering table, and their values for each row of the phrase table."""
    match = REORDERING.search(Path(path).name)
    if not match:
        raise ConfigError(
            f"{path}: the name of a reordering table must tell its type, as in "
            "reordering-table.wbe-msd-bidirectional-fe.gz"
        )
    columns = orientation_columns(match["model"], DIRECTIONS[match["direction"]])
    by_pair = match["key"] == "fe"
    keys: list[str] = []
    values = array("d")
    for number, fields in read_fields(path, 3 if by_pair else 2, report):
        numbers = probabilities(fields[-1], 0, path, number)
        if len(numbers) != len(columns):
            raise InputError(
                f"{len(numbers)} scores, where {match[0]} has {len(columns)}",
                path=path, line=number,
            )  # fmt: skip
        keys.append(f"{fields[0]} ||| {fields[1]}" if by_pair else fields[0])
        values.extend(numbers)
    pairs = zip(rows.sources, rows.targets, strict=True)
    wanted = [f"{f} ||| {e}" for f, e in pairs] if by_pair else rows.sources
    found = _join(wanted, keys)
    if (missing := np.flatnonzero(found < 0)).size:
        line = int(missing[0])
        raise InputError(
            f"no scores for {wanted[line]!r}, which line {line + 1} of {rows.path} has", path=path
        )
    return columns, logs(values, len(columns))[found]


def _join(wanted: Iterable[str], keys: Iterable[str]) -> npt.NDArray[np.int64]:
    """For each wanted key its place in `keys`, or -1."""
    place = {key: i for i, key in enumerate(keys)}
    return np.fromiter((place.get(key, -1) for key in wanted), np.int64)
