"""The decoder with an infinite beam against exhaustive search, with every non-local feature."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam._core.search import Settings
from miriam.features import (
    AdjacentFlag,
    BoundaryTemplate,
    OrientationTemplate,
    Rule,
    RuleFunction,
)
from miriam.lexicon.classes import WordClasses
from miriam.lm import Estimation, estimate
from miriam.lm.classes import ClassModel, replace_words
from miriam.lm.model import LanguageModel
from miriam.rules.moses_import import import_moses
from miriam.rules.table import RuleTable
from miriam.search import Decoder, FeatureSet, Forced, SearchSettings, Sentence
from oracles.search import (
    Derivation,
    Option,
    block_events,
    derivations,
    event,
    features,
    phrase_events,
    score,
    within_limit,
)

SOURCE, TARGET = "abcd", "wxyz"
COLUMNS = ["phi", "lex"] + [
    f"{model}.{direction}.{kind}"
    for model, kinds in (
        ("wbe-msd", ("monotone", "swap", "discontinuous")),
        ("hier-mslr", ("monotone", "swap", "left", "right")),
    )
    for direction in ("previous", "next")
    for kind in kinds
]
TEXT = ["w x y z", "x x w", "z y", "w z x y", "y w", "x z z w y"]
CLASSES = WordClasses({"w": "1", "x": "1", "y": "2", "z": "2", "<unk>": "2"})
ALL = 50_000
BEAM = SearchSettings(pops=60_000, stack=60_000, distortion_limit=None)


class WithoutRecombination(SearchSettings, frozen=True, kw_only=True):
    """Every hypothesis a node of its own."""

    def native(self, *, nbest: int = 1, distinct: bool = False) -> Settings:
        native = super().native(nbest=nbest, distinct=distinct)
        native.recombine = False
        return native


@dataclass
class World:
    """A random table and the options of a random sentence."""

    table: RuleTable
    sentence: tuple[str, ...]
    options: list[Option]

    def all(self, limit: int | None = None, *, jumps: bool = False) -> list[Derivation]:
        return list(derivations(len(self.sentence), self.options, within_limit(limit, jumps=jumps)))


Rules = dict[tuple[str, ...], dict[tuple[str, ...], np.ndarray]]


def write(path: Path, rules: Rules, columns: slice) -> Path:
    """A table in Moses' format with some of the columns."""
    lines = [
        f"{' '.join(source)} ||| {' '.join(target)} ||| {' '.join(map(str, scores[columns]))}"
        for source, targets in rules.items()
        for target, scores in targets.items()
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def world(seed: int, folder: Path, *, words: int = 4) -> World:
    rng = np.random.default_rng(seed)
    sentence = tuple(rng.choice(list(SOURCE), size=int(rng.integers(0, words + 1))))
    spans = [(b, e) for b in range(len(sentence)) for e in range(b + 1, len(sentence) + 1)]
    phrases = {sentence[b:e]: 1 for b, e in spans if e - b <= 2 and rng.random() < 0.6}
    phrases[("a",)] = 1  # a table is never empty
    rules: Rules = {}
    for phrase in phrases:
        for _ in range(int(rng.integers(1, 3))):
            target = tuple(rng.choice([*TARGET, "v"], size=int(rng.integers(1, 4))))
            rules.setdefault(phrase, {})[target] = rng.uniform(0.05, 1, len(COLUMNS))
    table = import_moses(
        write(folder / "table", rules, slice(0, 2)),
        folder,
        scores=COLUMNS[:2],
        reordering=[
            write(folder / "wbe-msd-bidirectional-fe", rules, slice(2, 8)),
            write(folder / "hier-mslr-bidirectional-fe", rules, slice(8, None)),
        ],
    )
    assert list(table.score_names) == COLUMNS
    options = [
        Option(b, e, target, tuple(np.log(p).astype(np.float32).astype(float)))
        for b, e in spans
        for target, p in rules.get(sentence[b:e], {}).items()
    ]
    options += [
        Option(i, i + 1, (word,), unknown=True)
        for i, word in enumerate(sentence) if (word,) not in rules
    ]  # fmt: skip
    return World(table, sentence, options)


@cache
def word_model() -> LanguageModel:
    return estimate(TEXT, Estimation(order=3, threads=1)).model()


@cache
def class_model() -> ClassModel:
    text = replace_words(TEXT, CLASSES)
    return ClassModel(estimate(text, Estimation(order=3, threads=1)).model(), CLASSES)


@pytest.fixture(scope="module", autouse=True)
def _models_end_with_their_tests() -> Iterator[None]:
    yield
    word_model.cache_clear()
    class_model.cache_clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("search")


def random_weights(decoder: Decoder, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 0.5, len(decoder.features.dense))


def values_of(world: World, derivation: Derivation) -> dict[str, float]:
    columns = {name: i for i, name in enumerate(COLUMNS)}
    return features(derivation, columns, word_model().score)


Key = tuple[tuple[int, int, tuple[str, ...]], ...]


def key(phrases: Sequence[Any]) -> Key:
    return tuple((p.begin, p.end, tuple(p.target)) for p in phrases)


def found(decoder: Decoder, world: World, weights: np.ndarray) -> dict[Key, float]:
    list_ = decoder.decode([Sentence(world.sentence)], weights, nbest=ALL)[0]
    scores = [d.score for d in list_]
    assert scores == sorted(scores, reverse=True)
    result = {key(d.phrases): d.score for d in list_}
    assert len(result) == len(list_)
    return result


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([None, 0, 1, 2, 3]), st.booleans())
def test_an_infinite_beam_is_exhaustive(
    folder: Path, seed: int, limit: int | None, jumps: bool
) -> None:
    w = world(seed, folder)
    search = SearchSettings(
        pops=60_000, stack=60_000, distortion_limit=limit, limit_jumps=jumps and limit is not None
    )
    decoder = Decoder(w.table, {"LM": word_model()}, settings=search)
    weights = random_weights(decoder, seed)
    by_name = dict(zip(decoder.features.dense, weights, strict=True))
    expected = {
        key(d): score(values_of(w, d), by_name) for d in w.all(limit, jumps=search.limit_jumps)
    }
    assert found(decoder, w, weights) == pytest.approx(expected, abs=1e-5)
    if expected:
        (best,) = decoder.decode([Sentence(w.sentence)], weights)[0]
        assert best.score == pytest.approx(max(expected.values()), abs=1e-5)


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_features_are_those_of_the_definition(folder: Path, seed: int) -> None:
    w = world(seed, folder)
    decoder = Decoder(w.table, {"LM": word_model()}, settings=BEAM)
    weights = random_weights(decoder, seed)
    decoded = decoder.decode([Sentence(w.sentence)], weights, nbest=ALL)
    by_key = {key(d): values_of(w, d) for d in w.all()}
    for row, derivation in zip(decoded.nbest.dense, decoded[0], strict=True):
        values = dict(zip(decoder.features.dense, row, strict=True))
        assert values == pytest.approx(by_key[key(derivation.phrases)], abs=1e-5)
    assert decoded.scores == pytest.approx(decoded.arrays[2], abs=1e-6)


