"""Filters against their definitions, and Fisher's test against SciPy."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from miriam._core.rules import negative_log_p
from miriam.errors import ConfigError
from miriam.lexicon.vocabulary import encode
from miriam.rules.filters import (
    best,
    for_text,
    matching_sources,
    significance,
    significant,
    write_filtered,
)
from miriam.rules.grammar_import import import_grammar
from miriam.rules.moses_import import import_moses
from miriam.rules.table import Rule, RuleTable
from oracles.hierarchical import matches
from oracles.rules import Words, sentences_with

WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3).map(tuple)
SENTENCES = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abcde"), max_size=6).map(tuple),
        st.lists(st.sampled_from("abcde"), max_size=6).map(tuple),
    ),
    min_size=1,
    max_size=8,
)
RULES = st.dictionaries(
    st.tuples(WORDS, WORDS), st.sampled_from([0.1, 0.2, 0.5, 1.0]), min_size=1, max_size=20
)
EXAMPLES = settings(max_examples=40)


def table_of(rules: dict[tuple[Words, Words], float], folder: str) -> RuleTable:
    lines = [f"{' '.join(f)} ||| {' '.join(e)} ||| 1 1 {p} 1 |||" for (f, e), p in rules.items()]
    Path(folder, "text").write_text("\n".join(lines))
    return import_moses(f"{folder}/text", folder)


@EXAMPLES
@given(RULES, st.integers(1, 4))
def test_the_best_rules_of_each_source_phrase(
    rules: dict[tuple[Words, Words], float], k: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = table_of(rules, folder)
        kept = [rule for rule, keep in zip(table, best(table, k), strict=True) if keep]
        for source in {rule.source for rule in table}:
            everything = sorted((r.scores["phi(e|f)"] for r in table.lookup(source)), reverse=True)
            mine = [r.scores["phi(e|f)"] for r in kept if r.source == source]
            assert sorted(mine, reverse=True) == everything[:k]


SIDES = st.lists(st.sampled_from([*"abcd", "", ""]), min_size=1, max_size=5).map(
    lambda side: tuple(w or f"[X,{side[:i].count('') + 1}]" for i, w in enumerate(side))
).filter(lambda side: side != ("[X,1]",) and "[X,3]" not in side)  # fmt: skip


@EXAMPLES
@given(st.sets(SIDES, min_size=1, max_size=30), SENTENCES, st.sampled_from([1, 3, 4, None]))
def test_the_hierarchical_rules_that_a_text_can_use(
    sides: set[Words], sentences: list[tuple[Words, Words]], max_span: int | None
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"[X] ||| {' '.join(side)} ||| {' '.join(side)} ||| 1\n" for side in sides]
        Path(folder, "grammar").write_text("".join(lines))
        table = import_grammar(f"{folder}/grammar", folder)
        texts = [source for source, _ in sentences]
        expected = [
            {" ".join(side) for side in sides if matches(side, text, max_span or len(text))}
            for text in texts
        ]
        (ids,) = encode([(" ".join(text),) for text in texts], [table.source_words])
        found = matching_sources(table, ids, max_span=max_span)
        assert [{table.source_phrase(n) for n in numbers} for numbers in found] == expected
        keep = for_text(table, map(" ".join, texts), max_span=max_span)
        small = write_filtered(table, keep, f"{folder}/small")
        assert {rule.source for rule in small} == set().union(*expected)
        assert small.hierarchical


@EXAMPLES
@given(RULES, SENTENCES)
def test_the_rules_that_a_text_can_use(
    rules: dict[tuple[Words, Words], float], sentences: list[tuple[Words, Words]]
) -> None:
    sources = [source for source, _ in sentences]
    with tempfile.TemporaryDirectory() as folder:
        table = table_of(rules, folder)
        keep = for_text(table, map(" ".join, sources))
        for rule, kept in zip(table, keep, strict=True):
            assert kept == bool(sentences_with(tuple(rule.source.split()), sources))


@EXAMPLES
@given(RULES, SENTENCES)
def test_significance_counts_sentences(
    rules: dict[tuple[Words, Words], float], sentences: list[tuple[Words, Words]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = table_of(rules, folder)
        rows = [(" ".join(f), " ".join(e)) for f, e in sentences]
        bitext = encode(rows, [table.source_words, table.target_words])
        scores = significance(table, *bitext)
        for rule, score in zip(table, scores, strict=True):
            seen = [
                sentences_with(tuple(phrase.split()), list(side))
                for phrase, side in zip(
                    (rule.source, rule.target), zip(*sentences, strict=True), strict=True
                )
            ]
            p = hypergeom.sf(len(seen[0] & seen[1]) - 1, len(sentences), len(seen[0]), len(seen[1]))
            assert score == pytest.approx(-np.log(p), abs=1e-9)


@given(st.data())
def test_fisher_is_scipys(data: st.DataObject) -> None:
    sentences = data.draw(st.integers(1, 3000))
    source = data.draw(st.integers(0, sentences))
    target = data.draw(st.integers(0, sentences))
    both = data.draw(st.integers(0, min(source, target)))
    arrays = [np.array([n], np.uint32) for n in (source, target, both)]
    expected = -hypergeom.logsf(both - 1, sentences, source, target)
    assert negative_log_p(sentences, *arrays)[0] == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="more sentence pairs"):
        negative_log_p(5, *(np.array([n], np.uint32) for n in (6, 1, 1)))
    table = table_of({(("a",), ("b",)): 1.0}, str(tmp_path))
    with pytest.raises(ConfigError, match="at least 1 rule"):
        best(table, 0)
    with pytest.raises(ConfigError, match="no score 'phi'"):
        best(table, 1, score="phi")
    with pytest.raises(ConfigError, match="not known"):
        significant(np.zeros(1), 10, threshold="alpha")
    sides = encode([("a",)], [table.source_words]) + encode([("b",)] * 2, [table.target_words])
    with pytest.raises(ConfigError, match="1 source sentences, and 2 target"):
        significance(table, *sides)


@EXAMPLES
@given(RULES, st.data())
def test_a_filtered_table_has_the_rules_that_are_kept(
    rules: dict[tuple[Words, Words], float], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = table_of(rules, folder)
        size = len(table)
        keep = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), np.bool_)
        expected: list[Rule] = [rule for rule, kept in zip(table, keep, strict=True) if kept]
        small = write_filtered(table, keep, Path(folder, "small"))
        assert list(small) == expected
        for rule in expected:
            assert rule in small.lookup(rule.source)
