"""Files of named, typed arrays, memory-mapped: how every big table of Miriam is stored.

The layout is that of safetensors: eight bytes that give the length of a JSON header, the header,
then plain arrays. Padding arrays put each of ours on a 64-byte boundary. Nothing is parsed at load
time, processes share the pages, and anyone can open a table with `safetensors` and NumPy.
"""

from __future__ import annotations

import math
import mmap
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Annotated, Any, Self

import msgspec
import numpy as np

from miriam.errors import ModelError
from miriam.whole import written_whole

__all__ = ["Container", "ContainerWriter", "copy_container", "open_container", "read_metadata"]

DTYPES = {
    "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4",
    "U64": "<u8", "I64": "<i8", "F16": "<f2", "F32": "<f4", "F64": "<f8", "BOOL": "?",
}  # fmt: skip
NAMES = {np.dtype(code): name for name, code in DTYPES.items()}
ALIGNMENT = 64
PADDING = "_padding"
COPY_BYTES = 1 << 20


@dataclass(frozen=True)
class Container:
    """An open table: its arrays, mapped read-only, and what its header says of it."""

    path: Path
    metadata: Mapping[str, str]
    arrays: Mapping[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.arrays[name]
        except KeyError:
            raise ModelError(
                f"{self.path}: the array {name!r} is missing; build the file again"
            ) from None


def open_container(path: Path | str, *, kind: str, version: int) -> Container:
    """The table in a file, refused with a sentence if it is not a whole one of this kind.

    Only the header is read; the arrays are paged in when they are touched.
    """
    path = Path(path)
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        metadata, entries, start = _read_header(file, size, path)
        _check_kind(metadata, kind, version, path)
        end = max((entry.data_offsets[1] for entry in entries.values()), default=0)
        if size != start + end:
            raise ModelError(
                f"{path}: the file has {size:,} bytes and should have {start + end:,}; "
                "it was cut short or damaged, so copy or build it again"
            )
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    arrays = {
        name: np.frombuffer(
            data,
            dtype=DTYPES[entry.dtype],
            count=math.prod(entry.shape),
            offset=start + entry.data_offsets[0],
        ).reshape(entry.shape)
        for name, entry in entries.items()
        if not name.startswith(PADDING)
    }
    return Container(path, metadata, arrays)


class _Entry(msgspec.Struct, frozen=True):
    """What the header says of an array; the offsets count from the end of the header."""

    dtype: str
    shape: tuple[Annotated[int, msgspec.Meta(ge=0)], ...]
    data_offsets: tuple[int, int]

    @property
    def size(self) -> int:
        return math.prod(self.shape) * np.dtype(DTYPES[self.dtype]).itemsize


def _read_header(
    file: IO[bytes], size: int, path: Path
) -> tuple[dict[str, str], dict[str, _Entry], int]:
    """The metadata, the entry of each array, and where the arrays start."""
    length = int.from_bytes(file.read(8), "little")
    if size < 8 or length > size - 8:
        raise ModelError(f"{path}: not a table of Miriam's, or cut short within its header")
    try:
        header = msgspec.json.decode(file.read(length), type=dict[str, msgspec.Raw])
        metadata = msgspec.json.decode(header.pop("__metadata__", b"{}"), type=dict[str, str])
        entries = {name: msgspec.json.decode(raw, type=_Entry) for name, raw in header.items()}
        end = 0  # the arrays lie one after another, without gaps
        for entry in sorted(entries.values(), key=lambda entry: entry.data_offsets):
            if entry.data_offsets != (end, end + entry.size):
                raise ValueError(entry)
            end += entry.size
    except (msgspec.MsgspecError, KeyError, ValueError):
        raise ModelError(f"{path}: the header is damaged; copy or build the file again") from None
    return metadata, entries, 8 + length


def _check_kind(metadata: Mapping[str, str], kind: str, version: int, path: Path) -> None:
    found_kind, found_version = metadata.get("kind"), metadata.get("version")
    if found_kind != kind:
        raise ModelError(f"{path}: expected a table of kind {kind!r}, found {found_kind!r}")
    if found_version != str(version):
        raise ModelError(
            f"{path}: {kind} format version {found_version}, and this Miriam reads version "
            f"{version}; build the file again"
        )


def read_metadata(path: Path | str) -> dict[str, str]:
    """What the header of a table of any kind says of it; the arrays are left alone."""
    path = Path(path)
    with path.open("rb") as file:
        return _read_header(file, os.fstat(file.fileno()).st_size, path)[0]


def copy_container(source: Path | str, target: Path | str, *, metadata: Mapping[str, str]) -> None:
    """Copy a table, with more metadata.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with ContainerWriter(f"{folder}/t", kind="demo", version=1) as writer:
    ...         writer.add("one", np.array([1], np.int32))
    ...     copy_container(f"{folder}/t", f"{folder}/u", metadata={"build": "7"})
    ...     read_metadata(f"{folder}/u")
    {'kind': 'demo', 'version': '1', 'build': '7'}
    """
    source = Path(source)
    with source.open("rb") as file, written_whole([target]) as (temporary,):
        size = os.fstat(file.fileno()).st_size
        old, entries, start = _read_header(file, size, source)
        header = {"__metadata__": {**old, **metadata}, **entries}
        file.seek(start)
        with temporary.open("wb") as out:
            out.write(_header_bytes(header))
            shutil.copyfileobj(file, out, COPY_BYTES)


def _header_bytes(header: Mapping[str, Any]) -> bytes:
    """The header as it begins a file, filled up so that the arrays begin on a boundary."""
    text = msgspec.json.encode(header)
    text += b" " * (-(8 + len(text)) % ALIGNMENT)
    return len(text).to_bytes(8, "little") + text


class ContainerWriter:
    """Writes a table: whole under its name at the end of the `with` block, or not at all.

    Arrays may be given whole (`add`) or in pieces (`append`), so that a table may be larger than
    memory; pieces wait in unnamed temporary files beside the target.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with ContainerWriter(Path(folder) / "t", kind="demo", version=1) as writer:
    ...         writer.add("squares", np.arange(4, dtype=np.int32) ** 2)
    ...     open_container(Path(folder) / "t", kind="demo", version=1)["squares"].tolist()
    [0, 1, 4, 9]
    """

    def __init__(
        self,
        path: Path | str,
        *,
        kind: str,
        version: int,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        self.path = Path(path)
        self.metadata = {"kind": kind, "version": str(version), **(metadata or {})}
        self._parts: dict[str, tuple[np.dtype[Any], IO[bytes]]] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}

    def add(self, name: str, array: np.ndarray) -> None:
        """Store a whole array."""
        self.append(name, array.reshape(-1))
        self._shapes[name] = array.shape

    def append(self, name: str, piece: np.ndarray) -> None:
        """Store the next piece of a one-dimensional array."""
        dtype = piece.dtype.newbyteorder("<")
        if name not in self._parts:
            if dtype not in NAMES:
                raise TypeError(f"array {name!r} has dtype {dtype}, which a container cannot hold")
            self._parts[name] = (dtype, tempfile.TemporaryFile(dir=self.path.parent))  # noqa: SIM115
        kept, file = self._parts[name]
        if kept != dtype:
            raise TypeError(f"array {name!r} has pieces of dtype {kept} and {dtype}")
        file.write(np.ascontiguousarray(piece, dtype=dtype).data)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._write()
        finally:
            for _, file in self._parts.values():
                file.close()

    def _write(self) -> None:
        header: dict[str, Any] = {"__metadata__": self.metadata}
        position = 0
        for name, (dtype, file) in self._parts.items():
            size = file.tell()
            header[name] = {
                "dtype": NAMES[dtype],
                "shape": self._shapes.get(name, (size // dtype.itemsize,)),
                "data_offsets": (position, position + size),
            }
            position += size
            padding = -position % ALIGNMENT
            if padding:
                header[f"{PADDING}{position}"] = {
                    "dtype": "U8",
                    "shape": (padding,),
                    "data_offsets": (position, position + padding),
                }
                position += padding
        with written_whole([self.path]) as (temporary,), temporary.open("wb") as out:
            out.write(_header_bytes(header))
            for _, file in self._parts.values():
                file.seek(0)
                shutil.copyfileobj(file, out, COPY_BYTES)
                out.write(bytes(-out.tell() % ALIGNMENT))
