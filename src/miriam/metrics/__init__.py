"""Scores of translations: additive statistics, pure scores, signatures, significance.

A metric is a settings struct, so that the unions `CorpusMetric` and `GoldMetric` are the registries
by which TOML names them (`kind = "bleu"`).
"""

from __future__ import annotations

from typing import TypeAlias

from miriam.metrics.encode import characters, words
from miriam.metrics.evaluation import Evaluation, evaluate
from miriam.metrics.metric import Metric, Segment, Stats, corpus_score, corpus_stats
from miriam.metrics.rates import Accuracy, Cer, Wer
from miriam.metrics.sacre import Bleu, Chrf, Ter, Tokenizer
from miriam.metrics.sentence import BleuPlusOne, SentenceChrf, SentenceMetric, SentenceWer
from miriam.metrics.significance import Significance, Verdict, paired_tests

__all__ = [
    "Accuracy",
    "Bleu",
    "BleuPlusOne",
    "Cer",
    "Chrf",
    "CorpusMetric",
    "Evaluation",
    "GoldMetric",
    "Metric",
    "Segment",
    "SentenceChrf",
    "SentenceMetric",
    "SentenceWer",
    "Significance",
    "Stats",
    "Ter",
    "Tokenizer",
    "Verdict",
    "Wer",
    "characters",
    "corpus_score",
    "corpus_stats",
    "evaluate",
    "paired_tests",
    "words",
]

CorpusMetric: TypeAlias = Bleu | Chrf | Ter | Wer | Cer | Accuracy
"""What a corpus may be scored by."""

GoldMetric: TypeAlias = BleuPlusOne | SentenceChrf | SentenceWer
"""What candidates may be scored by in tuning."""
