"""The decoder from outside: unknown words, markup, bad input, long sentences, explanations."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from miriam.errors import ConfigError, InputError
from miriam.features import Features, initial_weights
from miriam.lm import Estimation, estimate
from miriam.rules.moses_import import import_moses
from miriam.search import Decoder, Forced, SearchSettings, Sentence

RULES = """\
ein hund ||| a dog ||| 0.5 0.5 0.5 0.5 ||| 0-0 1-1 ||| 2 2 2
ein ||| a ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 4 4 4
läuft ||| runs ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1
läuft ||| walks ||| 0.25 0.25 0.25 0.25 ||| 0-0 ||| 1 1 1
"""


@pytest.fixture
def decoder(tmp_path: Path) -> Decoder:
    (tmp_path / "table").write_text(RULES, encoding="utf-8")
    table = import_moses(tmp_path / "table", tmp_path)
    model = estimate(["a dog runs", "a cat runs", "dog walks"], Estimation(order=3, threads=1))
    return Decoder(table, {"LM": model.model()})


@pytest.fixture
def weights(decoder: Decoder) -> np.ndarray:
    start = initial_weights(decoder.features.dense, language_models=["LM"])
    return decoder.features.weights(start)


def test_translates_and_explains(decoder: Decoder, weights: np.ndarray) -> None:
    best = decoder.decode(["ein hund läuft"], weights)[0][0]
    assert str(best) == "a dog runs"
    assert best.alignment == ((0, 0), (1, 1), (2, 2))
    assert best.features["PhrasePenalty"] == 2
    explanation = best.explain()
    assert sum(row.product for row in explanation.contributions) == pytest.approx(best.score)
    assert "  [0, 2)    ein hund  →  a dog  0-0 1-1\n" in str(explanation)
    tree = json.loads(explanation.json())
    assert tree["translation"] == "a dog runs"
    assert tree["phrases"][0]["span"] == [0, 2]
    assert "<td>ein hund</td><td>a dog</td><td>0-0 1-1</td>" in explanation.html()


def test_empty_line_and_only_unknown_words(decoder: Decoder, weights: np.ndarray) -> None:
    decoded = decoder.decode(["", "x<y z", "ein foo"], weights)
    assert [str(list_[0]) for list_ in decoded] == ["", "x<y z", "a foo"]
    assert decoded[0][0].phrases == ()
    assert decoded[1][0].features["UnknownWord"] == -2
    assert "x&lt;y z" in decoded[1][0].explain().html()


def test_unknown_words_dropped_or_by_a_function(decoder: Decoder, weights: np.ndarray) -> None:
    drop = Decoder(
        decoder.tables.first, decoder.language_models, settings=SearchSettings(unknown="drop")
    )
    assert str(drop.decode(["foo ein"], weights)[0][0]) == "a"
    ask = Decoder(decoder.tables.first, decoder.language_models, unknown=str.upper)
    assert str(ask.decode(["foo ein"], weights)[0][0]) in ("FOO a", "a FOO")


def test_long_input_is_bounded(decoder: Decoder, weights: np.ndarray) -> None:
    sentence = " ".join(["ein", "hund", "läuft", "foo"] * 125)
    unlimited = Decoder(
        decoder.tables.first,
        decoder.language_models,
        settings=SearchSettings(pops=20, distortion_limit=None),
    )
    for each in (decoder, unlimited):
        best = each.decode([sentence], weights)[0][0]
        assert sorted(i for p in best.phrases for i in range(p.begin, p.end)) == list(range(500))
    assert len(str(decoder.decode(["x" * 5000], weights)[0][0])) == 5000
    with pytest.raises(InputError, match="a sentence of 70000 words"):
        decoder.decode(["x " * 70_000], weights)


def test_a_reference_out_of_reach_has_no_derivation(decoder: Decoder, weights: np.ndarray) -> None:
    reachable = Sentence(("ein", "hund", "läuft"), reference=("a", "dog", "walks"))
    other = Sentence(("ein", "hund", "läuft"), reference=("a", "cat"))
    decoded = decoder.decode([reachable, other], weights)
    assert str(decoded[0][0]) == "a dog walks"
    assert decoded[1] == []


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        (lambda: Sentence(("a",), forced=(Forced(0, 2, ("x",)),)), "0 to 2 in a sentence of 1"),
        (lambda: Sentence(("a",), walls=(2,)), "a wall at 2 in a sentence of 1 words"),
        (lambda: Sentence(tuple("abcd"), zones=((0, 2), (1, 3))), "zones 0 to 2 and 1 to 3 cross"),
        (
            lambda: Sentence(
                tuple("abc"), forced=(Forced(0, 2, ("x",)), Forced(1, 3, ("y",)))
            ),
            "two exclusive translations, of words 0 to 2 and 1 to 3, overlap",
        ),
        (
            lambda: Sentence(tuple("abc"), forced=(Forced(0, 2, ("x",)),), walls=(1,)),
            "crosses the wall or zone at 1",
        ),
        (lambda: Sentence(("a",), prefix=("x",), reference=("x",)), "prefix and a reference"),
    ],
)  # fmt: skip
def test_markup_that_contradicts_itself(sentence: object, message: str) -> None:
    assert callable(sentence)
    with pytest.raises(InputError, match=message):
        sentence()


def test_bad_weights(decoder: Decoder, weights: np.ndarray) -> None:
    weights[decoder.features.id("LM")] = np.nan
    with pytest.raises(ConfigError, match="the weight of LM is nan"):
        decoder.decode(["ein"], weights)
    with pytest.raises(ConfigError, match="2 weights for 9 dense features"):
        decoder.decode(["ein"], np.zeros(2))
    with pytest.raises(ConfigError, match="float32"):
        decoder.decode(["ein"], weights.astype(np.float32))
    with pytest.raises(ConfigError, match="'WordPenalti'; did you mean 'WordPenalty'"):
        decoder.features.weights({"WordPenalti": 1.0})
    with pytest.raises(ConfigError, match="the weight of LM is inf"):
        decoder.features.weights({"LM": np.inf})


def test_weights_changed_in_place_are_seen(decoder: Decoder, weights: np.ndarray) -> None:
    assert str(decoder.decode(["läuft"], weights)[0][0]) == "runs"
    weights[:] = -weights
    assert str(decoder.decode(["läuft"], weights)[0][0]) == "walks"


def test_names_of_features_are_injective() -> None:
    features = Features(["LM"])
    with pytest.raises(ConfigError, match="two dense features are called 'A'"):
        Features(["A", "B", "A"])
    with pytest.raises(ConfigError, match="a feature cannot be called 'A B'"):
        Features(["A B"])
    with pytest.raises(InputError, match="no feature has the number 7"):
        features.name(7)
