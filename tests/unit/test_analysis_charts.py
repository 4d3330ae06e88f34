"""Charts, as data and as SVG; scores of groups; word differences."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miriam.analysis.charts import Bars, Chart, Lines, Points, ticks
from miriam.analysis.difference import difference
from miriam.analysis.groups import by_frequency, by_length
from miriam.analysis.pictures import draw
from miriam.analysis.svg import render
from miriam.metrics import Wer

LINES = Lines(
    name="l", title="A & B", x="epoch", y="score", xs=[0, 1, 2], ys=[30.0, 35, 34], mark=1
)
BARS = Bars(name="b", title="Score", x="words", y="BLEU", groups=["1–5", "≥ 6"], sizes=[10, 20],
            series={"untuned": [20.0, 30.0], "tuned": [25.0, 0.0]})  # fmt: skip
STEPS = Bars(name="s", title="Time", x="step", y="seconds", groups=["align"],
             series={"seconds": [3.0]}, horizontal=True)  # fmt: skip
POINTS = Points(name="p", title="P", x="a", y="b", xs=[0, 50], ys=[10, 100], note="n = 2")


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(3, 9))
def test_ticks_span_the_interval_with_round_numbers(low: float, size: float, most: int) -> None:
    found = ticks(low, low + size, most=most)
    assert found[0] <= low + 1e-6 * size
    assert found[-1] >= low + size - 1e-6 * size
    assert 2 <= len(found) <= most + 2
    assert np.allclose(np.diff(found), found[1] - found[0])


@pytest.mark.parametrize("chart", [LINES, BARS, POINTS])
def test_svg_is_well_formed(chart: Chart) -> None:
    root = ET.fromstring(render(chart))  # noqa: S314  # our own
    assert root.tag == "svg"
    shapes = {Lines: ("circle", 3), Bars: ("rect", 4), Points: ("circle", 2)}[type(chart)]
    assert len(root.findall(shapes[0])) == shapes[1]


def test_a_flat_line_and_a_single_point_are_drawn() -> None:
    for ys in ([19.0, 19.0], [0.0, 0.0]):
        flat = Lines(name="f", title="F", x="x", y="y", xs=[0, 1], ys=ys)
        assert "nan" not in render(flat)
    assert "nan" not in render(Lines(name="f", title="F", x="x", y="y", xs=[3], ys=[5]))


@pytest.mark.parametrize("form", ["png", "svg"])
def test_pictures_are_the_same_again(tmp_path: Path, form: str) -> None:
    pytest.importorskip("matplotlib")
    files = [tmp_path / f"{name}.{form}" for name in "ab"]
    for file in files:
        draw([LINES, BARS, STEPS, POINTS], file, dots=40)
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert first.startswith(b"\x89PNG" if form == "png" else b"<?xml")


words = st.lists(st.sampled_from("abc"), max_size=8)


@given(words, words)
def test_pieces_make_up_both_sentences(first: list[str], second: list[str]) -> None:
    pieces = difference(first, second)
    assert [w for piece in pieces for w in piece.first] == first
    assert [w for piece in pieces for w in piece.second] == second


def test_scores_by_length_add_up() -> None:
    rng = np.random.default_rng(1)
    stats = np.stack([rng.integers(0, 5, 50), rng.integers(5, 60, 50)], axis=1).astype(float)
    lengths = rng.integers(1, 70, 50).tolist()
    groups = by_length(Wer(), {"ours": stats}, lengths)
    assert sum(groups.sizes) == 50
    every = by_length(Wer(), {"ours": stats}, [3] * 50)
    assert every.names == ("1–5",)
    assert every.scores["ours"] == (Wer().score(stats.sum(axis=0)),)


def test_words_are_found_by_frequency() -> None:
    frequency = {"the": 2000, "dog": 10}.get
    references = [[["the", "dog"], ["the", "hound"]]]
    systems = {"a": [["the", "the", "dog"]], "b": [["hound"]]}
    groups = by_frequency(systems, references, lambda word: frequency(word, 0))
    assert groups.names == ("0", "6–20", "≥ 1001")
    # The second `the` is not right; each reference has one `the`, and it is found.
    assert groups.scores["a"][2] == pytest.approx(200 * 0.5 / 1.5)
    assert groups.scores["a"][1] == 100.0
    assert groups.scores["b"] == (100.0, 0.0, 0.0)
    assert groups.sizes == (0, 0, 1)
