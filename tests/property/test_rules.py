"""Extraction, scores and orientations against their definitions, on random small alignments."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aligned_text import write
from miriam.rules.extract import extract_rules
from miriam.rules.settings import ExtractSettings
from miriam.rules.table import RuleTable
from oracles.rules import Lexicon, Pair, best_links, extract, smoothed

KINDS = ("wbe", "phrase", "hier", "symmetric")
EXAMPLES = settings(max_examples=40)


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    source = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=7))
    target = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=7))
    cells = [(f, e) for f in range(len(source)) for e in range(len(target))]
    links = draw(st.lists(st.sampled_from(cells), max_size=9))
    domain = draw(st.sampled_from(["", "news", "law"]))
    return Pair(tuple(source), tuple(target), frozenset(links), domain)


CORPORA = st.lists(pairs(), min_size=1, max_size=6)


def table_of(corpus: Sequence[Pair], **options: object) -> RuleTable:
    with tempfile.TemporaryDirectory() as folder:
        files = write(corpus, Path(folder))
        return extract_rules(files, folder, settings=ExtractSettings(**options))  # type: ignore[arg-type]


@EXAMPLES
@given(CORPORA, st.integers(1, 7))
def test_rules_and_counts_are_those_of_the_definition(corpus: list[Pair], longest: int) -> None:
    expected = extract(corpus, longest)
    table = table_of(corpus, max_length=longest)
    found = {(tuple(r.source.split()), tuple(r.target.split())): r for r in table}
    assert found.keys() == expected.keys()
    for (source, target), rule in found.items():
        count = expected[source, target].count
        source_count = sum(r.count for (f, _), r in expected.items() if f == source)
        target_count = sum(r.count for (_, e), r in expected.items() if e == target)
        assert (rule.count, rule.source_count, rule.target_count) == (
            count, source_count, target_count,
        )  # fmt: skip
        assert math.exp(rule.scores["phi(e|f)"]) == pytest.approx(count / source_count)
        assert math.exp(rule.scores["phi(f|e)"]) == pytest.approx(count / target_count)
        assert math.exp(rule.scores["count"]) == pytest.approx(count)
        assert rule.scores["unique"] == (-1 if count == 1 else 0)
        assert set(rule.domains) == expected[source, target].domains


@EXAMPLES
@given(CORPORA)
def test_links_and_lexical_weights(corpus: list[Pair]) -> None:
    expected = extract(corpus)
    lexicon = Lexicon(corpus)
    for rule in table_of(corpus):
        source, target = tuple(rule.source.split()), tuple(rule.target.split())
        # The greatest of the most frequent ones, compared by target word.
        links = max(
            best_links(expected[source, target]),
            key=lambda links: [sorted(i for i, j in links if j == e) for e in range(len(target))],
        )
        assert frozenset(rule.links) == links
        weights = math.exp(rule.scores["lex(f|e)"]), math.exp(rule.scores["lex(e|f)"])
        assert weights == pytest.approx(lexicon.weights(source, target, links))


@EXAMPLES
@given(CORPORA, st.sampled_from(["msd", "mslr"]), st.integers(1, 7), st.sampled_from([0.5, 0.1]))
def test_orientations(corpus: list[Pair], classes: str, longest: int, smoothing: float) -> None:
    expected = extract(corpus, longest, KINDS)
    models = tuple(f"{kind}-{classes}" for kind in KINDS)
    table = table_of(corpus, max_length=longest, orientations=models, smoothing=smoothing)
    for rule in table:
        counted = expected[tuple(rule.source.split()), tuple(rule.target.split())]
        for kind, model in zip(KINDS, models, strict=True):
            for direction, counts in (("previous", counted.previous), ("next", counted.next)):
                scores = [v for k, v in rule.scores.items() if k.startswith(f"{model}.{direction}")]
                assert scores == pytest.approx(
                    smoothed(counts[kind], len(classes), smoothing), rel=1e-5
                ), (model, direction)


@EXAMPLES
@given(CORPORA)
def test_rules_of_a_source_phrase_are_found_together_best_first(corpus: list[Pair]) -> None:
    table = table_of(corpus)
    rules = list(table)
    assert len(table) == len(rules)
    for source in {rule.source for rule in rules}:
        found = table.lookup(source)
        assert found == [rule for rule in rules if rule.source == source]
        assert [rule.count for rule in found] == sorted((r.count for r in found), reverse=True)
    assert table.lookup("no such words") == table.lookup("") == []


@EXAMPLES
@given(CORPORA, st.integers(1, 5_000), st.integers(1, 4))
def test_memory_and_threads_leave_no_trace(corpus: list[Pair], memory: int, threads: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = [write(corpus, Path(folder)) for _ in range(2)]
        few = ExtractSettings(memory=memory, threads=threads)
        one = extract_rules(files[0], Path(folder, "one"))
        two = extract_rules(files[1], Path(folder, "two"), settings=few)
        assert one.container.path.read_bytes() == two.container.path.read_bytes()
