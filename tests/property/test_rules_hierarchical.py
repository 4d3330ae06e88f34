"""Hierarchical extraction against its definition, on random small alignments."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aligned_text import write
from miriam.rules.extract import extract_rules
from miriam.rules.settings import HierarchicalSettings
from miriam.rules.table import RuleTable
from oracles.hierarchical import Limits, extract, weights
from oracles.rules import Lexicon, Pair

EXAMPLES = settings(max_examples=60)


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """Sentence pairs of which most have many phrases: a permutation with some noise."""
    length = draw(st.integers(1, 7))
    source = draw(st.lists(st.sampled_from("abcde"), min_size=length, max_size=length))
    target = draw(st.lists(st.sampled_from("vwxyz"), min_size=length, max_size=length))
    order = draw(st.permutations(range(length)))
    kept = draw(st.sets(st.integers(0, length - 1)))
    cells = [(f, e) for f in range(length) for e in range(length)]
    more = draw(st.lists(st.sampled_from(cells), max_size=2))
    return Pair(
        tuple(source), tuple(target), frozenset([*((i, order[i]) for i in sorted(kept)), *more]),
        draw(st.sampled_from(["", "news", "law"])),
    )  # fmt: skip


CORPORA = st.lists(pairs(), min_size=1, max_size=5)
LIMITS = st.builds(
    Limits,
    max_length=st.integers(1, 8),
    max_symbols=st.integers(1, 7),
    max_gaps=st.integers(0, 2),
    adjacent=st.booleans(),
    tight=st.booleans(),
    least_links=st.integers(1, 3),
)


def table_of(corpus: Sequence[Pair], limits: Limits, **options: int) -> RuleTable:
    chosen = HierarchicalSettings(**{**msgspec.to_builtins(limits), **options})
    with tempfile.TemporaryDirectory() as folder:
        return extract_rules(write(corpus, Path(folder)), folder, settings=chosen)


@EXAMPLES
@given(CORPORA, LIMITS)
def test_rules_and_counts_are_those_of_the_definition(corpus: list[Pair], limits: Limits) -> None:
    expected = extract(corpus, limits)
    table = table_of(corpus, limits)
    assert table.hierarchical
    found = {(tuple(r.source.split()), tuple(r.target.split())): r for r in table}
    assert found.keys() == expected.keys()
    for (source, target), rule in found.items():
        count = float(expected[source, target].count)
        source_count = float(sum(r.count for (f, _), r in expected.items() if f == source))
        target_count = float(sum(r.count for (_, e), r in expected.items() if e == target))
        assert (rule.count, rule.source_count, rule.target_count) == pytest.approx(
            (count, source_count, target_count), rel=1e-5
        )
        assert rule.scores["phi(e|f)"] == pytest.approx(math.log(count / source_count), abs=1e-5)
        assert rule.scores["phi(f|e)"] == pytest.approx(math.log(count / target_count), abs=1e-5)
        assert rule.scores["count"] == pytest.approx(math.log(count), abs=1e-5)
        assert rule.scores["unique"] == (-1 if rule.count <= 1 else 0)


@EXAMPLES
@given(CORPORA, LIMITS)
def test_links_and_lexical_weights(corpus: list[Pair], limits: Limits) -> None:
    expected = extract(corpus, limits)
    lexicon = Lexicon(corpus)
    for rule in table_of(corpus, limits):
        source, target = tuple(rule.source.split()), tuple(rule.target.split())
        links = frozenset(rule.links)
        counted = expected[source, target].links
        assert float(counted[links]) == pytest.approx(float(max(counted.values())), rel=1e-5)
        found = math.exp(rule.scores["lex(f|e)"]), math.exp(rule.scores["lex(e|f)"])
        assert found == pytest.approx(weights(lexicon, source, target, links))


@EXAMPLES
@given(CORPORA)
def test_domains_are_those_of_all_sentence_pairs(corpus: list[Pair]) -> None:
    limits = Limits()
    for rule in table_of(corpus, limits):
        key = tuple(rule.source.split()), tuple(rule.target.split())
        assert set(rule.domains) == {p.domain for p in corpus if key in extract([p], limits)} - {""}


@EXAMPLES
@given(CORPORA, st.integers(1, 5_000), st.integers(1, 4))
def test_memory_and_threads_leave_no_trace(corpus: list[Pair], memory: int, threads: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = [write(corpus, Path(folder)) for _ in range(2)]
        few = HierarchicalSettings(memory=memory, threads=threads)
        one = extract_rules(files[0], Path(folder, "one"), settings=HierarchicalSettings())
        two = extract_rules(files[1], Path(folder, "two"), settings=few)
        assert one.container.path.read_bytes() == two.container.path.read_bytes()


def test_a_count_beyond_one_record_is_whole() -> None:
    """A record has room for a count of 255; the rest are more records, which add up."""
    corpus = [Pair(("a",), ("x",), frozenset([(0, 0)]))] * 1000
    (rule,) = table_of(corpus, Limits())
    assert (rule.count, rule.source_count, rule.target_count) == (1000, 1000, 1000)
    assert rule.scores["count"] == pytest.approx(math.log(1000))
    assert all(score == 0 for name, score in rule.scores.items() if name != "count")
