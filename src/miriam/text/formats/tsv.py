"""TSV: source and target in the two columns of a line, without quotation marks or escapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from miriam.errors import InputError
from miriam.text.files import BadLines, open_write, read_lines

__all__ = ["read", "write"]


def read(
    path: Path | str, bad: BadLines, languages: tuple[str, str] | None
) -> Iterator[tuple[int, str, str]]:
    """Line number, source and target; a line that has not two columns is met by `bad`."""
    del languages  # a TSV file does not name any
    # Where bad lines are skipped the numbers are too low after one, but then nobody sees them.
    for number, line in enumerate(read_lines(path, bad), 1):
        columns = line.split("\t")
        if len(columns) == 2:
            yield number, columns[0], columns[1]
        else:
            message = f"expected 2 columns with a tab between, found {len(columns)}"
            bad.meet(InputError(message, path=path, line=number))


def write(path: Path | str, pairs: Iterable[tuple[str, str]], languages: tuple[str, str]) -> None:
    """Write a line for each pair."""
    del languages
    with open_write(path) as out:
        for source, target in pairs:
            out.write(f"{source}\t{target}\n".encode())
