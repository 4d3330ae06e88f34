"""Streams of lines: what is read, what is refused, and what is left when writing fails."""

from __future__ import annotations

import gzip
import io
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from miriam.errors import InputError
from miriam.text.files import BadLines, open_read, open_write, read_lines, read_parallel

LIMIT = 1_000_000
ODD = [
    "",
    " ",
    "a",
    "grün",
    "中文",
    "😀",
    "a\tb",
    "no\u00a0break",
    "zero\u200bwidth",
    "\ufeffinside",
]
FORBIDDEN = "\0\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"


def refusal(path: Path) -> str:
    """What is said of a file that is refused, after its name."""
    with pytest.raises(InputError) as caught:
        list(read_lines(path))
    return str(caught.value).removeprefix(str(path))


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_read_as_written(tmp_path: Path, suffix: str, end: str) -> None:
    path = tmp_path / f"a{suffix}"
    with open_write(path) as out:
        out.write("".join(line + end for line in ODD).encode())
    assert list(read_lines(path)) == ODD
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"\xef\xbb\xbfa\nb", ["a", "b"]),
        (b"\r\n", [""]),
        (b"a\r", ["a"]),
    ],
)
def test_ends_and_marks(tmp_path: Path, data: bytes, lines: list[str]) -> None:
    (tmp_path / "a").write_bytes(data)
    assert list(read_lines(tmp_path / "a")) == lines


