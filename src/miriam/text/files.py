"""Streams of lines, in and out: plain, `.gz` and `.zst` files, `-` for standard input and output.

Reading is strict, because two files that fall out of step spoil everything after them: a line that
another program might read as two, or not at all, is refused with its file, line and byte, or
skipped and counted. Writing is whole or not at all.
"""

from __future__ import annotations

import io
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import IO, NoReturn, cast

from miriam.errors import InputError
from miriam.text.compression import compressed, decompressed
from miriam.whole import is_special, written_whole

__all__ = [
    "BadLines",
    "open_read",
    "open_together",
    "open_write",
    "read_blocks",
    "read_lines",
    "read_parallel",
]

MAX_LINE_BYTES = 1_000_000
BLOCK_BYTES = 1 << 18
BOM = b"\xef\xbb\xbf"
# NUL, and every character but the line feed at which some program breaks lines.
FORBIDDEN = "\0\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"
FORBIDDEN_BYTES = [character.encode() for character in FORBIDDEN]


@dataclass
class BadLines:
    """What to do with a line that cannot be used: refuse the file, or skip it and count.

    >>> bad = BadLines(skip=True)
    >>> bad.meet(InputError("not UTF-8"))
    >>> bad.count
    1
    """

    skip: bool = False
    count: int = 0

    def meet(self, error: InputError) -> None:
        """Raise the error, or count it where bad lines are skipped."""
        if not self.skip:
            raise error
        self.count += 1


@contextmanager
def open_read(path: Path | str) -> Iterator[IO[bytes]]:
    """The bytes of a file, decompressed as its name says; `-` is standard input.

    >>> import gzip, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.gz").write_bytes(gzip.compress(b"ein hund"))
    ...     with open_read(f"{folder}/a.gz") as file:
    ...         file.read()
    b'ein hund'
    """
    name = str(path)
    if name == "-":
        yield sys.stdin.buffer
        return
    if Path(path).is_dir():
        raise InputError("a directory, where a file is needed", path=path)
    try:
        with Path(path).open("rb") as raw, decompressed(raw, Path(path).suffix) as file:
            yield file
    except EOFError:
        raise InputError(
            "the compressed data ends early; the file was cut short", path=path
        ) from None
    except zlib.error as error:
        raise InputError(f"not a sound compressed file: {error}", path=path) from None


@contextmanager
def open_write(path: Path | str) -> Iterator[IO[bytes]]:
    r"""A file to write bytes to, compressed as its name says; `-` is standard output.

    It appears under its name when the block ends well, and not at all otherwise. The same bytes
    written give the same file: a `.gz` holds no name and no time.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open_write(Path(folder) / "a.gz") as out:
    ...         _ = out.write("grün\n".encode())
    ...     list(read_lines(Path(folder) / "a.gz"))
    ['grün']
    """
    with open_together([path]) as (file,):
        yield file


@contextmanager
def open_together(paths: Sequence[Path | str]) -> Iterator[list[IO[bytes]]]:
    r"""Files that belong together, to write bytes to: all appear when the block ends, or none.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     names = [f"{folder}/a.de", f"{folder}/a.en"]
    ...     with open_together(names) as files:
    ...         _ = [file.write(b"a\n") for file in files]
    ...     list(read_parallel(names))
    [('a', 'a')]
    """
    straight = {path: _is_straight(path) for path in paths}
    with (
        written_whole([path for path in paths if not straight[path]]) as temporary,
        ExitStack() as stack,
    ):
        names = iter(temporary)
        yield [
            stack.enter_context(
                _open_straight(path)
                if straight[path]
                else _open_whole(next(names), Path(path).suffix)
            )
            for path in paths
        ]


def _is_straight(path: Path | str) -> bool:
    """Whether bytes go out as they come: to standard output, a device or a pipe."""
    return str(path) == "-" or is_special(Path(path))


@contextmanager
def _open_whole(temporary: Path, suffix: str) -> Iterator[IO[bytes]]:
    with temporary.open("wb") as raw, compressed(raw, suffix) as file:
        yield file


@contextmanager
def _open_straight(path: Path | str) -> Iterator[IO[bytes]]:
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with Path(path).open("wb") as file:
            yield file


def read_lines(path: Path | str, bad: BadLines | None = None) -> Iterator[str]:
    r"""The lines of a file, without their ends (LF or CRLF), as a stream.

    A line of a megabyte or more, one that is not UTF-8, and one that holds a NUL or a character at
    which other programs break lines is met by `bad` (by default refused).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a").write_text("ein hund\r\nein mann\n")
    ...     list(read_lines(f"{folder}/a"))
    ['ein hund', 'ein mann']
    """
    for (line,) in read_parallel([path], bad):
        yield line


