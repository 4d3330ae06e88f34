"""All feature templates in search against their definition; names and numbers of features."""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelled_table import label
from miriam._core.search import Settings
from miriam.features import FeatureSet
from miriam.features.settings import AnyTemplate, FeatureSettings, FunctionWords
from miriam.lm import Estimation, estimate
from miriam.lm.model import LanguageModel
from miriam.rules.moses_import import import_moses
from miriam.rules.table import RuleTable
from miriam.search import Decoder, SearchSettings, Sentence
from oracles.templates import Given, Use, domain_features, template_features

SOURCE, TARGET = ["a", "b-c", "50%", "."], ["x", "y>z", ":", "!"]
SOURCE_CLASSES = {word: i % 3 for i, word in enumerate(SOURCE)}
TARGET_CLASSES = {word: i % 2 for i, word in enumerate(TARGET)} | dict.fromkeys(SOURCE, 7)
WORDS = FunctionWords(source=("a", "b-c"), target=("x", ":"))
GIVEN = Given(SOURCE_CLASSES, TARGET_CLASSES, WORDS.source, WORDS.target)
LINKS = [(), ((0, 0),), ((0, 0), (1, 0)), ((0, 1), (1, 0)), ((0, 0), (1, 1), (0, 2))]
# What of each kind the search works with; the others differ in their symbols.
TEMPLATES: Sequence[Mapping[str, object]] = [
    {"kind": kind, "by": by, **({"cutoff": 5} if by == "words" and kind in CUT else {})}
    for CUT in [("rule-indicator", "alignment", "rule-orientation")]
    for by in ("words", "classes")
    for kind in (*CUT, "source-deletion", "target-insertion", "target-unigram", "target-bigram",
                 "target-boundary")
] + [{"kind": "rule-dimension", "side": side} for side in ("source", "target", "both")] + [
    {"kind": kind}
    for kind in ("alignment-constellation", "word-pair", "signed-distortion", "punctuation-ratio",
                 "function-word-ratio", "in-domain-rule", "adjacent-in-domain")
]  # fmt: skip
DOMAINS = ["law", "50% news"]
AUGMENTED = ("PT", "LO", "DDIST", "TGTCBND", "PDIF", "DOM", "ALNC")


class WithoutRecombination(SearchSettings, frozen=True, kw_only=True):
    """Every hypothesis a node of its own."""

    def native(self, *, nbest: int = 1, distinct: bool = False) -> Settings:
        native = super().native(nbest=nbest, distinct=distinct)
        native.recombine = False
        return native


class Map:
    """A class map."""

    def __init__(self, classes: Mapping[str, int]) -> None:
        self.of_word = classes

    def classes(self, words: Sequence[str]) -> np.ndarray:
        return np.array([self.of_word.get(word, 7) for word in words], np.int32)


@cache
def word_model() -> LanguageModel:
    text = ["x y>z : !", "! x", ": : y>z"]
    return estimate(text, Estimation(order=2, threads=1)).model()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> typing.Iterator[Path]:
    yield tmp_path_factory.mktemp("templates")
    word_model.cache_clear()


def all_templates() -> FeatureSet:
    words = msgspec.to_builtins(WORDS)
    tree = {"templates": TEMPLATES, "function_words": words, "augment": AUGMENTED}
    return msgspec.convert(tree, FeatureSettings).build(
        source_classes=Map(SOURCE_CLASSES), target_classes=Map(TARGET_CLASSES)
    )


def random_table(rng: np.random.Generator, folder: Path) -> RuleTable:
    rules = {}
    for _ in range(8):
        source = " ".join(rng.choice(SOURCE, size=rng.integers(1, 3)))
        target = " ".join(rng.choice(TARGET, size=rng.integers(1, 4)))
        sizes = (len(source.split()), len(target.split()))
        links = LINKS[rng.integers(len(LINKS))]
        kept = [f"{i}-{j}" for i, j in links if i < sizes[0] and j < sizes[1]]
        count = int(rng.integers(1, 10))
        rules[source, target] = (
            f"{source} ||| {target} ||| 0.5 0.25 ||| {' '.join(kept)} ||| {count} {count} {count}"
        )
    (folder / "table").write_text("\n".join(rules.values()) + "\n")
    import_moses(folder / "table", folder, scores=["phi", "lex"])
    domains = {rule: [name for name in DOMAINS if rng.random() < 0.5] for rule in rules}
    return label(folder, folder / "labelled", DOMAINS, domains)


def decoder_for(table: RuleTable, *, recombine: bool = True) -> Decoder:
    kind = SearchSettings if recombine else WithoutRecombination
    beam = kind(pops=60_000, stack=60_000, distortion_limit=None)
    return Decoder(table, {"LM": word_model()}, feature_set=all_templates(), settings=beam)