@given(st.lists(st.tuples(st.text("aé中", max_size=3), st.integers(0, 120_000)), max_size=12))
def test_lines_of_any_length_are_read(rows: list[tuple[str, int]]) -> None:
    lines = [word * (count // 4) + word for word, count in rows]
    data = "".join(line + "\n" for line in lines).encode()
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        assert list(read_lines(file.name)) == lines


@pytest.mark.parametrize("character", FORBIDDEN, ids=lambda c: f"U+{ord(c):04X}")
def test_a_character_that_breaks_lines_is_refused(tmp_path: Path, character: str) -> None:
    (tmp_path / "a").write_bytes(f"good\né{character}b\n".encode())
    assert refusal(tmp_path / "a").startswith(
        f", line 2: the character U+{ord(character):04X} at position 2,"
    )


@pytest.mark.parametrize(
    ("data", "byte"),
    [
        (b"gr\xfcn", 3),  # Latin-1
        ("grün".encode()[:3], 3),  # cut within a character
        (b"\xff\xfea\0", 1),  # UTF-16
        (b"\xed\xa0\x80", 1),  # a surrogate
        (b"\xc0\x80", 1),  # NUL in two bytes
    ],
)
def test_what_is_not_utf8_is_refused(tmp_path: Path, data: bytes, byte: int) -> None:
    (tmp_path / "a").write_bytes(b"good\n\n" + data + b"\nmore\n")
    assert refusal(tmp_path / "a") == f", line 3: not UTF-8 at byte {byte}"


def test_a_line_of_a_megabyte_is_refused_and_one_below_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"a" * (LIMIT - 1) + b"\nb\n")
    assert [len(line) for line in read_lines(path)] == [LIMIT - 1, 1]
    for size in (LIMIT, LIMIT + 1, 3 * LIMIT):
        path.write_bytes(b"x\n" + b"a" * size + b"\nlast\n")
        assert refusal(path).startswith(", line 2: a line of a megabyte or more")
        bad = BadLines(skip=True)
        assert (list(read_lines(path, bad)), bad.count) == (["x", "last"], 1)


def test_a_directory_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert refusal(tmp_path) == ": a directory, where a file is needed"
    with pytest.raises(FileNotFoundError):
        list(read_lines(tmp_path / "none"))


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_compressed_data_that_is_cut_short_or_damaged(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    with open_write(path) as out:
        out.write(b"".join(b"line %d\n" % i for i in range(10_000)))
    whole = path.read_bytes()
    for cut in (1, 8, len(whole) // 2, len(whole) - 5):
        path.write_bytes(whole[:-cut])
        assert "ends early" in refusal(path)
    path.write_bytes(b"plain text\n")
    assert ": not a sound" in refusal(path)
    middle = len(whole) // 2
    path.write_bytes(whole[:middle] + bytes(50) + whole[middle + 50 :])
    assert refusal(path)


def test_several_members_and_frames_are_one_file(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"a\n") + gzip.compress(b"b\n"))
    (tmp_path / "a.zst").write_bytes(zstandard.compress(b"a\n") + zstandard.compress(b"b\n"))
    assert list(read_lines(tmp_path / "a.gz")) == list(read_lines(tmp_path / "a.zst")) == ["a", "b"]


def test_the_same_text_gives_the_same_bytes(tmp_path: Path) -> None:
    for suffix in (".gz", ".zst"):
        for name in ("one", "two"):
            with open_write(tmp_path / f"{name}{suffix}") as out:
                out.write(b"line\n" * 1000)
        one, two = (tmp_path / f"{name}{suffix}" for name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    assert gzip.GzipFile(tmp_path / "one.gz").read() == b"line\n" * 1000
    assert (tmp_path / "one.gz").read_bytes()[4:8] == bytes(4)  # no time


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file(
    tmp_path: Path, suffix: str, error: type[BaseException]
) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(error), open_write(path) as out:  # noqa: PT012
        out.write(b"new\n" * 100_000)
        raise error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_file_has_the_mode_that_the_umask_asks_for(tmp_path: Path, mask: int) -> None:
    old = os.umask(mask)
    try:
        with open_write(tmp_path / "a") as out:
            out.write(b"a\n")
        assert os.umask(mask) == mask
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o666 & ~mask


def test_a_directory_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a directory, where a file is to be written"):  # noqa: SIM117
        with open_write(tmp_path):
            pass


def test_files_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\n2\n3\n")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"x\ny\nz"))
    rows = list(read_parallel([tmp_path / "a", tmp_path / "b.gz"]))
    assert rows == [("1", "x"), ("2", "y"), ("3", "z")]


@pytest.mark.parametrize(("first", "second"), [(3, 5), (5, 3), (0, 2), (30_000, 29_999)])
def test_files_of_different_length_are_refused(tmp_path: Path, first: int, second: int) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    for path, count in zip(paths, (first, second), strict=True):
        path.write_text("line\n" * count)
    with pytest.raises(InputError) as caught:
        list(read_parallel(paths))
    assert f"{paths[0]} has {first:,}, {paths[1]} has {second:,}" in str(caught.value)


def test_a_bad_line_is_skipped_in_all_files_and_counted_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\n\xff\n3\n4\n\xff\n")
    (tmp_path / "b").write_bytes(b"v\nw\nx\0\ny\n\xff\n")
    bad = BadLines(skip=True)
    rows = list(read_parallel([tmp_path / "a", tmp_path / "b"], bad))
    assert rows == [("1", "v"), ("4", "y")]
    assert bad.count == 3


def test_line_numbers_count_skipped_lines(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xff\n" + b"good\n" * 99_999 + b"b\xff\n")
    bad = BadLines(skip=True)
    lines = read_lines(path, bad)
    assert sum(1 for _ in zip(range(99_999), lines, strict=False)) == 99_999
    bad.skip = False
    with pytest.raises(InputError, match="line 100001: not UTF-8 at byte 2"):
        next(lines)


def test_standard_input_and_output(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("grün\r\nb".encode())))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written))
    lines = list(read_lines("-"))
    with open_write("-") as out:
        out.write(b"one\n")
    with open_write(Path("-")) as out:
        out.write(b"two\n")
    found = written.getvalue()
    monkeypatch.undo()
    assert lines == ["grün", "b"]
    assert found == b"one\ntwo\n"


def test_a_pipe_is_read_as_it_comes(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    with subprocess.Popen(["/bin/sh", "-c", f"printf 'a\\nb\\n' > {fifo}"]):
        assert list(read_lines(fifo)) == ["a", "b"]


def test_a_stream_may_be_left_early(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("line\n" * 100_000)
    lines = read_lines(tmp_path / "a")
    assert next(lines) == "line"
    lines.close()  # type: ignore[attr-defined]  # a generator; an open file would warn here
    with open_read(tmp_path / "a") as file:
        assert file.read(3) == b"lin"
