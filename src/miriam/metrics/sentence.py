"""Sentence-level metrics for tuning: candidates of one sentence, many at once, against references.

References are prepared once (`prepare`); a list of candidates then becomes a matrix of statistics
(`stats`), and those become gold scores (`gold`: 0 to 1, higher is better, one for each candidate).
The statistics of chosen candidates, summed over sentences, give the corpus score (`score`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, Protocol

import numpy as np
from msgspec import Meta

from miriam._core import metrics as core
from miriam.config import Config
from miriam.lexicon.vocabulary import Sentences
from miriam.metrics.encode import characters
from miriam.metrics.metric import Stats
from miriam.metrics.rates import error_rate
from miriam.metrics.sacre import Bleu, Chrf

__all__ = ["BleuPlusOne", "Candidates", "SentenceChrf", "SentenceMetric", "SentenceWer"]

N = 4  # the n-gram order of BLEU


class Candidates(Protocol):
    """The references of one sentence, ready to be compared with lists of candidates."""

    def stats(self, candidates: Sentences) -> Stats:
        """The statistics `[n, k]` of n candidates."""

    def gold(self, stats: Stats) -> np.ndarray:
        """The gold score of each row of statistics: higher is better."""


class SentenceMetric(Protocol):
    """A metric of candidates: settings, and what follows from them."""

    units: ClassVar[Literal["words", "characters"]]  # what ids stand for

    def prepare(self, references: Sentences) -> Candidates:
        """The references of one sentence, ready."""

    def score(self, stats: Stats) -> float:
        """The corpus score, in percent, of statistics summed over sentences."""


class BleuPlusOne(Config, frozen=True, kw_only=True, tag="bleu+1", tag_field="kind"):
    """BLEU+1 (Lin and Och, 2004): precisions of 2- to 4-grams are (matches + 1) / (totals + 1).

    Nakov et al. (2012) smooth further: unigrams too (`smooth_unigrams`), and the reference length
    in the brevity penalty (`smooth_length`), without which tuning favours short translations.

    >>> from miriam.metrics import words
    >>> from miriam.lexicon.vocabulary import Vocabulary
    >>> ids = Vocabulary()
    >>> references = BleuPlusOne().prepare(words(["a dog runs", "the dog is running"], ids))
    >>> references.gold(references.stats(words(["a dog runs", "the dog runs"], ids))).round(3)
    array([1.   , 0.841])
    """

    smooth_unigrams: bool = False
    smooth_length: bool = False
    reference_length: Literal["closest", "shortest"] = "closest"
    scale: bool = False  # gold in matched words: times the length of the shortest reference

    units: ClassVar[Literal["words", "characters"]] = "words"

    def prepare(self, references: Sentences) -> BleuCandidates:
        """The references of one sentence, word ids."""
        return BleuCandidates(
            self, core.BleuReferences(references.ids, references.ends, self.reference_length)
        )

    def score(self, stats: Stats) -> float:
        """Corpus BLEU: with the closest reference length, sacreBLEU's without a tokeniser."""
        return Bleu(tokenize="none").score(stats)


class BleuCandidates:
    """Compares candidates with the references of one sentence by BLEU+1."""

    def __init__(self, settings: BleuPlusOne, references: core.BleuReferences) -> None:
        self._references = references
        self._plus = np.array([float(settings.smooth_unigrams), 1.0, 1.0, 1.0])
        self._longer = float(settings.smooth_length)
        self._scale = float(references.shortest) if settings.scale else 1.0

    def stats(self, candidates: Sentences) -> Stats:
        """Length, reference length, matches of 1- to 4-grams, and totals, of each candidate."""
        return self._references.stats(candidates.ids, candidates.ends)

    def gold(self, stats: Stats) -> np.ndarray:
        """BLEU+1 of each row; an empty candidate has 0."""
        length, reference = stats[:, 0], stats[:, 1] + self._longer
        matches, totals = stats[:, 2 : 2 + N], stats[:, 2 + N :]
        some = np.maximum(length, 1.0)  # an empty candidate divides nothing by 0
        precisions = (matches + self._plus) / np.maximum(totals + self._plus, 1.0)
        brevity = np.exp(np.minimum(0.0, 1.0 - reference / some))
        gold: np.ndarray = self._scale * brevity * precisions.prod(axis=1) ** (1 / N)
        return np.where(length > 0, gold, 0.0)


class SentenceChrf(Config, frozen=True, kw_only=True, tag="chrf", tag_field="kind"):
    """ChrF (Popović, 2015) as sacreBLEU computes it, on characters without white space.

    >>> metric = SentenceChrf()
    >>> references = metric.prepare(metric.encode(["a dog runs"]))
    >>> references.gold(references.stats(metric.encode(["a dog runs", "dogs run"]))).round(3)
    array([1.   , 0.305])
    """

    order: Annotated[int, Meta(ge=1)] = 6
    beta: Annotated[int, Meta(ge=1)] = 2

    units: ClassVar[Literal["words", "characters"]] = "characters"

    @staticmethod
    def encode(texts: Sequence[str]) -> Sentences:
        """The characters of texts, without their white space."""
        return characters(["".join(text.split()) for text in texts])

    def prepare(self, references: Sentences) -> ChrfCandidates:
        """The references of one sentence, as `encode` gives them."""
        return ChrfCandidates(
            core.ChrfReferences(references.ids, references.ends, self.order, self.beta)
        )

    def score(self, stats: Stats) -> float:
        """Corpus chrF, sacreBLEU's."""
        return Chrf(char_order=self.order, beta=self.beta).score(stats)


class ChrfCandidates:
    """Compares candidates with the references of one sentence by chrF."""

    def __init__(self, references: core.ChrfReferences) -> None:
        self._references = references

    def stats(self, candidates: Sentences) -> Stats:
        """N-grams of the candidate, of its best reference, and of both, for each n."""
        return self._references.stats(candidates.ids, candidates.ends)

    def gold(self, stats: Stats) -> np.ndarray:
        """The chrF of each row, 0 to 1."""
        return self._references.scores(stats) / 100.0


class SentenceWer(Config, frozen=True, kw_only=True, tag="wer", tag_field="kind"):
    """Word error rate; gold is 1 - errors per word of the reference, and never below 0.

    With characters for words it is the character error rate.

    >>> from miriam.metrics import words
    >>> from miriam.lexicon.vocabulary import Vocabulary
    >>> ids = Vocabulary()
    >>> references = SentenceWer().prepare(words(["a dog runs fast"], ids))
    >>> references.gold(references.stats(words(["a dog runs", "cats"], ids)))
    array([0.75, 0.  ])
    """

    units: ClassVar[Literal["words", "characters"]] = "words"

    def prepare(self, references: Sentences) -> EditCandidates:
        """The references of one sentence, word ids."""
        return EditCandidates(core.EditReferences(references.ids, references.ends))

    def score(self, stats: Stats) -> float:
        """Corpus word error rate: lower is better."""
        return error_rate(stats)


class EditCandidates:
    """Compares candidates with the references of one sentence by edit distance."""

    def __init__(self, references: core.EditReferences) -> None:
        self._references = references

    def stats(self, candidates: Sentences) -> Stats:
        """Edits and the closest reference's length, of each candidate."""
        return self._references.stats(candidates.ids, candidates.ends)

    def gold(self, stats: Stats) -> np.ndarray:
        """One minus the error rate of each row, or 0 where there are more errors than words."""
        edits, length = stats[:, 0], stats[:, 1]
        wrong = np.where(length > 0, edits / np.maximum(length, 1.0), edits)
        return np.maximum(0.0, 1.0 - wrong)
