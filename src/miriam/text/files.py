"""Streams of lines, in and out: plain, `.gz` and `.zst` files, `-` for standard input and output.

Reading is strict, because two files that fall out of step spoil everything after them: a line that
another program might read as two, or not at all, is refused with its file, line and byte, or
skipped and counted. Writing is whole or not at all.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from miriam.errors import InputError, MissingExtraError

__all__ = ["BadLines", "open_read", "open_write", "read_lines", "read_parallel"]

MAX_LINE_BYTES = 1_000_000
BLOCK_BYTES = 1 << 18
BOM = b"\xef\xbb\xbf"
# NUL, and every character but the line feed at which some program breaks lines.
FORBIDDEN = re.compile("[\0\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029]")


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
    """The bytes of a file, decompressed as its name says; `-` is standard input."""
    name = str(path)
    if name == "-":
        yield sys.stdin.buffer
        return
    if Path(path).is_dir():
        raise InputError("a directory, where a file is needed", path=path)
    try:
        if name.endswith(".gz"):
            with gzip.open(name, "rb") as file:
                yield cast(IO[bytes], file)
        elif name.endswith(".zst"):
            with (
                Path(name).open("rb") as raw,
                _zstandard().ZstdDecompressor().stream_reader(raw, read_across_frames=True) as file,
            ):
                yield io.BufferedReader(file)
        else:
            with Path(name).open("rb") as file:
                yield file
    except EOFError:
        raise InputError(
            "the compressed data ends early; the file was cut short", path=path
        ) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"not a sound gzip file: {error}", path=path) from None


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("zstandard", extra="formats", purpose=".zst files") from None
    return zstandard


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
    name = str(path)
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    if target.is_dir():
        raise InputError("a directory, where a file is to be written", path=path)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as raw:
            if name.endswith(".gz"):
                with gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0) as file:
                    yield cast(IO[bytes], file)
            elif name.endswith(".zst"):
                with _zstandard().ZstdCompressor(level=9).stream_writer(raw, closefd=False) as file:
                    yield file
            else:
                yield raw
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_lines(path: Path | str, bad: BadLines | None = None) -> Iterator[str]:
    """The lines of a file, without their ends (LF or CRLF), as a stream.

    A line of a megabyte or more, one that is not UTF-8, and one that holds a NUL or a character at
    which other programs break lines is met by `bad` (by default refused).
    """
    for (line,) in read_parallel([path], bad):
        yield line


def read_parallel(
    paths: Sequence[Path | str], bad: BadLines | None = None
) -> Iterator[tuple[str, ...]]:
    """The lines of several files side by side; files of different length are refused.

    Where bad lines are skipped, a line that is bad in one file is left out of all of them.
    """
    bad = bad or BadLines()
    streams = [_raw_lines(path) for path in paths]
    for number, raw in enumerate(_in_step(streams, paths), 1):
        try:
            yield tuple(_decode(line, path, number) for line, path in zip(raw, paths, strict=True))
        except InputError as error:
            bad.meet(error)


def _in_step(
    streams: Sequence[Iterator[bytes]], paths: Sequence[Path | str]
) -> Iterator[tuple[bytes, ...]]:
    """Like zip, but if one stream ends first, an error that gives every file's count of lines."""
    count = 0
    while True:
        row = tuple(next(stream, None) for stream in streams)
        if None in row:
            break
        count += 1
        yield row  # type: ignore[misc]  # no element is None
    if any(line is not None for line in row):
        counts = [
            count + (line is not None) + sum(1 for _ in stream)
            for line, stream in zip(row, streams, strict=True)
        ]
        listed = ", ".join(f"{path} has {n:,}" for path, n in zip(paths, counts, strict=True))
        raise InputError(f"the files have different numbers of lines: {listed}")


def _raw_lines(path: Path | str) -> Iterator[bytes]:
    """Lines as bytes without their line feed; of an overlong one only its beginning."""
    with open_read(path) as file:
        first = True
        while line := file.readline(MAX_LINE_BYTES + 1):
            if first:
                line, first = line.removeprefix(BOM), False
            if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                while (rest := file.readline(BLOCK_BYTES)) and not rest.endswith(b"\n"):
                    pass
            yield line[:-1] if line.endswith(b"\n") else line


def _decode(line: bytes, path: Path | str, number: int) -> str:
    """One line as text, or an `InputError` that says where it is bad."""
    if len(line) >= MAX_LINE_BYTES:
        raise InputError(
            "a line of a megabyte or more; is it text, one sentence a line?", path=path, line=number
        )
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start + 1}", path=path, line=number) from None
    text = text.removesuffix("\r")
    if found := FORBIDDEN.search(text):
        raise InputError(
            f"the character U+{ord(found[0]):04X} at position {found.start() + 1}, "
            "where other programs would break or end the line",
            path=path,
            line=number,
        )
    return text
