"""Pairs of token lines, as streams: read from files that run side by side, and written to such.

A token line is what every later room reads: tokens separated by single blanks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, starmap
from pathlib import Path
from typing import IO, NamedTuple, TypeVar

from miriam.errors import InputError
from miriam.text.files import BadLines, open_together, read_parallel

__all__ = ["Pair", "blocks", "read_bitext", "write_bitext", "write_block"]

BLOCK = 2048  # pairs handled at once: enough to make the calls cheap, little beside the hashes

T = TypeVar("T")


class Pair(NamedTuple):
    """A sentence and its translation, and the kind of text they are from ('': not known).

    >>> Pair("ein Hund", "a dog")
    Pair(source='ein Hund', target='a dog', domain='')
    """

    source: str
    target: str
    domain: str = ""


def blocks(stream: Iterable[T], size: int = BLOCK) -> Iterator[list[T]]:
    """The items of a stream, in lists of some thousand.

    >>> list(blocks(range(5), 2))
    [[0, 1], [2, 3], [4]]
    """
    items = iter(stream)
    while block := list(islice(items, size)):
        yield block


def read_bitext(paths: Sequence[Path | str], bad: BadLines | None = None) -> Iterator[Pair]:
    """The pairs of a source file, a target file and, if there is a third, a file of domain labels.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = [Path(folder) / "a.de", Path(folder) / "a.en"]
    ...     _ = write_bitext([Pair("ein Hund", "a dog")], files)
    ...     list(read_bitext(files))
    [Pair(source='ein Hund', target='a dog', domain='')]
    """
    rows = read_parallel(paths, bad)
    first = next(rows, None)
    if first is None:
        skipped = bad and bad.count
        raise InputError("no line can be used" if skipped else "the file is empty", path=paths[0])
    yield from starmap(Pair, chain([first], rows))


def write_bitext(pairs: Iterable[Pair], paths: Sequence[Path | str]) -> int:
    r"""Write sources, targets and, to a third file, labels; the number of pairs, at least one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = [f"{folder}/a.de", f"{folder}/a.en"]
    ...     write_bitext([Pair("ein hund", "a dog"), Pair("ein mann", "a man")], files)
    ...     Path(files[1]).read_text()
    2
    'a dog\na man\n'
    """
    count = 0
    with open_together(paths) as files:
        for block in blocks(pairs):
            write_block(block, files)
            count += len(block)
        if not count:
            raise InputError("no pair is left to write; are the limits too tight?")
    return count


def write_block(block: Sequence[Pair], files: Sequence[IO[bytes]]) -> None:
    r"""Write some pairs to open files: sources, targets and, to a third one, labels.

    >>> from io import BytesIO
    >>> source, target = BytesIO(), BytesIO()
    >>> write_block([Pair("ein hund", "a dog")], [source, target])
    >>> target.getvalue()
    b'a dog\n'
    """
    for column, file in zip(zip(*block, strict=True), files, strict=False):
        file.write(("\n".join(column) + "\n").encode())
