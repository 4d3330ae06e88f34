"""Words and their modern forms, as they are read from a table and as characters show them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

from miriam.errors import InputError
from miriam.text.exact import CharactersTokeniser
from miriam.text.files import BadLines, open_write, read_lines

__all__ = [
    "EDGE",
    "LONGEST",
    "hidden",
    "read_counts",
    "read_pairs",
    "read_words",
    "shown",
    "write_counts",
]  # fmt: skip

EDGE = "▁"  # before and after a word, and what a blank inside of one is shown as
LONGEST = 100  # characters; what is longer is no word
_TOKENISER = CharactersTokeniser()


def shown(word: str) -> str:
    """A word with composed characters, all of them visible.

    >>> shown(" to day ")
    'to▁day'
    """
    return "".join(_TOKENISER.tokenise(unicodedata.normalize("NFC", word).strip()))


def hidden(word: str) -> str:
    """The way back.

    >>> hidden("to▁day")
    'to day'
    """
    return _TOKENISER.detokenise([word])


def read_pairs(path: Path | str, bad: BadLines | None = None) -> Iterator[tuple[str, str]]:
    r"""The words of a file and their modern forms: two columns with a tab between, one word a line.

    Lines in which both columns are empty are left out.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "pairs.tsv").write_text("vnd\tund\njn\tin\n")
    ...     list(read_pairs(f"{folder}/pairs.tsv"))
    [('vnd', 'und'), ('jn', 'in')]
    """
    bad = bad or BadLines()
    for number, line in enumerate(read_lines(path, bad), 1):
        columns = [shown(column) for column in line.split("\t")]
        if not any(columns):
            continue
        if problem := _problem(columns):
            bad.meet(InputError(problem, path=path, line=number))
        else:
            yield columns[0], columns[1]


def _problem(columns: list[str]) -> str:
    """What is wrong with a line; "" where it is sound."""
    if len(columns) != 2:
        return (
            "expected a word, a tab and its modern form, found "
            f"{len(columns)} column{'s' * (len(columns) > 1)}; save the table as tab-separated text"
        )
    if not all(columns):
        return f"{columns[0] or columns[1]!r} stands alone; give a word and its modern form"
    if max(map(len, columns)) > LONGEST:
        return f"a word of more than {LONGEST} characters; expected one word a line"
    if any(ord(c) < 32 or ord(c) == 127 for column in columns for c in column):
        return "a control character in a word; save the table as plain text"
    return ""


def read_words(path: Path | str, bad: BadLines | None = None) -> Iterator[str]:
    """The words of a list, one a line, or of running text; those that are too long are left out."""
    for line in read_lines(path, bad):
        words = (shown(word) for word in line.split())
        yield from (w for w in words if 0 < len(w) <= LONGEST and w.isprintable())


def write_counts(path: Path, counts: Mapping[tuple[str, str], int]) -> None:
    """Write pairs and how often each has been seen."""
    with open_write(path) as out:
        for (word, form), count in sorted(counts.items()):
            out.write(f"{word}\t{form}\t{count}\n".encode())


def read_counts(path: Path) -> dict[tuple[str, str], int]:
    """The pairs that `write_counts` wrote."""
    rows = (line.split("\t") for line in read_lines(path))
    try:
        return {(word, form): int(count) for word, form, count in rows}
    except ValueError:
        raise InputError(
            "not a table of pairs and counts; train the model again", path=path
        ) from None
