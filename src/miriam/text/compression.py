"""Bytes in and out of `.gz` and `.zst` files, chosen by the suffix of a name."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from miriam.errors import MissingExtraError

__all__ = ["compressed", "decompressed"]

BLOCK_BYTES = 1 << 18


@contextmanager
def decompressed(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    """What an open file holds; `EOFError` if it was cut short, `zlib.error` if it is not sound.

    >>> with decompressed(io.BytesIO(gzip.compress(b"a dog")), ".gz") as file:
    ...     file.read()
    b'a dog'
    """
    if suffix == ".gz":
        try:
            with gzip.GzipFile(fileobj=raw) as file:
                yield cast(IO[bytes], file)
        except gzip.BadGzipFile as error:
            raise zlib.error(str(error)) from None
    elif suffix == ".zst":
        with io.BufferedReader(_ZstdReader(raw)) as reader:
            yield reader
    else:
        yield raw


@contextmanager
def compressed(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    """A stream that compresses into an open file: the same bytes for the same bytes.

    >>> packed = io.BytesIO()
    >>> with compressed(packed, ".gz") as file:
    ...     _ = file.write(b"a dog")
    >>> gzip.decompress(packed.getvalue())
    b'a dog'
    """
    if suffix == ".gz":
        # No name and no time in the header: they would differ from run to run.
        with gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0) as file:
            yield cast(IO[bytes], file)
    elif suffix == ".zst":
        with _zstandard().ZstdCompressor(level=9).stream_writer(raw, closefd=False) as file:
            yield file
    else:
        yield raw


class _ZstdReader(io.RawIOBase):
    """The decompressed bytes of a .zst file, of all its frames; a frame cut short is an error."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.zstandard = _zstandard()
        self.frame: Any = None
        self.rest = b""  # read from the file after the end of a frame
        self.ready = b""  # decompressed, not yet given away

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self.ready:
            data = self.rest or self.file.read(BLOCK_BYTES)
            if not data:
                if self.frame is not None and not self.frame.eof:
                    raise EOFError
                return 0
            if self.frame is None or self.frame.eof:
                self.frame = self.zstandard.ZstdDecompressor().decompressobj()
            try:
                self.ready = self.frame.decompress(data)
            except self.zstandard.ZstdError as error:
                raise zlib.error(str(error)) from None
            self.rest = self.frame.unused_data
        size = min(len(buffer), len(self.ready))
        buffer[:size], self.ready = self.ready[:size], self.ready[size:]
        return size


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("zstandard", extra="formats", purpose=".zst files") from None
    return zstandard
