"""Feature-decay selection against its definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miriam.corpus.decay import choose
from oracles.corpus import decay_obvious

WORDS = st.lists(st.sampled_from("abcde"), max_size=6).map(" ".join)
POOL = st.lists(WORDS, max_size=9)


@given(POOL, st.lists(WORDS, max_size=3), st.integers(0, 10), st.integers(1, 4))
def test_lines_are_chosen_by_the_definition(
    pool: list[str], text: list[str], count: int, longest: int
) -> None:
    chosen = choose(pool, text, count, longest=longest)
    expected = decay_obvious(pool, text, count, longest)
    # Where sums of the same numbers in another order tie, either line is right: scores tell.
    assert chosen.scores.tolist() == pytest.approx([score for _, score in expected], abs=1e-9)
    assert len(set(chosen.lines.tolist())) == len(chosen.lines)


@given(POOL, st.lists(WORDS, min_size=1, max_size=3), st.integers(0, 5))
def test_a_shorter_selection_is_the_begin_of_a_longer_one(
    pool: list[str], text: list[str], count: int
) -> None:
    longer, shorter = choose(pool, text, 10), choose(pool, text, count)
    assert shorter.lines.tolist() == longer.lines.tolist()[:count]
