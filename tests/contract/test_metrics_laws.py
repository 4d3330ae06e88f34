"""The laws that every metric obeys: of corpora and of candidates."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import numpy as np
import pytest
import sacrebleu

from miriam.config import Config, dump, load
from miriam.errors import ConfigError, InputError
from miriam.lexicon.vocabulary import Sentences, Vocabulary
from miriam.metrics import (
    Bleu,
    BleuPlusOne,
    Chrf,
    CorpusMetric,
    GoldMetric,
    SentenceChrf,
    Ter,
    Tokenizer,
    Wer,
    corpus_score,
    corpus_stats,
    words,
)

METRICS = [kind() for kind in get_args(CorpusMetric)] + [
    Bleu(lowercase=True, tokenize="none"),
    Chrf(word_order=2),
    Ter(lowercase=False, normalized=True),
    Wer(tokenize="13a", lowercase=True),
]
GOLD = [kind() for kind in get_args(GoldMetric)] + [
    BleuPlusOne(smooth_unigrams=True, smooth_length=True),
    BleuPlusOne(reference_length="shortest"),
    SentenceChrf(order=3, beta=1),
]
HYPOTHESES = ["The dog runs away .", "a cat", "", "it is raining today in Uppsala"]
REFERENCES = [
    ["The dog runs .", "a small cat sleeps", "nothing", "it is raining today in Uppsala"],
    ["A dog is running away .", "a cat sleeps", "not a thing", "today it rains in Uppsala"],
    ["The dog ran .", "cat", "", "rain today"],
]


class Holder(Config, frozen=True, kw_only=True):
    metric: CorpusMetric = Bleu()
    gold: GoldMetric = BleuPlusOne()


@pytest.mark.parametrize("metric", METRICS, ids=repr)
class TestMetric:
    def test_a_corpus_is_the_sum_of_its_sentences(self, metric: CorpusMetric) -> None:
        segments = [((h,), r) for h, *r in zip(HYPOTHESES, *REFERENCES, strict=True)]
        stats = corpus_stats([metric], segments)[0][0]
        parts = [metric.prepare(r)(h) for (h,), r in segments]
        assert (stats == np.array(parts)).all()
        assert stats.dtype == np.float64
        assert metric.score(np.add.reduce(parts)) == corpus_score(metric, HYPOTHESES, REFERENCES)

    def test_a_score_is_pure(self, metric: CorpusMetric) -> None:
        stats = metric.prepare(["a dog runs"])("a dog")
        before = stats.copy()
        assert metric.score(stats) == metric.score(stats)
        assert (stats == before).all()

    def test_a_reference_is_the_best_hypothesis(self, metric: CorpusMetric) -> None:
        best = 100.0 if metric.higher_is_better else 0.0
        for column in REFERENCES[:2]:
            assert corpus_score(metric, column, REFERENCES[:2]) == pytest.approx(best)
        worse = corpus_score(metric, HYPOTHESES, REFERENCES[:2])
        assert worse < best if metric.higher_is_better else worse > best

    def test_a_signature_tells_the_settings(self, metric: CorpusMetric) -> None:
        pairs = dict(pair.split(":") for pair in metric.signature(3).split("|"))
        assert pairs["nrefs"] == "3"
        assert pairs["case"] == ("lc" if metric.lowercase else "mixed")
        assert "version" in pairs

    def test_settings_name_it(self, metric: CorpusMetric) -> None:
        assert load(Holder, dump(Holder(metric=metric))).metric == metric


@pytest.mark.parametrize(
    ("metric", "theirs"),
    [
        (Bleu(), sacrebleu.BLEU()),
        (Bleu(lowercase=True, tokenize="char"), sacrebleu.BLEU(lowercase=True, tokenize="char")),
        (Chrf(), sacrebleu.CHRF()),
        (Chrf(word_order=2, lowercase=True), sacrebleu.CHRF(word_order=2, lowercase=True)),
        (Ter(), sacrebleu.TER()),
        (Ter(lowercase=False, no_punct=True), sacrebleu.TER(case_sensitive=True, no_punct=True)),
    ],
    ids=lambda value: repr(value) if isinstance(value, Bleu | Chrf | Ter) else "sacrebleu",
)
@pytest.mark.parametrize("references", [REFERENCES[:1], REFERENCES])
def test_scores_and_signatures_are_sacrebleus(
    metric: Bleu | Chrf | Ter, theirs: Any, references: list[list[str]]
) -> None:
    expected = theirs.corpus_score(HYPOTHESES, references)
    assert corpus_score(metric, HYPOTHESES, references) == expected.score
    assert metric.name == expected.name
    assert metric.signature(len(references)) == str(theirs.get_signature())


def test_the_tokenisers_are_sacrebleus() -> None:
    assert set(get_args(Tokenizer)) == set(sacrebleu.BLEU.TOKENIZERS)


def test_what_has_no_score() -> None:
    with pytest.raises(ConfigError, match="no sentence"):
        corpus_score(Wer(), [], [[]])
    with pytest.raises(ConfigError, match="at least one system and one reference"):
        corpus_score(Wer(), ["a"], [])
    with pytest.raises(InputError, match="have 1 sentences, the references 1, 2"):
        corpus_score(Wer(), ["a"], [["a"], ["a", "b"]])


def encode(gold: GoldMetric, texts: list[str], vocabulary: Vocabulary) -> Sentences:
    return gold.encode(texts) if isinstance(gold, SentenceChrf) else words(texts, vocabulary)


@pytest.mark.parametrize("gold", GOLD, ids=repr)
class TestGold:
    def test_gold_lies_between_0_and_1(self, gold: GoldMetric) -> None:
        ids = Vocabulary()
        prepared = gold.prepare(encode(gold, REFERENCES[0][:1], ids))
        candidates = ["The dog runs .", "The dog runs", "", "x " * 300]
        scores = prepared.gold(prepared.stats(encode(gold, candidates, ids)))
        assert scores[0] > scores[1] > scores[2] == 0
        assert scores[0] <= 1
        assert (scores >= 0).all()
        if gold != BleuPlusOne(smooth_unigrams=True, smooth_length=True):
            assert scores[0] == pytest.approx(1)

    def test_a_list_is_its_candidates_one_by_one(self, gold: GoldMetric) -> None:
        ids = Vocabulary()
        prepared = gold.prepare(encode(gold, ["a dog runs", "the dog"], ids))
        candidates = ["a dog", "", "the dog runs away", "a a a"]
        together = prepared.stats(encode(gold, candidates, ids))
        alone = [prepared.stats(encode(gold, [c], ids))[0] for c in candidates]
        assert (together == np.array(alone)).all()

    def test_settings_name_it(self, gold: GoldMetric) -> None:
        assert load(Holder, dump(Holder(gold=gold))).gold == gold


def test_scaled_gold_counts_words() -> None:
    ids = Vocabulary()
    prepared = BleuPlusOne(scale=True).prepare(words(["a b c d e", "a b c"], ids))
    assert prepared.gold(prepared.stats(words(["a b c"], ids))) == pytest.approx([3.0])


def test_a_wrong_setting_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": "bleu", "tokenize": "13b"}, CorpusMetric)
