"""Exchange clustering against the definition of its objective."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from miriam._core import Progress
from miriam._core.lexicon import Exchange
from miriam.errors import ConfigError, InputError
from miriam.lexicon.classes import WordClasses
from miriam.lexicon.cluster import Clustering, ClusterSettings, Text, exchange
from oracles.lexicon import moves, objective, pairs

LINES = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f1", "f2", "<unk>"]), max_size=8).map(
        " ".join
    ),
    max_size=12,
)
SETTINGS = st.builds(
    ClusterSettings,
    classes=st.integers(1, 4),
    clip=st.integers(0, 3),
    zero_digits=st.booleans(),
    batch=st.integers(1, 5),
    seed=st.integers(0, 9),
)


def learn(lines: list[str], settings: ClusterSettings, threads: int = 1) -> Clustering:
    try:
        return exchange(lines, settings, threads=threads)
    except InputError:
        assume(False)
        raise


def numbered(classes: WordClasses) -> dict[str, int]:
    return {word: int(name) for word, name in classes.entries()}


@given(LINES, SETTINGS)
def test_the_objective_is_that_of_the_definition_and_grows(
    lines: list[str], settings: ClusterSettings
) -> None:
    result = learn(lines, settings)
    found = pairs(lines, settings.clip, settings.zero_digits)
    objectives = [p.objective for p in result.passes]
    assert objectives[-1] == pytest.approx(objective(found, numbered(result.classes)))
    assert all(b >= a - 1e-9 for a, b in itertools.pairwise(objectives))
    assert [p.moved for p in result.passes[1:-1] if p.moved == 0] == []


@given(LINES, SETTINGS)
def test_no_class_is_empty_and_the_words_are_those_of_the_text(
    lines: list[str], settings: ClusterSettings
) -> None:
    classes = numbered(learn(lines, settings).classes)
    assert set(classes.values()) == set(range(settings.classes))
    assert set(classes) == {w for _, w in pairs(lines, settings.clip, settings.zero_digits)}


@given(LINES, SETTINGS)
def test_in_the_end_no_move_makes_the_text_likelier(
    lines: list[str], settings: ClusterSettings
) -> None:
    result = learn(lines, settings)
    found = pairs(lines, settings.clip, settings.zero_digits)
    classes = numbered(result.classes)
    for word in classes:
        best = max(objective(found, moved) for moved in moves(classes, word))
        assert best == pytest.approx(result.passes[-1].objective, abs=1e-5)


@given(LINES, SETTINGS, st.integers(0, 7))
def test_a_word_moves_to_its_best_class(
    lines: list[str], settings: ClusterSettings, word: int
) -> None:
    ready = Text.read(lines, settings)
    assume(len(ready.names) > max(word, settings.classes))
    first = np.arange(len(ready.names), dtype=np.uint32) % np.uint32(settings.classes)
    sentences = ready.sentences
    native = Exchange(sentences.ids, sentences.ends, ready.predicted, first, 1)
    native.improve(np.array([word], np.uint32), 1, 1, Progress())
    before = dict(zip(ready.names, first.tolist(), strict=True))
    found = pairs(lines, settings.clip, settings.zero_digits)
    best = max(objective(found, moved) for moved in moves(before, ready.names[word]))
    assert native.objective() == pytest.approx(best)


@given(LINES, SETTINGS)
def test_threads_change_nothing(lines: list[str], settings: ClusterSettings) -> None:
    one, four = (learn(lines, settings, threads) for threads in (1, 4))
    assert one.passes == four.passes
    assert one.classes.entries() == four.classes.entries()


def test_many_words_in_parallel_give_the_classes_of_one_thread() -> None:
    draw = np.random.default_rng(0)
    lines = [
        " ".join(f"w{i}x" for i in draw.zipf(1.3, 20) % 2000) for _ in range(400)
    ]  # rows of all kinds: lists, and counts of all classes
    settings = ClusterSettings(classes=24, clip=2, zero_digits=False, passes=3)
    results = [exchange(lines, settings, threads=threads) for threads in (1, 4)]
    assert results[0].passes == results[1].passes
    assert results[0].classes.entries() == results[1].classes.entries()
    found = pairs(lines, 2, False)
    assert results[0].passes[-1].objective == pytest.approx(
        objective(found, numbered(results[0].classes))
    )


def test_the_best_of_some_seeds_finds_the_classes_that_made_the_text() -> None:
    lines = [f"{a} {b} {c}" for a in "abc" for b in "defg" for c in "hij"]
    results = [exchange(lines, ClusterSettings(classes=3, clip=0, seed=s)) for s in range(5)]
    best = max(results, key=lambda result: result.passes[-1].objective).classes
    groups = {frozenset(w for w, c in best.entries() if c == str(n)) for n in range(3)}
    assert groups == {frozenset("abc"), frozenset("defg"), frozenset("hij")}


def test_what_is_reported() -> None:
    result = exchange(["a 1 2 b", "a 33 b c"], ClusterSettings(classes=2, clip=2))
    assert (result.types, result.words) == (6, 4)
    assert [word for word, _ in result.classes.entries()] == ["a", "0", "b", "<unk>"]
    assert result.classes["44"] == result.classes["c"] == result.classes["<unk>"]
    assert result.passes[0].moved == 0


def test_texts_with_too_few_words_are_refused() -> None:
    with pytest.raises(InputError, match="3 different words, too few for 512 classes; ask for"):
        exchange(["a b c"], ClusterSettings(clip=0))
    with pytest.raises(InputError, match="0 different words, too few for 1 classes"):
        exchange([""], ClusterSettings(classes=1))


def test_arrays_that_do_not_fit_are_refused() -> None:
    ids, ends = np.array([0, 1], np.uint32), np.array([2], np.uint64)
    two, none = np.array([0, 1], np.uint32), np.array([], np.uint32)
    Exchange(ids, ends, two, two, 1)
    for wrong in (
        (ids, ends, two, none),
        (ids, ends, none, two),
        (ids, ends[:0], two, two),
        (ids, ends, two, np.array([0, 2], np.uint32)),
    ):
        with pytest.raises(ConfigError):
            Exchange(*wrong, 1)
    with pytest.raises(ConfigError):
        Exchange(ids, ends, two, two, 1).improve(two, 0, 1, Progress())
    with pytest.raises(ConfigError):
        Exchange(ids, ends, two, two, 1).improve(two + np.uint32(1), 1, 1, Progress())
