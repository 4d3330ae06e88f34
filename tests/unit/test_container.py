"""Tables of arrays: round trips, agreement with `safetensors`, and what is refused."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from miriam.container import DTYPES, ContainerWriter, open_container
from miriam.errors import ModelError

ARRAYS: dict[str, np.ndarray] = {
    "bytes": np.frombuffer(b"ein Hund", dtype=np.uint8),
    "ids": np.arange(7, dtype=np.uint32),
    "scores": np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4),
    "empty": np.zeros((0, 4), dtype=np.float64),
    "one": np.array(5, dtype=np.int64),
    "flags": np.array([True, False, True]),
    "wide": np.arange(20, dtype=np.int32).reshape(4, 5)[:, ::2],
    "big endian": np.arange(3, dtype=">i4"),
}


def write(path: Path, *, kind: str = "demo", version: int = 1) -> Path:
    """A table of all kinds of arrays."""
    with ContainerWriter(path, kind=kind, version=version, metadata={"build": "b1"}) as writer:
        for name, array in ARRAYS.items():
            writer.add(name, array)
    return path


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    table = open_container(write(tmp_path / "t"), kind="demo", version=1)
    assert dict(table.metadata) == {"kind": "demo", "version": "1", "build": "b1"}
    assert list(table.arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert table[name].shape == array.shape
        assert table[name].dtype == array.dtype.newbyteorder("<")
        np.testing.assert_array_equal(table[name], array)
    assert list(tmp_path.iterdir()) == [tmp_path / "t"]


def test_safetensors_reads_the_same_arrays(tmp_path: Path) -> None:
    theirs = load_file(write(tmp_path / "t"))
    assert {name for name in theirs if not name.startswith("_padding")} == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert theirs[name].shape == array.shape
        np.testing.assert_array_equal(theirs[name], array)


@pytest.mark.parametrize("code", DTYPES.values())
def test_every_dtype_is_kept(tmp_path: Path, code: str) -> None:
    array = np.array([0, 1, 1], dtype=code)
    with ContainerWriter(tmp_path / "t", kind="demo", version=1) as writer:
        writer.add("a", array)
    found = open_container(tmp_path / "t", kind="demo", version=1)["a"]
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)
    np.testing.assert_array_equal(load_file(tmp_path / "t")["a"], array)


def test_arrays_stand_on_boundaries_of_64_bytes_and_cannot_be_changed(tmp_path: Path) -> None:
    table = open_container(write(tmp_path / "t"), kind="demo", version=1)
    for name, array in table.arrays.items():
        assert array.size == 0 or array.ctypes.data % 64 == 0, name
        assert not array.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        table["ids"][0] = 1


def test_pieces_make_one_array(tmp_path: Path) -> None:
    with ContainerWriter(tmp_path / "t", kind="demo", version=1) as writer:
        for start in range(0, 1000, 10):
            writer.append("ids", np.arange(start, start + 10, dtype=np.int32))
            writer.append("keys", np.full(3, start, dtype=np.uint64))
        writer.append("none", np.zeros(0, dtype=np.float32))
    table = open_container(tmp_path / "t", kind="demo", version=1)
    np.testing.assert_array_equal(table["ids"], np.arange(1000))
    np.testing.assert_array_equal(table["keys"], np.repeat(np.arange(0, 1000, 10), 3))
    assert table["none"].shape == (0,)


def test_a_table_without_arrays_is_a_table(tmp_path: Path) -> None:
    with ContainerWriter(tmp_path / "t", kind="demo", version=1):
        pass
    assert dict(open_container(tmp_path / "t", kind="demo", version=1).arrays) == {}
    assert load_file(tmp_path / "t") == {}


def test_the_same_arrays_give_the_same_bytes(tmp_path: Path) -> None:
    assert write(tmp_path / "one").read_bytes() == write(tmp_path / "two").read_bytes()


def test_arrays_that_a_table_cannot_hold(tmp_path: Path) -> None:
    with ContainerWriter(tmp_path / "t", kind="demo", version=1) as writer:
        writer.append("a", np.zeros(1, dtype=np.int32))
        with pytest.raises(TypeError, match="pieces of dtype int32 and int64"):
            writer.append("a", np.zeros(1, dtype=np.int64))
        with pytest.raises(TypeError, match="complex128, which a container cannot hold"):
            writer.add("c", np.zeros(1, dtype=np.complex128))


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_table(tmp_path: Path, error: type[BaseException]) -> None:
    path = write(tmp_path / "t")
    old = path.read_bytes()
    with pytest.raises(error), ContainerWriter(path, kind="demo", version=1) as writer:  # noqa: PT012
        writer.add("a", np.zeros(1000))
        raise error
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


def test_a_table_has_the_mode_that_the_umask_asks_for(tmp_path: Path) -> None:
    old = os.umask(0o077)
    try:
        write(tmp_path / "t")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "t").stat().st_mode) == 0o600


def refusal(path: Path, *, kind: str = "demo", version: int = 1) -> str:
    """What is said of a table that is refused, after its name."""
    with pytest.raises(ModelError) as caught:
        open_container(path, kind=kind, version=version)
    return str(caught.value).removeprefix(f"{path}: ")


def test_a_table_of_another_kind_or_version(tmp_path: Path) -> None:
    path = write(tmp_path / "t", kind="lm", version=3)
    assert refusal(path, kind="rules") == "expected a table of kind 'rules', found 'lm'"
    said = refusal(path, kind="lm", version=4)
    assert said.startswith("lm format version 3, and this Miriam reads version 4")


def test_an_array_that_is_missing(tmp_path: Path) -> None:
    table = open_container(write(tmp_path / "t"), kind="demo", version=1)
    with pytest.raises(ModelError, match="the array 'weights' is missing"):
        table["weights"]


def test_a_table_that_is_cut_short_anywhere(tmp_path: Path) -> None:
    path = write(tmp_path / "t")
    whole = path.read_bytes()
    for size in (0, 5, 8, 40, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        assert "cut short" in refusal(path)
    path.write_bytes(whole + b"more")
    assert f"has {len(whole) + 4:,} bytes and should have {len(whole):,}" in refusal(path)


def rewrite(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a table's header, and leave the arrays as they are."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    change(header)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + length :])


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "U7"},
        {"shape": [8]},
        {"shape": [-7]},
        {"shape": [-1, -7]},
        {"shape": "seven"},
        {"shape": None},
        {"data_offsets": [0]},
        {"data_offsets": [-28, 0]},
        {"data_offsets": [0.0, 28.0]},
        {"data_offsets": [1 << 40, (1 << 40) + 28]},
        {"data_offsets": [1, 29]},
    ],
    ids=str,
)
def test_a_damaged_entry_of_the_header(tmp_path: Path, entry: dict[str, Any]) -> None:
    path = write(tmp_path / "t")
    rewrite(path, lambda header: header["ids"].update(entry))
    refusal(path)


@pytest.mark.parametrize("name", ["ids", "__metadata__"])
@pytest.mark.parametrize("value", [5, None, "x", []], ids=str)
def test_an_entry_that_is_no_object(tmp_path: Path, name: str, value: object) -> None:
    path = write(tmp_path / "t")
    rewrite(path, lambda header: header.update({name: value}))
    refusal(path)


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"5", b'"x"', b"\xff\xfe", b"null"])
def test_a_damaged_header(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "t").write_bytes(len(text).to_bytes(8, "little") + text + bytes(100))
    assert "the header is damaged" in refusal(tmp_path / "t")


def test_a_text_file_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("ein Hund läuft\n" * 10)
    assert refusal(tmp_path / "t") == "not a table of Miriam's, or cut short within its header"