def read_parallel(
    paths: Sequence[Path | str], bad: BadLines | None = None
) -> Iterator[tuple[str, ...]]:
    r"""The lines of several files side by side; files of different length are refused.

    Where bad lines are skipped, a line that is bad in one file is left out of all of them.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in {"a": "ein hund\n", "b": "a dog\n"}.items():
    ...         _ = Path(folder, name).write_text(text)
    ...     list(read_parallel([f"{folder}/a", f"{folder}/b"]))
    [('ein hund', 'a dog')]
    """
    bad = bad or BadLines()
    streams = [_lines(path) for path in paths]
    for count, row in enumerate(zip_longest(*streams)):
        if None in row:
            _refuse_lengths(count, row, streams, paths)
        error = next((line for line in row if isinstance(line, InputError)), None)
        if error is None:
            yield cast(tuple[str, ...], row)
        else:
            bad.meet(error)


def _refuse_lengths(
    count: int,
    row: tuple[str | InputError | None, ...],
    streams: Sequence[Iterator[str | InputError]],
    paths: Sequence[Path | str],
) -> NoReturn:
    """Say how many lines each file has; `row` is the first in which one of them had ended."""
    counts = [
        count + (line is not None) + sum(1 for _ in stream)
        for line, stream in zip(row, streams, strict=True)
    ]
    listed = ", ".join(f"{path} has {n:,}" for path, n in zip(paths, counts, strict=True))
    raise InputError(f"the files have different numbers of lines: {listed}")


def read_blocks(path: Path | str, bad: BadLines | None = None) -> Iterator[bytes]:
    r"""The sound lines of a file in blocks of whole lines, each ended by LF: for native readers.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a").write_text("ein hund\nein mann\n")
    ...     list(read_blocks(f"{folder}/a"))
    [b'ein hund\nein mann\n']
    """
    bad = bad or BadLines()
    for number, block in _blocks(path):
        if _sound_text(block) is not None:
            yield block
            continue
        sound = []
        for line in _checked_lines(block, path, number):
            if isinstance(line, InputError):
                bad.meet(line)
            else:
                sound.append(line + "\n")
        yield "".join(sound).encode()


def _lines(path: Path | str) -> Iterator[str | InputError]:
    """Every line of a file, or in its place what is wrong with it."""
    for number, block in _blocks(path):
        text = _sound_text(block)
        if text is None:
            yield from _checked_lines(block, path, number)
        else:
            yield from text[:-1].split("\n")


def _blocks(path: Path | str) -> Iterator[tuple[int, bytes]]:
    """Blocks of whole lines, each ended by LF, and the number of the first line of each.

    CRLF has become LF, and a byte-order mark is gone. Of an overlong line only the beginning is
    given, still long enough to be recognised.
    """
    with open_read(path) as file:
        number, tail = 1, b""
        for chunk in _chunks(file):
            head, newline, rest = chunk.rpartition(b"\n")
            if newline:
                block = (tail + head + newline).replace(b"\r\n", b"\n")
                yield number, block
                number += block.count(b"\n")
                tail = rest
            else:
                tail += rest
                if len(tail) > MAX_LINE_BYTES:
                    tail = tail[:MAX_LINE_BYTES]
        if tail:
            yield number, tail.removesuffix(b"\r") + b"\n"


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    """What there is to read, as it comes (a pipe is not waited for), without a byte-order mark."""
    reader = cast(io.BufferedReader, file)
    chunk = reader.read1(BLOCK_BYTES)
    while len(chunk) < len(BOM) and BOM.startswith(chunk) and (more := reader.read1(BLOCK_BYTES)):
        chunk += more
    chunk = chunk.removeprefix(BOM) or reader.read1(BLOCK_BYTES)
    while chunk:
        yield chunk
        chunk = reader.read1(BLOCK_BYTES)


def _sound_text(block: bytes) -> str | None:
    """A block as text if all its lines are sound; scans at the speed of memory."""
    if len(block) >= MAX_LINE_BYTES or any(mark in block for mark in FORBIDDEN_BYTES):
        return None
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _checked_lines(block: bytes, path: Path | str, first: int) -> Iterator[str | InputError]:
    """The lines of a block one by one, or in the place of each bad one what is wrong with it."""
    for number, line in enumerate(block[:-1].split(b"\n"), first):
        error = _error_in(line)
        yield InputError(error, path=path, line=number) if error else line.decode("utf-8")


def _error_in(line: bytes) -> str | None:
    if len(line) >= MAX_LINE_BYTES:
        return "a line of a megabyte or more; is it text, one sentence a line?"
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start + 1}"
    found = min((text.find(mark) for mark in FORBIDDEN if mark in text), default=None)
    if found is None:
        return None
    return (
        f"the character U+{ord(text[found]):04X} at position {found + 1}, "
        "where other programs would break or end the line"
    )
