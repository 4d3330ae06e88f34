"""Pairs of sentences out of and into TSV, PO, TMX and XLIFF files, chosen by a file's name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from miriam.config import nearest
from miriam.errors import ConfigError, InputError
from miriam.text.files import MAX_LINE_BYTES, BadLines
from miriam.text.formats import po, tmx, tsv, xliff
from miriam.text.formats.segment import one_line

__all__ = ["read_pairs", "write_pairs"]

_FORMATS = {".tsv": tsv, ".po": po, ".pot": po, ".tmx": tmx, ".xlf": xliff, ".xliff": xliff}
_COMPRESSED = {".gz", ".zst"}


def read_pairs(
    path: Path | str,
    *,
    bad: BadLines | None = None,
    languages: tuple[str, str] | None = None,
) -> Iterator[tuple[str, str]]:
    r"""The pairs (source, target) of a `.tsv`, `.po`, `.tmx` or `.xliff` file, as a stream.

    A pair is one line a side: line breaks within a segment become a blank. Untranslated and fuzzy
    entries are passed over. `languages` says which two a TMX file is asked for, and is checked
    against what an XLIFF file says of itself. `-` is TSV on standard input.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pairs = [("a dog", "ein Hund"), ("a\ncat", "eine Katze")]
    ...     write_pairs(f"{folder}/a.tmx.gz", pairs, languages=("en", "de"))
    ...     list(read_pairs(f"{folder}/a.tmx.gz"))
    [('a dog', 'ein Hund'), ('a cat', 'eine Katze')]
    """
    bad = bad or BadLines()
    for line, source, target in _FORMATS[_suffix(path)].read(path, bad, languages):
        pair = one_line(source), one_line(target)
        if max(len(side.encode()) for side in pair) >= MAX_LINE_BYTES:
            bad.meet(InputError("a segment of a megabyte or more", path=path, line=line))
        elif all(pair):
            yield pair


def write_pairs(
    path: Path | str, pairs: Iterable[tuple[str, str]], *, languages: tuple[str, str] | None = None
) -> None:
    """Write pairs (source, target) in the format that the file's name says, as a stream.

    TMX and XLIFF must be told their languages. The file appears whole or not at all.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_pairs(f"{folder}/pairs.tsv", [("ein hund", "a dog")])
    ...     list(read_pairs(f"{folder}/pairs.tsv"))
    [('ein hund', 'a dog')]
    """
    suffix = _suffix(path)
    if languages is None and suffix in (".tmx", ".xlf", ".xliff"):
        raise ConfigError(f"{path}: the file must say its languages, as in languages=('en', 'de')")
    lines = ((one_line(source), one_line(target)) for source, target in pairs)
    _FORMATS[suffix].write(path, lines, languages or ("", ""))


def _suffix(path: Path | str) -> str:
    """The ending that says the format, before that of the compression; `-` is TSV."""
    if str(path) == "-":
        return ".tsv"
    suffixes = [s.lower() for s in Path(path).suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    suffix = suffixes[-1] if suffixes else ""
    if suffix not in _FORMATS:
        hint = nearest(suffix, _FORMATS)
        raise ConfigError(f"{path}: no format of pairs is named {suffix!r}; {hint}")
    return suffix
