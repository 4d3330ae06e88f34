"""Tuning a decoder: what it decodes is judged right, and every learner improves it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from miriam.errors import ConfigError
from miriam.features.rows import WeightRows
from miriam.lm import Estimation, estimate
from miriam.metrics import BleuPlusOne, SentenceChrf, SentenceWer
from miriam.rules.moses_import import import_moses
from miriam.search import Decoder, Sentence
from miriam.tune.decoding import DecoderProblem, How, TuningSet, tune_decoder
from miriam.tune.gold import AnyGold, Mix
from miriam.tune.learner import Pieces
from miriam.tune.losses import Logistic
from miriam.tune.online import Online
from miriam.tune.pairs import Sampling
from miriam.tune.run import Run
from miriam.tune.settings import ALGORITHMS, DecoderTuning
from miriam.tune.updaters import AdaGrad

WORDS = {"hund": ("dog", "hound"), "mann": ("man", "guy"), "baum": ("tree", "oak")}


@pytest.fixture
def decoder(tmp_path: Path) -> Decoder:
    """Likes the first translation of each word; the references have the second."""
    lines = [
        f"{source} ||| {target} ||| {good} 0.5 {bad} 0.5 ||| 0-0 ||| 2 2 2\n"
        for source, targets in WORDS.items()
        for target, good, bad in zip(targets, (0.7, 0.3), (0.3, 0.7), strict=True)
    ]
    (tmp_path / "table").write_text("".join(lines), encoding="utf-8")
    table = import_moses(tmp_path / "table", tmp_path)
    model = estimate(["a dog runs", "hound man guy tree oak"], Estimation(order=2, threads=1))
    return Decoder(table, {"LM": model.model()})


def data() -> TuningSet:
    sources = ["hund mann baum mann", "mann hund hund baum", "baum xyz", "hund baum mann hund", ""]
    references = [
        " ".join(WORDS[word][1] if word in WORDS else word for word in source.split())
        for source in sources
    ]
    return TuningSet([Sentence(tuple(s.split())) for s in sources], [[r] for r in references])


START = {"LM": 0.1, "WordPenalty": -0.2, "TM:phi(f|e)": 1.0, "LinearDistortion": 1.0}
SHORT = Online(
    pieces=Pieces(loss=Logistic(pairs=Sampling(threshold=0.1)), updater=AdaGrad(eta=0.5), batch=2),
    epochs=5,
)


@pytest.mark.parametrize("algorithm", ["online", "mert", "pro", "expected-bleu"])
def test_every_learner_improves_a_decoder(decoder: Decoder, algorithm: str) -> None:
    problem = DecoderProblem(decoder, data(), BleuPlusOne(), development=data(), how=How(20))
    learner = SHORT if algorithm == "online" else ALGORITHMS[algorithm]
    tuned = tune_decoder(DecoderTuning(learner=learner, rounds=4), problem, START, Run())
    before = problem.evaluate(decoder.features.weights(START))
    assert before is not None
    assert tuned.score is not None
    assert before.score < 50 < 75 < tuned.score


@pytest.mark.parametrize(
    "gold",
    [BleuPlusOne(), SentenceWer(), SentenceChrf(),
     Mix(metrics=(BleuPlusOne(), SentenceWer()), weights=(0.5, 0.5))],
)  # fmt: skip
def test_ids_are_judged_as_the_texts_they_stand_for(decoder: Decoder, gold: AnyGold) -> None:
    tuning_set = data()
    problem = DecoderProblem(decoder, tuning_set, gold, how=How(10))
    vector = decoder.features.weights(START)
    sentences = [4, 2, 0]
    decoded = decoder.decode([tuning_set.sources[i] for i in sentences], vector, nbest=10)
    scored = problem.score(sentences, decoded)
    texts, start = decoded.texts(), 0
    for sentence, found in zip(sentences, scored, strict=True):
        own = texts[start : start + len(found.nbest)]
        assert own == [str(derivation) for derivation in decoded[sentences.index(sentence)]]
        stats, expected = problem.gold.judge(tuning_set.references[sentence])(own)
        assert np.allclose(found.gold, expected, atol=1e-15)
        assert np.allclose(found.stats, stats)
        start += len(found.nbest)


def test_a_learners_rows_decode_as_the_weights_they_hold(decoder: Decoder) -> None:
    rng = np.random.default_rng(1)
    start = decoder.features.weights(START)
    rows = np.column_stack([start, *rng.random((2, len(start)))])
    held = WeightRows(np.ascontiguousarray(rows), (0, 1, 2), clock=1.5)
    vector = held.read(np.arange(len(rows), dtype=np.int32))
    assert (vector != rows[:, 0]).any(), "something is owed"
    sources = data().sources
    one, two = (decoder.decode(sources, w, nbest=10) for w in (held, vector))
    assert np.array_equal(one.arrays[2], two.arrays[2])
    assert one.texts() == two.texts()
    assert np.allclose(one.scores, one.arrays[2])


def test_a_weight_for_no_feature_is_refused(decoder: Decoder) -> None:
    problem = DecoderProblem(decoder, data(), BleuPlusOne())
    with pytest.raises(ConfigError, match="no feature 'LMM'; did you mean 'LM'"):
        tune_decoder(DecoderTuning(learner=SHORT), problem, {"LMM": 1.0}, Run())
