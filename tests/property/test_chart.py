"""The hierarchical decoder without pruning against all derivations, and against phrases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam._core.search import Settings
from miriam.lm import Estimation, estimate
from miriam.lm.model import LanguageModel
from miriam.rules.grammar_import import import_grammar
from miriam.rules.moses_import import import_moses
from miriam.rules.table import RuleTable
from miriam.search import Decoder, Derivation, SearchSettings, Sentence
from oracles.chart import GAPS, Rule, derivations, features
from oracles.chart import Derivation as Trees
from oracles.search import score

SOURCE, TARGET = "abc", "wxyz"
COLUMNS = ["phi", "lex"]
SIDES = ["G a", "a G", "G b", "a G b", "G a G", "G G b", "a G c G", "G a b G"]
TEXT = ["w x y z", "x x w", "z y", "w z x y", "y w", "x z z w y"]
ALL = 100_000


class WithoutRecombination(SearchSettings, frozen=True, kw_only=True):
    """Every item one of its own."""

    def native(self, *, nbest: int = 1, distinct: bool = False) -> Settings:
        native = super().native(nbest=nbest, distinct=distinct)
        native.recombine = False
        return native


@cache
def word_model() -> LanguageModel:
    return estimate(TEXT, Estimation(order=3, threads=1)).model()


@pytest.fixture(scope="module", autouse=True)
def _models_end_with_their_tests() -> Iterator[None]:
    yield
    word_model.cache_clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("chart")


@dataclass
class World:
    """A random grammar and a random sentence."""

    table: RuleTable
    sentence: tuple[str, ...]
    rules: list[Rule]

    def all(self, max_span: int) -> list[Trees]:
        return list(derivations(self.rules, self.sentence, max_span=max_span))


def grammar_lines(rules: list[Rule]) -> str:
    """The rules as cdec writes them."""
    lines = [
        f"[X] ||| {' '.join(rule.source)} ||| "
        f"{' '.join(w.replace('X,', '') if w in GAPS else w for w in rule.target)} ||| "
        + " ".join(f"{name}={float(s)!r}" for name, s in zip(COLUMNS, rule.scores, strict=True))
        for rule in rules
    ]
    return "\n".join(lines) + "\n"


def world(seed: int, folder: Path, *, words: int = 4) -> World:
    rng = np.random.default_rng(seed)
    sentence = tuple(rng.choice(list(SOURCE), size=int(rng.integers(0, words + 1))))
    rules: dict[tuple[tuple[str, ...], tuple[str, ...]], Rule] = {}

    def add(source: tuple[str, ...], gaps: tuple[str, ...]) -> None:
        own = rng.choice([*TARGET, "v"], size=int(rng.integers(0 if gaps else 1, 4)))
        target = tuple(rng.permutation([*own, *gaps]).tolist())
        scores = tuple(rng.uniform(-3, 0, len(COLUMNS)).astype(np.float32).astype(float))
        rules.setdefault((source, target), Rule(source, target, scores))

    for phrase in [("a",), *(tuple(rng.choice(list(SOURCE), size=int(n))) for n in (1, 2))]:
        for _ in range(int(rng.integers(1, 3))):
            add(phrase, ())
    for side in rng.choice(SIDES, size=int(rng.integers(0, 5))):
        names = iter(GAPS)
        source = tuple(next(names) if s == "G" else s for s in side.split())
        add(source, tuple(s for s in source if s in GAPS))
    (folder / "grammar").write_text(grammar_lines(list(rules.values())))
    table = import_grammar(folder / "grammar", folder)
    known = {rule.source for rule in rules.values()}
    unknown = [Rule((w,), (w,), unknown=True) for w in set(sentence) if (w,) not in known]
    return World(table, sentence, [*rules.values(), *unknown])


def random_weights(decoder: Decoder, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 0.5, len(decoder.features.dense))


Key = tuple[tuple[int, int, tuple[str, ...], tuple[str, ...]], ...]


def key(d: Derivation) -> Key:
    return tuple((p.begin, p.end, p.source, p.target) for p in d.phrases)


def oracle_key(trees: Trees) -> Key:
    return tuple((b, e, r.source, r.target) for tree in trees for b, e, r in tree.rules)


def values_of(trees: Trees) -> dict[str, float]:
    return features(trees, COLUMNS, word_model().score)


def found(decoder: Decoder, w: World, weights: np.ndarray) -> dict[Key, float]:
    list_ = decoder.decode([Sentence(w.sentence)], weights, nbest=ALL)[0]
    scores = [d.score for d in list_]
    assert scores == sorted(scores, reverse=True)
    result = {key(d): d.score for d in list_}
    assert len(result) == len(list_)
    return result


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3, 10]))
def test_without_pruning_all_derivations_are_found(folder: Path, seed: int, max_span: int) -> None:
    w = world(seed, folder)
    search = SearchSettings(pops=60_000, rule_limit=60_000, max_span=max_span)
    decoder = Decoder(w.table, {"LM": word_model()}, settings=search)
    weights = random_weights(decoder, seed)
    by_name = dict(zip(decoder.features.dense, weights, strict=True))
    spelt = {oracle_key(trees): trees for trees in w.all(max_span)}
    expected = {k: score(values_of(trees), by_name) for k, trees in spelt.items()}
    assert found(decoder, w, weights) == pytest.approx(expected, abs=1e-5)
    if expected:
        decoded = decoder.decode([Sentence(w.sentence)], weights)
        assert decoded[0][0].score == pytest.approx(max(expected.values()), abs=1e-5)
        words = [word for tree in spelt[key(decoded[0][0])] for word in tree.target]
        assert decoded[0][0].tokens == tuple(words)
        assert decoded.texts() == [" ".join(words)]


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_features_are_those_of_the_definition(folder: Path, seed: int) -> None:
    w = world(seed, folder)
    search = SearchSettings(pops=60_000, rule_limit=60_000)
    decoder = Decoder(w.table, {"LM": word_model()}, settings=search)
    weights = random_weights(decoder, seed)
    decoded = decoder.decode([Sentence(w.sentence)], weights, nbest=ALL)
    by_key = {oracle_key(trees): values_of(trees) for trees in w.all(10)}
    for row, derivation in zip(decoded.nbest.dense, decoded[0], strict=True):
        values = dict(zip(decoder.features.dense, row, strict=True))
        assert values == pytest.approx(by_key[key(derivation)], abs=1e-5)
    assert decoded.scores == pytest.approx(decoded.arrays[2], abs=1e-5)


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_recombination_loses_nothing(folder: Path, seed: int) -> None:
    w = world(seed, folder)
    kinds: list[type[SearchSettings]] = [SearchSettings, WithoutRecombination]
    results = []
    for kind in kinds:
        decoder = Decoder(
            w.table, {"LM": word_model()}, settings=kind(pops=60_000, rule_limit=60_000)
        )
        results.append(found(decoder, w, random_weights(decoder, seed)))
    assert results[1] == pytest.approx(results[0], abs=1e-5)


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_distinct_lists_have_the_best_of_each_translation(folder: Path, seed: int) -> None:
    w = world(seed, folder)
    decoder = Decoder(
        w.table, {"LM": word_model()}, settings=SearchSettings(pops=60_000, rule_limit=60_000)
    )
    weights = random_weights(decoder, seed)
    best: dict[str, float] = {}
    for derivation in decoder.decode([Sentence(w.sentence)], weights, nbest=ALL)[0]:
        best.setdefault(str(derivation), derivation.score)
    lists = decoder.decode([Sentence(w.sentence)], weights, nbest=ALL, distinct=True)[0]
    assert {str(d): d.score for d in lists} == pytest.approx(best)
    assert len(lists) == len(best)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.booleans())
def test_a_required_translation_leaves_the_derivations_that_make_it(
    folder: Path, seed: int, whole: bool
) -> None:
    w = world(seed, folder)
    decoder = Decoder(
        w.table, {"LM": word_model()}, settings=SearchSettings(pops=60_000, rule_limit=60_000)
    )
    weights = random_weights(decoder, seed)
    free = decoder.decode([Sentence(w.sentence)], weights, nbest=ALL)[0]
    tokens = free[len(free) // 2].tokens
    wanted = tokens if whole else tokens[: 1 + len(tokens) // 2]
    sentence = (
        Sentence(w.sentence, reference=wanted) if whole else Sentence(w.sentence, prefix=wanted)
    )
    forced = decoder.decode([sentence], weights, nbest=ALL)[0]
    kept = {
        key(d): d.score
        for d in free
        if (d.tokens == wanted if whole else d.tokens[: len(wanted)] == wanted)
    }
    assert {key(d): d.score for d in forced} == pytest.approx(kept, abs=1e-5)


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_phrases_glued_in_order_are_phrases_without_reordering(folder: Path, seed: int) -> None:
    w = world(seed, folder)
    phrases = [rule for rule in w.rules if not rule.unknown and not {*rule.source} & {*GAPS}]
    (folder / "phrases").write_text(grammar_lines(phrases))
    hierarchical = Decoder(
        import_grammar(folder / "phrases", folder), {"LM": word_model()},
        settings=SearchSettings(pops=60_000),
    )  # fmt: skip
    lines = [
        f"{' '.join(r.source)} ||| {' '.join(r.target)} ||| {' '.join(map(str, np.exp(r.scores)))}"
        for r in phrases
    ]
    (folder / "table").write_text("\n".join(lines) + "\n")
    by_phrases = Decoder(
        import_moses(folder / "table", folder, scores=COLUMNS), {"LM": word_model()},
        settings=SearchSettings(pops=60_000, distortion_limit=0),
    )  # fmt: skip
    named = {
        "TM:phi": 0.3, "TM:lex": 0.7, "LM": 0.9, "WordPenalty": -0.4, "UnknownWord": 2.0,
        "PhrasePenalty": 0.2, "RulePenalty": 0.2,
    }  # fmt: skip
    results = []
    for decoder in (hierarchical, by_phrases):
        weights = np.array([named.get(name, 0.0) for name in decoder.features.dense])
        lists = decoder.decode([Sentence(w.sentence)], weights, nbest=1000)[0]
        results.append(
            [(tuple((p.begin, p.end, p.target) for p in d.phrases), d.score) for d in lists]
        )
    assert dict(results[0]) == pytest.approx(dict(results[1]), abs=1e-5)