def definition(decoder: Decoder, derivation: typing.Any, domains: set[str]) -> dict[str, float]:
    """What templates have on a derivation that the decoder found, by the oracle."""
    uses = []
    for phrase in derivation.phrases:
        known = decoder.tables.find(phrase.source, phrase.target)
        count = decoder.tables.rule(known).count if known is not None else 0.0
        bits = decoder.tables.rule(known).domains if known is not None else 3
        seen = frozenset(name for i, name in enumerate(DOMAINS) if bits >> i & 1)
        uses.append(
            Use(phrase.begin, phrase.end, phrase.source, phrase.target, phrase.links, count, seen)
        )
    found: dict[str, float] = {}
    for template in TEMPLATES[:-2]:
        found |= template_features(template, uses, derivation.source, GIVEN)
    found |= domain_features(uses, domains)
    copies = {
        f"AUG:{domain.replace('%', '%25').replace(' ', '%20')}:{name}": value
        for domain in domains
        for name, value in found.items()
        if name.split(":")[0] in AUGMENTED
    }
    return found | copies


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_search_computes_what_templates_define(folder: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, folder)
    domains = {name for name in DOMAINS if rng.random() < 0.5}
    source = Sentence(tuple(rng.choice(SOURCE, size=rng.integers(0, 4))), domains=tuple(domains))
    decoders = [decoder_for(table), decoder_for(table, recombine=False)]
    lists = []
    by_name: dict[str, float] = {}
    for decoder in decoders:
        plain = np.zeros(len(decoder.features))
        _ = decoder.decode([source], plain, nbest=5000).nbest  # makes features known
        names = [decoder.features.name(i) for i in range(len(decoder.features))]
        assert len(set(names)) == len(names)
        for name in names:
            by_name.setdefault(name, float(rng.normal(0, 0.5)))
        weights = np.array([by_name[name] for name in names])
        decoded = decoder.decode([source], weights, nbest=5000)
        assert decoded.scores == pytest.approx(decoded.arrays[2], abs=1e-6)
        lists.append(
            {tuple((p.begin, p.end, p.target) for p in d.phrases): d.score for d in decoded[0]}
        )
        for derivation in decoded[0][:20]:
            sparse = {
                name: value
                for name, value in derivation.features.items()
                if name not in decoder.features.dense
            }
            assert sparse == pytest.approx(definition(decoder, derivation, domains))
    assert lists[0] == pytest.approx(lists[1], abs=1e-6)


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_names_are_read_back(folder: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    decoder = decoder_for(random_table(rng, folder))
    words = rng.choice([*SOURCE, "new\u00a0word", "<s>"], size=3)
    source = Sentence(tuple(words), domains=tuple(DOMAINS[: rng.integers(3)]))
    _ = decoder.decode([source], np.zeros(len(decoder.features)), nbest=50).nbest
    features = decoder.features
    names = [features.name(i) for i in range(len(features))]
    assert [features.add(name) for name in names] == list(range(len(features)))
    other = decoder_for(decoder.tables.first).features
    assert [other.name(other.add(name)) for name in names] == names


def test_threads_do_not_change_the_numbers_of_features(folder: Path) -> None:
    table = random_table(np.random.default_rng(3), folder)
    rng = np.random.default_rng(4)
    sources = [" ".join(rng.choice(SOURCE, size=4)) for _ in range(30)]
    names = []
    for threads in (1, 4):
        decoder = decoder_for(table)
        decoder.settings = SearchSettings(pops=20)
        for begin in range(0, 30, 10):
            weights = np.full(len(decoder.features), 0.1)
            _ = decoder.decode(sources[begin : begin + 10], weights, nbest=5, threads=threads).nbest
        names.append([decoder.features.name(i) for i in range(len(decoder.features))])
    assert names[0] == names[1]


def test_every_template_is_here() -> None:
    kinds = {member.__struct_config__.tag for member in typing.get_args(AnyTemplate)}
    assert {template["kind"] for template in TEMPLATES} == kinds


@settings(max_examples=10)
@given(st.integers(0, 10**6))
def test_ignored_states_merge_more_and_find_no_more(folder: Path, seed: int) -> None:
    """The best score is that of a derivation, and the best of all where states do not matter."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, folder)
    source = Sentence(tuple(rng.choice(SOURCE, size=3)))
    exact, merged = decoder_for(table), decoder_for(table)
    kinds = ("orientation", "boundary")
    merged.settings = msgspec.structs.replace(merged.settings, ignore_states=kinds)
    for decoder in (exact, merged):
        _ = decoder.decode([source], np.zeros(len(decoder.features)), nbest=5000).nbest
    names = [exact.features.name(i) for i in range(len(exact.features))]
    weights = {name: float(rng.normal(0, 0.5)) for name in names}
    states = ("LO", "LOC", "NGR", "NGRC", "TGTBND", "TGTCBND", "AUG")
    plain = {n: w for n, w in weights.items() if n.split(":")[0] not in states}
    for chosen in (weights, plain):
        best = [decoder.decode([source], decoder.features.weights(chosen))
                for decoder in (exact, merged)]  # fmt: skip
        scores = [decoded.arrays[2][:1] for decoded in best]
        assert (scores[1] <= scores[0] + 1e-6).all()
        assert best[1].scores == pytest.approx(scores[1], abs=1e-6)
        if chosen is plain:
            assert scores[1] == pytest.approx(scores[0], abs=1e-6)
