"""The same rules and scores as Moses makes of the same aligned sentence pairs.

What differs: of equally frequent alignments of a phrase pair, Moses keeps the greatest by target
word, as we do, but for the weight lex(f|e) the greatest by source word. We keep to one.
"""

from __future__ import annotations

import gzip
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from miriam.lexicon.vocabulary import NO_WORD
from miriam.rules.extract import extract_rules
from miriam.rules.settings import ExtractSettings
from miriam.rules.shards import Corpus
from miriam.rules.table import Rule, RuleTable
from oracles.rules import Lexicon, Link, Pair, Words

ORIENTATIONS = {
    "hier-mslr": "reordering-table.hier-mslr-bidirectional-fe.gz",
    "phrase-msd": "reordering-table.phrase-msd-bidirectional-fe.gz",
    "wbe-msd": "reordering-table.wbe-msd-bidirectional-fe.gz",
}
RULES = 60_720
OTHER_LINKS = 86
Key = tuple[str, str]


def rows(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield [field.strip() for field in line.rstrip("\n").split("|||")]


@pytest.fixture(scope="module")
def ours(shared_parity: Path, tmp_path_factory: pytest.TempPathFactory) -> RuleTable:
    folder = shared_parity / "extract"
    corpus = Corpus(folder / "train.de", folder / "train.en", folder / "aligned")
    settings = ExtractSettings(orientations=tuple(ORIENTATIONS))  # type: ignore[arg-type]
    return extract_rules(corpus, tmp_path_factory.mktemp("rules"), settings=settings)


@pytest.fixture(scope="module")
def rules(ours: RuleTable) -> dict[Key, Rule]:
    return {(rule.source, rule.target): rule for rule in ours}


@pytest.fixture(scope="module")
def corpus(shared_parity: Path) -> list[Pair]:
    folder = shared_parity / "extract"
    texts = [
        (folder / name).read_text(encoding="utf-8").split("\n")[:-1]
        for name in ("train.de", "train.en", "aligned")
    ]
    return [
        Pair(tuple(f.split()), tuple(e.split()), frozenset(map(link, points.split())))
        for f, e, points in zip(*texts, strict=True)
    ]


def link(point: str) -> Link:
    source, target = point.split("-")
    return int(source), int(target)


def test_rules_and_relative_frequencies(shared_parity: Path, rules: dict[Key, Rule]) -> None:
    seen = 0
    for source, target, scores, _, counts, *_ in rows(shared_parity / "extract/phrase-table.gz"):
        rule = rules[source, target]
        inverse, _, direct, _ = map(float, scores.split())
        assert math.isclose(math.exp(rule.scores["phi(f|e)"]), inverse, rel_tol=1e-5)
        assert math.isclose(math.exp(rule.scores["phi(e|f)"]), direct, rel_tol=1e-5)
        assert [rule.target_count, rule.source_count, rule.count] == list(
            map(float, counts.split())
        )
        seen += 1
    assert seen == len(rules) == RULES


def test_lexical_weights_and_links(
    shared_parity: Path, rules: dict[Key, Rule], corpus: list[Pair]
) -> None:
    # Their weights were computed from tables rounded to seven decimals.
    others = []
    for source, target, scores, points, *_ in rows(shared_parity / "extract/phrase-table.gz"):
        rule = rules[source, target]
        assert {f"{i}-{j}" for i, j in rule.links} == set(points.split())
        _, inverse, _, direct = map(float, scores.split())
        assert math.isclose(math.exp(rule.scores["lex(e|f)"]), direct, rel_tol=2e-4)
        if not math.isclose(math.exp(rule.scores["lex(f|e)"]), inverse, rel_tol=2e-4):
            others.append((rule, inverse))
    assert len(others) == OTHER_LINKS
    lexicon = Lexicon(corpus)
    for rule, inverse in others:
        pair = tuple(rule.source.split()), tuple(rule.target.split())
        links = max(
            most_frequent_links(*pair, corpus),
            key=lambda links: [
                sorted(j for i, j in links if i == f) for f in range(rule.source.count(" ") + 1)
            ],
        )
        assert lexicon.weights(*pair, links)[0] == pytest.approx(inverse, rel=2e-4)


def most_frequent_links(source: Words, target: Words, corpus: list[Pair]) -> list[frozenset[Link]]:
    """The alignments of a phrase pair that are the most frequent, looked up in the corpus."""
    links: Counter[frozenset[Link]] = Counter()
    for pair in corpus:
        if not {*source} <= {*pair.source} or not {*target} <= {*pair.target}:
            continue
        for f in range(len(pair.source) - len(source) + 1):
            for e in range(len(pair.target) - len(target) + 1):
                if (
                    pair.source[f:][: len(source)] != source
                    or pair.target[e:][: len(target)] != target
                ):
                    continue
                inside = frozenset(
                    (i - f, j - e) for i, j in pair.links if f <= i < f + len(source)
                )
                other = {(i - f, j - e) for i, j in pair.links if e <= j < e + len(target)}
                links[inside] += inside == other
    return [some for some, n in links.items() if n == max(links.values())]


@pytest.mark.parametrize(("name", "direct"), [("lex.e2f.gz", 0), ("lex.f2e.gz", 1)])
def test_word_translations(name: str, direct: int, shared_parity: Path, ours: RuleTable) -> None:
    for row in rows(shared_parity / "extract" / name):
        first, second, probability = row[0].split(" ")
        f, e = (second, first) if direct else (first, second)
        ids = ours.source_words.find(f), ours.target_words.find(e)
        source, target = (NO_WORD if i is None else i for i in ids)  # None: NULL
        assert ours.lexical.word(source, target)[direct] == pytest.approx(
            float(probability), abs=1e-6
        )


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_orientations(orientation: str, shared_parity: Path, rules: dict[Key, Rule]) -> None:
    names = [name for name in next(iter(rules.values())).scores if name.startswith(orientation)]
    keys, theirs = [], []
    for source, target, scores in rows(shared_parity / "extract" / ORIENTATIONS[orientation]):
        keys.append((source, target))
        theirs.append([float(score) for score in scores.split()])
    mine = np.exp([[rules[key].scores[name] for name in names] for key in keys])
    assert len(keys) == RULES
    np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)
