"""Gold scores: how good a candidate really is, by a metric and the references of its sentence.

A metric of sentences gives additive statistics; from them come the gold score of each candidate,
which losses see, and the corpus score of chosen candidates, which line search and reports see.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias, TypeVar

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.errors import ConfigError
from miriam.lexicon.vocabulary import Sentences, Vocabulary
from miriam.metrics import BleuPlusOne, SentenceChrf, SentenceWer, words
from miriam.metrics import Ter as CorpusTer
from miriam.tune.losses.loss import Array

__all__ = ["AnyGold", "Function", "Gold", "IdJudge", "Judge", "Mix", "Ter", "corpus_bleu"]

Judge: TypeAlias = Callable[[Sequence[str]], tuple[Array, Array]]
"""The references of one sentence: texts in, statistics `[n, k]` and gold scores `[n]` out."""

IdJudge: TypeAlias = Callable[[Sentences], tuple[Array, Array]]
"""The same for candidates that are word ids."""

ORDER = 4
T = TypeVar("T")


class Ter(Config, frozen=True, kw_only=True, tag="ter", tag_field="kind"):
    """Translation edit rate through sacreBLEU, which is slow; gold is 1 - TER, at least 0."""

    lowercase: bool = True


class Function(Config, frozen=True, kw_only=True, tag="python", tag_field="kind"):
    """Anybody's metric: `function = "module:name"`, called with a hypothesis and its references.

    It returns a number, better when higher; the corpus score is the mean, times 100.
    """

    function: str


Single: TypeAlias = BleuPlusOne | SentenceChrf | SentenceWer | Ter | Function


class Mix(Config, frozen=True, kw_only=True, tag="mix", tag_field="kind"):
    """A weighted sum of metrics, of their gold scores and of their corpus scores."""

    metrics: Annotated[tuple[Single, ...], Meta(min_length=1)]
    weights: tuple[float, ...]


AnyGold: TypeAlias = BleuPlusOne | SentenceChrf | SentenceWer | Ter | Function | Mix


class Gold:
    """A metric ready for use.

    >>> gold = Gold(BleuPlusOne())
    >>> stats, scores = gold.judge(["a dog runs"])(["a dog runs", "dogs"])
    >>> scores.round(2).tolist(), round(float(gold.corpus(stats[0])))
    ([1.0, 0.0], 0)
    """

    def __init__(self, metric: AnyGold) -> None:
        self.parts = metric.metrics if isinstance(metric, Mix) else (metric,)
        self.weights = metric.weights if isinstance(metric, Mix) else (1.0,)
        if len(self.weights) != len(self.parts):
            raise ConfigError(
                f"gold.weights has {len(self.weights)} numbers for {len(self.parts)} metrics"
            )
        self.functions = {p: _import(p.function) for p in self.parts if isinstance(p, Function)}
        self.widths = [_width(self, part) for part in self.parts]

    def judge(self, references: Sequence[str]) -> Judge:
        """What judges the candidates of one sentence."""
        return self._together([self._judge(part, references) for part in self.parts])

    @property
    def takes_ids(self) -> bool:
        """Whether all metrics compare words, so that ids will do for them."""
        return all(isinstance(part, BleuPlusOne | SentenceWer) for part in self.parts)

    def judge_ids(self, references: Sentences) -> IdJudge:
        """What judges the candidates of one sentence as ids, where the metric `takes_ids`."""
        words = [part for part in self.parts if isinstance(part, BleuPlusOne | SentenceWer)]
        return self._together([_by_ids(part, references) for part in words])

    def _together(
        self, judges: Sequence[Callable[[T], tuple[Array, Array]]]
    ) -> Callable[[T], tuple[Array, Array]]:
        """The judges as one, whose gold is their weighted sum."""

        def judge(candidates: T) -> tuple[Array, Array]:
            judged = [one(candidates) for one in judges]
            gold = [w * scores for w, (_, scores) in zip(self.weights, judged, strict=True)]
            return np.hstack([stats for stats, _ in judged]), np.sum(gold, axis=0)

        return judge

    def corpus(self, stats: Array) -> Array:
        """Corpus scores in percent, higher is better, of summed statistics `[..., k]`."""
        total, start = np.zeros(stats.shape[:-1]), 0
        for part, weight, width in zip(self.parts, self.weights, self.widths, strict=True):
            total = total + weight * _corpus(part, stats[..., start : start + width])
            start += width
        return total

    def length_ratio(self, stats: Array) -> float | None:
        """Words of candidates by words of references, from summed statistics; BLEU's only."""
        if not isinstance(self.parts[0], BleuPlusOne):
            return None
        return float(stats[0] / max(stats[1], 1.0))

    def _judge(self, metric: Single, references: Sequence[str]) -> Judge:
        if isinstance(metric, Function):
            return _by_function(self.functions[metric], references)
        if isinstance(metric, Ter):
            return _by_ter(metric, references)
        vocabulary = Vocabulary()

        def encode(texts: Sequence[str]) -> Sentences:
            if metric.units == "characters":
                return SentenceChrf.encode(texts)
            return words(texts, vocabulary)

        judge = _by_ids(metric, encode(references))
        return lambda texts: judge(encode(texts))


