"""Pharaoh format: what is written is read, and what is wrong is refused with file and line."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miriam.align.links import Links, read_links, write_links
from miriam.errors import InputError
from miriam.lexicon.vocabulary import Sentences

POINT = st.tuples(st.integers(0, 5), st.integers(0, 7))


def sentences(*lengths: int) -> Sentences:
    return Sentences(np.zeros(sum(lengths), np.uint32), np.cumsum(lengths, dtype=np.uint64))


@given(pairs=st.lists(st.sets(POINT, max_size=9), max_size=8))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[set[tuple[int, int]]]
) -> None:
    path = tmp_path_factory.mktemp("links") / "aligned"
    write_links(path, Links.of(pairs))
    expected = [" ".join(f"{s}-{t}" for s, t in sorted(pair)) for pair in pairs]
    assert path.read_text().splitlines() == expected
    links = read_links(path, sentences(*[6] * len(pairs)), sentences(*[8] * len(pairs)))
    assert [{(s, t) for s, t in pair.tolist()} for pair in links] == pairs


def test_order_blanks_and_repetitions_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "aligned"
    path.write_bytes(b"  2-1\t0-0 2-1 \r\n\n1-0")
    links = read_links(path, sentences(3, 1, 2), sentences(2, 1, 1))
    assert [pair.tolist() for pair in links] == [[[0, 0], [2, 1]], [], [[1, 0]]]


def test_lines_are_counted_through_blocks(tmp_path: Path) -> None:
    path, count = tmp_path / "aligned", 100_000  # several blocks of the reader
    path.write_text("0-0 1-1\n" * count + "0-1 3-0\n")
    good = sentences(*[4] * (count + 1))
    assert read_links(path, good, good)[count].tolist() == [[0, 1], [3, 0]]
    short = sentences(*[4] * count, 3)
    with pytest.raises(InputError, match=rf"aligned, line {count + 1}: the point 3-0 lies outside"):
        read_links(path, short, good)


@pytest.mark.parametrize("text", ["0", "0-", "-0", "a-b", "0-0-0", "0--1", "+0-0", "99999999999-0"])
def test_what_is_no_point_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "aligned"
    path.write_text(f"0-0\n0-0 {text}\n")
    with pytest.raises(
        InputError, match=f"line 2: expected points such as 0-2, found '{re.escape(text)}'"
    ):
        read_links(path, sentences(1, 1), sentences(1, 1))


@pytest.mark.parametrize("lines", [0, 2, 4])
def test_too_few_and_too_many_lines_are_refused_with_both_counts(
    tmp_path: Path, lines: int
) -> None:
    path = tmp_path / "aligned"
    path.write_text("0-0\n" * lines)
    with pytest.raises(InputError, match=f"aligned: {lines} lines, for 3 sentence pairs"):
        read_links(path, sentences(1, 1, 1), sentences(1, 1, 1))


def test_sides_of_different_length_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="2 source sentences, and 1 target sentences"):
        read_links(tmp_path / "none", sentences(1, 1), sentences(1))
