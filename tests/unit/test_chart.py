"""Hierarchical decoding from outside: unknown words, markup, bad input, long sentences."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from miriam.errors import ConfigError, InputError
from miriam.features import FeatureSet, initial_weights
from miriam.features.settings import (
    Alignment,
    FeatureSettings,
    Indicator,
    RuleDimension,
    SignedDistortion,
    SourceDeletion,
    TargetUnigram,
)
from miriam.lm import Estimation, estimate
from miriam.rules.grammar_import import import_grammar
from miriam.rules.moses_import import import_moses
from miriam.search import Decoder, Forced, SearchSettings, Sentence

RULES = """\
[X] ||| der ||| the ||| phi=-0.1 ||| 0-0
[X] ||| hund ||| dog ||| phi=-0.1 ||| 0-0
[X] ||| hat ||| has ||| phi=-0.5 ||| 0-0
[X] ||| katze ||| cat ||| phi=-0.1 ||| 0-0
[X] ||| hat [X,1] gesehen ||| saw [1] ||| phi=-0.2 ||| 2-0
[X] ||| der [X,1] ||| the [1] ||| phi=-0.3 ||| 0-0
[X] ||| [X,1] der [X,2] ||| the [2] 's [1] ||| phi=-30 ||| 1-0
"""
SOURCE = "der hund hat der katze gesehen"


@pytest.fixture
def decoder(tmp_path: Path) -> Decoder:
    return made(tmp_path)


def made(
    tmp_path: Path, settings: SearchSettings | None = None, features: FeatureSet | None = None
) -> Decoder:
    (tmp_path / "grammar").write_text(RULES, encoding="utf-8")
    table = import_grammar(tmp_path / "grammar", tmp_path)
    model = estimate(["the dog saw the cat", "the cat saw"], Estimation(order=3, threads=1))
    return Decoder(
        table, {"LM": model.model()},
        settings=settings or SearchSettings(), feature_set=features or FeatureSet(),
    )  # fmt: skip


def weights_of(decoder: Decoder) -> np.ndarray:
    start = initial_weights(decoder.features.dense, language_models=["LM"])
    return decoder.features.weights({**start, "UnknownWord": 5.0})


def test_translates_and_explains(decoder: Decoder) -> None:
    best = decoder.decode([SOURCE], weights_of(decoder))[0][0]
    assert str(best) == "the dog saw the cat"
    assert best.alignment == ((0, 0), (1, 1), (5, 2), (3, 3), (4, 4))
    assert best.features["Glue"] == -1
    assert best.features["RulePenalty"] == 5
    explanation = best.explain()
    assert sum(row.product for row in explanation.contributions) == pytest.approx(best.score)
    assert "[2, 6)    hat [X,1] gesehen  →  saw [X,1]" in str(explanation)
    tree = json.loads(explanation.json())
    assert tree["phrases"][2]["span"] == [2, 6]
    assert tree["translation"] == str(best)


def test_empty_lines_unknown_words_and_words_that_look_like_gaps(decoder: Decoder) -> None:
    lists = decoder.decode(["", "foo der [X,1] katze"], weights_of(decoder))
    assert [str(list_[0]) for list_ in lists] == ["", "foo the [X,1] cat"]
    assert lists[1][0].features["UnknownWord"] == -2
    drop = made(Path(decoder.tables.first.container.path).parent, SearchSettings(unknown="drop"))
    assert str(drop.decode(["foo der"], weights_of(drop))[0][0]) == "the"


def test_beyond_the_longest_span_glue_takes_over(tmp_path: Path) -> None:
    short = made(tmp_path, SearchSettings(max_span=3))
    best = short.decode([SOURCE], weights_of(short))[0][0]
    assert all(p.end - p.begin <= 3 for p in best.phrases)
    assert "saw" not in best.tokens
    assert best.features["Glue"] < -2
    sentence = " ".join([SOURCE] * 100)
    fast = made(tmp_path, SearchSettings(pops=5))
    found = fast.decode([sentence], weights_of(fast))[0][0]
    assert str(found).count("saw") > 50
    assert max(p.end for p in found.phrases) == 600


def test_markup(decoder: Decoder) -> None:
    weights = weights_of(decoder)
    words = tuple(SOURCE.split())

    def best(**markup: object) -> str:
        lists = decoder.decode([Sentence(words, **markup)], weights)  # type: ignore[arg-type]
        return str(lists[0][0])

    assert best(forced=(Forced(3, 5, ("Tom",)),)) == "the dog saw Tom"
    assert "Tom" in best(forced=(Forced(2, 6, ("Tom", "!")),))
    assert "saw" not in best(walls=(4,)).split()
    assert best(zones=((3, 5),)) == "the dog saw the cat"
    assert "saw" not in best(zones=((4, 6),)).split()  # the rule would part them
    assert best(prefix=("the", "dog", "has")).startswith("the dog has the cat")
    assert best(reference=("the", "dog", "saw", "the", "cat")) == "the dog saw the cat"
    assert decoder.decode([Sentence(words, reference=("no",))], weights)[0] == []


def test_the_same_with_any_number_of_threads(decoder: Decoder) -> None:
    weights = weights_of(decoder)
    sentences = [" ".join(SOURCE.split()[:n] * 3) for n in range(7)] * 3
    one, three = (
        decoder.decode(sentences, weights, nbest=20, distinct=True, threads=n) for n in (1, 3)
    )
    assert one.texts() == three.texts()
    assert one.nbest.scores(weights) == pytest.approx(one.arrays[2], abs=1e-5)


def test_templates_of_rules(tmp_path: Path) -> None:
    chosen = (
        Indicator(),
        RuleDimension(),
        Alignment(),
        SourceDeletion(),
        TargetUnigram(by="words"),
    )
    decoder = made(tmp_path, features=FeatureSettings(templates=chosen).build())
    decoder.learn_rules([SOURCE])
    names = {decoder.features.name(i) for i in range(len(decoder.features))}
    assert {"PT:hat-[X%2C1]-gesehen>saw-[X%2C1]", "RSHP:3-2", "ALN:gesehen>saw"} <= names
    assert "ALNS:hat" in names
    assert not {"ALNS:[X%2C1]", "TGT:[X%2C1]"} & names
    weights = weights_of(decoder)
    weights[decoder.features.add("PT:hat-[X%2C1]-gesehen>saw-[X%2C1]")] = -100.0
    best = decoder.decode([SOURCE], weights)[0][0]
    assert "saw" not in best.tokens
    assert best.features["PT:hund>dog"] == 1


def test_what_needs_an_order_from_left_to_right_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="signed distortion need a translation that grows"):
        made(tmp_path, features=FeatureSettings(templates=(SignedDistortion(),)).build())
    decoder = made(tmp_path)
    with pytest.raises(ConfigError, match="cannot be scored again"):
        decoder.rescore([SOURCE], [[]], weights_of(decoder))
    (tmp_path / "table").write_text("der ||| the ||| 0.5\n")
    (tmp_path / "other").mkdir()
    phrases = import_moses(tmp_path / "table", tmp_path / "other", scores=["phi"])
    with pytest.raises(ConfigError, match="with gaps and without"):
        Decoder({"A": decoder.tables.first, "B": phrases}, {})


def test_grammars_that_would_go_on_for_ever_are_refused(tmp_path: Path) -> None:
    (tmp_path / "grammar").write_text("[X] ||| [X,1] ||| [1] ||| phi=-1\n")
    with pytest.raises(InputError, match="applied for ever"):
        import_grammar(tmp_path / "grammar", tmp_path)