def _by_ids(metric: BleuPlusOne | SentenceChrf | SentenceWer, references: Sentences) -> IdJudge:
    prepared = metric.prepare(references)

    def judge(candidates: Sentences) -> tuple[Array, Array]:
        stats = prepared.stats(candidates)
        return stats, prepared.gold(stats)

    return judge


def _width(gold: Gold, metric: Single) -> int:
    """How many statistics a metric has."""
    if isinstance(metric, Function):
        return 2
    return int(gold._judge(metric, ["a"])(["a"])[0].shape[1])


def corpus_bleu(stats: Array) -> Array:
    """SacreBLEU's BLEU (exponential smoothing) of many sums of its statistics at once `[..., 10]`.

    >>> corpus_bleu(np.array([[4, 4, 4, 3, 2, 1, 4, 3, 2, 1.0], [4, 4, 2, 0, 0, 0, 4, 3, 2, 1]]))
    array([100.        ,  18.99589214])
    """
    length, reference = stats[..., 0], stats[..., 1]
    matches, totals = stats[..., 2 : 2 + ORDER], stats[..., 2 + ORDER :]
    # The first order without a match counts as 1/2 of a match, the next as 1/4, and so on.
    empty = np.cumsum(matches == 0, axis=-1)
    smoothed = np.where(matches > 0, matches, 0.5**empty)
    with np.errstate(divide="ignore"):
        logs = np.log(smoothed / np.maximum(totals, 1)).mean(axis=-1)
        brevity = np.minimum(0.0, 1.0 - reference / np.maximum(length, 1))
    sound = (totals[..., -1] > 0) & (matches.max(axis=-1) > 0)
    return np.where(sound, 100.0 * np.exp(logs + brevity), 0.0)


def _corpus(metric: Single, stats: Array) -> Array:
    """The corpus scores of summed statistics `[..., k]`, higher is better."""
    if isinstance(metric, BleuPlusOne):
        return corpus_bleu(stats)
    if isinstance(metric, SentenceWer | Ter):
        errors, length = stats[..., 0], stats[..., 1]
        rate = np.where(length > 0, errors / np.maximum(length, 1), errors > 0)
        return np.asarray(100.0 * (1.0 - rate))
    if isinstance(metric, Function):
        return np.asarray(100.0 * stats[..., 0] / np.maximum(stats[..., 1], 1))
    return np.apply_along_axis(metric.score, -1, stats)


def _by_function(function: Callable[[str, Sequence[str]], float], references: Any) -> Judge:
    def judge(texts: Sequence[str]) -> tuple[Array, Array]:
        gold = np.array([float(function(text, references)) for text in texts])
        return np.column_stack([gold, np.ones(len(gold))]), gold

    return judge


def _by_ter(metric: Ter, references: Sequence[str]) -> Judge:
    prepared = CorpusTer(lowercase=metric.lowercase).prepare(references)

    def judge(texts: Sequence[str]) -> tuple[Array, Array]:
        stats = np.array([prepared(text) for text in texts], dtype=np.float64)
        gold = 1.0 - np.where(stats[:, 1] > 0, stats[:, 0] / np.maximum(stats[:, 1], 1), 1.0)
        return stats, np.maximum(gold, 0.0)

    return judge


def _import(function: str) -> Callable[[str, Sequence[str]], float]:
    module, _, name = function.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(
            f"gold.function = {function!r} cannot be imported ({error}); expected module:name"
        ) from None
    if not callable(found):
        raise ConfigError(f"gold.function = {function!r} is not a function")
    imported: Callable[[str, Sequence[str]], float] = found
    return imported
