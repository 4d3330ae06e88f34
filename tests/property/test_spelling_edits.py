"""Edits between words in the core equal those by the book."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miriam.errors import ConfigError
from miriam.features.spelling import EditFeatures, _points
from oracles.edits import distance, edit_features

WORDS = st.text(alphabet="abç𐌰", max_size=6)


def rows_of(
    edits: EditFeatures, lists: list[tuple[str, list[str]]], *, grow: bool
) -> tuple[list[float], list[list[str]]]:
    words, ends = _points([word for word, _ in lists])
    forms, form_ends = _points([form for _, some in lists for form in some])
    counts = np.cumsum([len(some) for _, some in lists], dtype=np.uint64)
    distances, row_ends, ids = edits.rows(words, ends, counts, forms, form_ends, grow)
    points, name_ends = edits.names()
    text = points.astype("<u4").tobytes().decode("utf-32-le")
    bounds = [0, *name_ends.tolist()]
    names = [text[b:e] for b, e in itertools.pairwise(bounds)]
    starts = [0, *row_ends.tolist()]
    rows = [[names[i] for i in ids[b:e]] for b, e in itertools.pairwise(starts)]
    return distances.tolist(), rows


@given(st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=3)), max_size=4))
def test_features_are_those_of_the_oracle(lists: list[tuple[str, list[str]]]) -> None:
    distances, rows = rows_of(EditFeatures(), lists, grow=True)
    pairs = [(word, form) for word, some in lists for form in some]
    assert distances == [distance(*pair) for pair in pairs]
    assert rows == [edit_features(*pair) for pair in pairs]


def test_new_features_are_left_out_unless_they_may_grow() -> None:
    edits = EditFeatures()
    rows_of(edits, [("vnd", ["und"])], grow=True)
    known = len(edits)
    _, rows = rows_of(edits, [("vnb", ["unb", "anb"])], grow=False)
    assert rows == [["v>u", "^|v>u", "v>u|n", "^|v>u|n"], []]
    assert len(edits) == known


def test_words_that_do_not_fit_together_are_refused() -> None:
    points, ends = _points(["vnd"])
    with pytest.raises(ConfigError, match="do not fit"):
        EditFeatures().rows(points, ends, np.array([2], np.uint64), points, ends, True)
    with pytest.raises(ConfigError, match="do not fit"):
        EditFeatures().rows(points, ends + 1, np.array([1], np.uint64), points, ends, True)
