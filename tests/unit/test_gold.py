"""Gold scores: metrics against sacreBLEU, mixtures, anybody's function."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

from miriam.errors import ConfigError
from miriam.metrics import BleuPlusOne, SentenceChrf, SentenceWer
from miriam.tune.gold import AnyGold, Function, Gold, Mix, Ter, corpus_bleu

REFERENCES = ["the dog runs on green grass", "a dog runs over grass"]
TEXTS = ["the dog runs on grass", "a dog", "", "the dog runs on green grass"]


def share_of_known_words(hypothesis: str, references: list[str]) -> float:
    known = set(" ".join(references).split())
    words = hypothesis.split()
    return sum(word in known for word in words) / max(len(words), 1)


@pytest.mark.parametrize(
    "metric", [BleuPlusOne(), SentenceChrf(), SentenceWer(), Ter()], ids=lambda m: type(m).__name__
)
def test_the_reference_is_best_and_the_empty_text_worst(metric: AnyGold) -> None:
    gold = Gold(metric)
    stats, scores = gold.judge(REFERENCES)(TEXTS)
    assert scores[3] == pytest.approx(1.0)
    assert scores[2] == scores.min() < 0.1
    assert len(stats) == 4
    assert gold.corpus(stats)[3] == pytest.approx(100)
    sums = np.array([stats[0] + stats[3], stats[1] + stats[3]])
    both = gold.corpus(sums)
    assert both[0] > both[1]
    assert float(gold.corpus(sums[0])) == pytest.approx(both[0])


def test_corpus_bleu_is_sacrebleus() -> None:
    rng = np.random.default_rng(1)
    rows = []
    for _ in range(300):
        length = int(rng.integers(0, 9))
        totals = np.maximum(length - np.arange(4), 0)
        matches = [int(rng.integers(0, t + 1)) for t in totals]
        rows.append([length, int(rng.integers(1, 9)), *matches, *totals])
    stats = np.array(rows, dtype=float)
    expected = [BleuPlusOne().score(row) for row in stats]
    assert np.allclose(corpus_bleu(stats), expected, atol=1e-9)


def test_anybodys_function_and_a_mixture(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("my_metric")
    module.known = share_of_known_words  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_metric", module)
    mine = Function(function="my_metric:known")
    gold = Gold(mine)
    stats, scores = gold.judge(REFERENCES)(["the cat", "a dog"])
    assert scores.tolist() == [0.5, 1.0]
    assert float(gold.corpus(stats.sum(axis=0))) == 75.0
    mix = Gold(Mix(metrics=(BleuPlusOne(), mine), weights=(0.25, 0.5)))
    stats, scores = mix.judge(REFERENCES)(["the cat", "a dog runs over grass"])
    assert scores[1] == pytest.approx(0.75)
    assert mix.corpus(stats[1]) == pytest.approx(75)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (Function(function="nowhere:f"), "cannot be imported"),
        (Function(function="math"), "cannot be imported"),
        (Function(function="math:pi"), "is not a function"),
        (Mix(metrics=(BleuPlusOne(),), weights=(1.0, 2.0)), "2 numbers for 1 metrics"),
    ],
)
def test_what_cannot_be_is_refused(metric: AnyGold, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Gold(metric)