class Alternation:
    """A non-local feature in Python: counts the words that equal the one before the phrase."""

    names: Sequence[str] = ("Alternation", "Ends")

    def begin(self, source: Sequence[str]) -> str:
        return ""

    def extend(self, state: str, rule: Rule, span: tuple[int, int]) -> tuple[str, list[float]]:
        return rule.target[-1], [float(rule.target[0] == state), 0.0]

    def finish(self, state: str) -> list[float]:
        return [0.0, float(state == "x")]


RICH = FeatureSet(
    local=(RuleFunction("Squares", lambda rule: len(rule.target) ** 2),),
    orientations=(
        OrientationTemplate("LO", lambda r: [ord(r.source[0])], lambda k: chr(k[0])),
        OrientationTemplate(
            "HO", lambda r: [len(r.source)] if len(r.target) < 3 else None, str, blocks=True
        ),
    ),
    boundaries=(
        BoundaryTemplate("TB", lambda r: (ord(r.target[0]), ord(r.target[-1])), 0, 1, str),
    ),
    adjacent=(AdjacentFlag("Short", lambda rule: len(rule.target) == 1),),
    non_local=(Alternation(),),
    signed_distortion=True,
)


def rich_names(d: Derivation, source: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The features of RICH in a derivation, by definition."""
    yield "Squares", float(sum(len(p.target) ** 2 for p in d))
    for before, after in pairwise(d):
        if len(before.target) == len(after.target) == 1:
            yield "Short", 1.0
        yield "Alternation", float(after.target[0] == before.target[-1])
    yield "Ends", float(bool(d) and d[-1].target[-1] == "x")
    rights = [0] + [ord(p.target[-1]) for p in d]
    lefts = [ord(p.target[0]) for p in d] + [1]
    for right, left in zip(rights, lefts, strict=True):
        yield f"TB:{right}-{left}", 1.0
    last = 0
    for p in d:
        if last != p.begin:
            yield f"DDIST:{'neg' if last < p.begin else 'pos'}", 1.0
        yield f"DDIST:{last - p.begin}", 1.0
        last = p.end
    yield from orientation_names("LO", d, phrase_events(d), phrase_events(d)[1:], source)
    opens = [
        # what the earlier phrase sees of the later one, blocks counting
        open_event(d, i)
        for i in range(1, len(d))
    ]
    yield from orientation_names("HO", d, block_events(d), opens, source)


def open_event(d: Derivation, i: int) -> str:
    covered = {w for p in d[:i] for w in range(p.begin, p.end)}
    plain = event((d[i - 1].begin, d[i - 1].end), d[i].begin, d[i].end)
    if plain == "right" and d[i - 1].end not in covered:
        return "monotone"
    return "swap" if plain == "left" and d[i - 1].begin - 1 not in covered else plain


def orientation_names(
    name: str, d: Derivation, before: Sequence[str], after: Sequence[str], source: Sequence[str]
) -> Iterator[tuple[str, float]]:
    for side, scoring, events in (("WithPrevious", d, before), ("WithNext", d[:-1], after)):
        for phrase, what in zip(scoring, events, strict=True):
            if name == "HO" and len(phrase.target) >= 3:
                continue
            rule = source[phrase.begin] if name == "LO" else f"[{phrase.end - phrase.begin}]"
            kinds = ["discontinuous" if what in ("left", "right") else what]
            kinds += ["nonMonotone"] if what != "monotone" else []
            for kind in kinds:
                yield f"{name}:{kind}{side}:{rule}", 1.0


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_every_kind_of_feature_with_and_without_recombination(folder: Path, seed: int) -> None:
    w = world(seed, folder, words=3)
    models: dict[str, LanguageModel | ClassModel] = {"LM": word_model(), "Classes": class_model()}
    first = Decoder(w.table, models, feature_set=RICH, settings=BEAM)
    plain = WithoutRecombination(pops=60_000, stack=60_000, distortion_limit=None)
    second = Decoder(w.table, models, feature_set=RICH, settings=plain)
    # The first pass makes the features known; the second searches with weights for all of them.
    for decoder in (first, second):
        _ = decoder.decode([Sentence(w.sentence)], random_weights(decoder, 0), nbest=ALL).nbest
    by_name = {
        first.features.name(i): float(v)
        for i, v in enumerate(np.random.default_rng(seed).normal(0, 0.5, len(first.features)))
    }
    results = []
    for decoder in (first, second):
        names = [decoder.features.name(i) for i in range(len(decoder.features))]
        weights = np.array([by_name[name] for name in names])
        results.append(found(decoder, w, weights))
    expected = {}
    for d in w.all():
        values = values_of(w, d)
        values["Classes"] = class_model().score(" ".join(word for p in d for word in p.target))
        total = score(values, by_name)
        total += sum(v * by_name[name] for name, v in rich_names(d, w.sentence))
        expected[key(d)] = total
    assert results[0] == pytest.approx(expected, abs=1e-5)
    assert results[1] == pytest.approx(results[0], abs=1e-9)


@settings(max_examples=10)
@given(st.integers(0, 10**6))
def test_factored_lists_equal_the_written_out_matrix(folder: Path, seed: int) -> None:
    w = world(seed, folder, words=3)
    decoder = Decoder(w.table, {"LM": word_model()}, feature_set=RICH, settings=BEAM)
    weights = random_weights(decoder, seed)
    nbest = decoder.decode([Sentence(w.sentence)] * 2, weights, nbest=20).nbest
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=len(decoder.features))
    coefficients = rng.normal(size=len(nbest))
    matrix = nbest.matrix(len(weights)).toarray()
    assert nbest.scores(weights) == pytest.approx(matrix @ weights)
    ids, values = nbest.gradient(coefficients)
    dense = np.zeros(len(weights))
    dense[ids] = values
    assert dense == pytest.approx(coefficients @ matrix)


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_distinct_lists_have_the_best_of_each_translation(folder: Path, seed: int) -> None:
    w = world(seed, folder)
    decoder = Decoder(w.table, {"LM": word_model()}, settings=BEAM)
    weights = random_weights(decoder, seed)
    everything = decoder.decode([Sentence(w.sentence)], weights, nbest=ALL)[0]
    best: dict[str, float] = {}
    for derivation in everything:
        best.setdefault(str(derivation), derivation.score)
    distinct = decoder.decode([Sentence(w.sentence)], weights, nbest=7, distinct=True)[0]
    assert [(str(d), d.score) for d in distinct] == list(best.items())[:7]


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_constraints_choose_among_the_same_derivations(folder: Path, seed: int) -> None:
    w = world(seed, folder)
    decoder = Decoder(w.table, {"LM": word_model()}, settings=BEAM)
    weights = random_weights(decoder, seed)
    everything = found(decoder, w, weights)
    rng = np.random.default_rng(seed)
    chosen = list(everything)[int(rng.integers(len(everything)))]
    words = tuple(word for _, _, target in chosen for word in target)
    prefix = words[: int(rng.integers(len(words) + 1))]
    wall = int(rng.integers(len(w.sentence) + 1))
    spans = [(b, e) for b in range(len(w.sentence)) for e in range(b + 1, len(w.sentence) + 1)]
    zone = spans[int(rng.integers(len(spans)))] if spans else None

    def words_of(phrases: Key) -> tuple[str, ...]:
        return tuple(word for _, _, target in phrases for word in target)

    def keeps_wall(phrases: Key) -> bool:
        sides = [(begin >= wall, end > wall) for begin, end, _ in phrases]
        return all(a == b for a, b in sides) and sides == sorted(sides)

    def keeps_zone(phrases: Key) -> bool:
        if zone is None:
            return True
        touching = [not (e <= zone[0] or zone[1] <= b) for b, e, _ in phrases]
        whole = all(
            (zone[0] <= b and e <= zone[1]) or (b <= zone[0] and zone[1] <= e)
            for (b, e, _), touches in zip(phrases, touching, strict=True) if touches
        )  # fmt: skip
        places = [i for i, touches in enumerate(touching) if touches]
        return whole and places == list(range(places[0], places[-1] + 1))

    for sentence, keeps in (
        (Sentence(w.sentence, reference=words), lambda p: words_of(p) == words),
        (Sentence(w.sentence, prefix=prefix), lambda p: words_of(p)[: len(prefix)] == prefix),
        (Sentence(w.sentence, walls=(wall,)), keeps_wall),
        (Sentence(w.sentence, zones=(zone,) if zone else ()), keeps_zone),
    ):
        list_ = decoder.decode([sentence], weights, nbest=ALL)[0]
        expected = {p: s for p, s in everything.items() if keeps(p)}
        assert {key(d.phrases): d.score for d in list_} == pytest.approx(expected, abs=1e-9)


def test_forced_translations(folder: Path) -> None:
    w = world(3, folder)
    decoder = Decoder(w.table, {"LM": word_model()}, settings=BEAM)
    weights = random_weights(decoder, 1)
    tokens = ("a", "b", "c")
    only = Sentence(tokens, forced=(Forced(1, 3, ("neu", "w")),))
    for derivation in decoder.decode([only], weights, nbest=50)[0]:
        assert ("neu", "w") in [p.target for p in derivation.phrases]
    also = Sentence(tokens, forced=(Forced(1, 3, ("neu", "w"), exclusive=False),))
    translations = [
        [p.target for p in d.phrases] for d in decoder.decode([also], weights, nbest=500)[0]
    ]
    assert any(("neu", "w") in t for t in translations)
    assert any(("neu", "w") not in t for t in translations)


def test_threads_do_not_change_the_result(folder: Path) -> None:
    w = world(5, folder)
    rng = np.random.default_rng(5)
    sources = [" ".join(rng.choice(list("abcde"), size=rng.integers(0, 9))) for _ in range(40)]
    narrow = SearchSettings(pops=20)
    runs = []
    for threads in (1, 4):
        decoder = Decoder(w.table, {"LM": word_model()}, settings=narrow)
        decoded = decoder.decode(sources, random_weights(decoder, 5), nbest=5, threads=threads)
        runs.append([array.tolist() for array in decoded.arrays])
    assert runs[0] == runs[1]
    assert all(math.isfinite(score) for score in runs[0][2])
