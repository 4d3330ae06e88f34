"""Language models to ask: opened in milliseconds, all scores natural logarithms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from miriam._core.lm import ArpaWriter, BuiltModel, Model, Words
from miriam.container import ContainerWriter, open_container
from miriam.errors import ModelError
from miriam.lexicon.vocabulary import MappedVocabulary, Sentences, write_vocabulary
from miriam.lm.arpa import is_arpa, read_arpa

__all__ = ["LanguageModel", "Perplexity", "SentenceModel", "WordScores", "write_model"]

KIND, VERSION = "lm", 1
UNKNOWN = 0  # the id of <unk>


@dataclass(frozen=True)
class WordScores:
    """What a model says of a text: one entry for each word and for the end of each line."""

    logs: npt.NDArray[np.float32]  # natural logarithms of the probabilities
    orders: npt.NDArray[np.uint8]  # of the n-grams they come from
    unknown: npt.NDArray[np.bool_]  # the word is not in the model
    ends: npt.NDArray[np.uint64]  # where each line ends, its </s> included

    def sums(self) -> npt.NDArray[np.float64]:
        """The natural log probability of each line."""
        return _sums(self.logs, self.ends.astype(np.int64))


def _sums(logs: npt.NDArray[np.float32], ends: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    totals = np.cumsum(logs, dtype=np.float64)[ends - 1]
    return np.diff(totals, prepend=0.0)


@dataclass(frozen=True)
class Perplexity:
    """How well a model predicts a text."""

    lines: int
    words: int  # without the ends of lines
    unknown: int  # words that the model does not have
    log_probability: float  # natural, of all words and ends of lines
    log_probability_known: float  # without the unknown words

    def __add__(self, other: Perplexity) -> Perplexity:
        return Perplexity(
            self.lines + other.lines,
            self.words + other.words,
            self.unknown + other.unknown,
            self.log_probability + other.log_probability,
            self.log_probability_known + other.log_probability_known,
        )

    @property
    def perplexity(self) -> float:
        """Over all words and ends of lines."""
        return _perplexity(self.log_probability, self.words + self.lines)

    @property
    def perplexity_known(self) -> float:
        """The same without unknown words, for models of different vocabularies."""
        return _perplexity(self.log_probability_known, self.words + self.lines - self.unknown)


def _perplexity(log_probability: float, count: int) -> float:
    try:
        return math.exp(-log_probability / count) if count else math.nan
    except OverflowError:
        return math.inf


class SentenceModel(Protocol):
    """What gives probabilities to sentences: a model of words, of classes, or a mixture."""

    def score_words(self, text: Sequence[str]) -> WordScores:
        """What the model says of each word of lines of tokens."""
        ...

    def score_batch(self, text: Sequence[str]) -> npt.NDArray[np.float64]:
        """The natural log probability of each line, its end included."""
        ...

    def score(self, tokens: str | Sequence[str]) -> float:
        """The natural log probability of one sentence."""
        ...

    def perplexity(self, text: Sequence[str]) -> Perplexity:
        """How well the model predicts a text."""
        ...


class Scoring:
    """All of a `SentenceModel` but `score_words`."""

    def score_words(self, text: Sequence[str]) -> WordScores:
        """What the model says of each word of lines of tokens."""
        raise NotImplementedError

    def score_batch(self, text: Sequence[str]) -> npt.NDArray[np.float64]:
        """The natural log probability of each line, its end included."""
        return self.score_words(text).sums()

    def score(self, tokens: str | Sequence[str]) -> float:
        """The natural log probability of one sentence, its end included."""
        line = tokens if isinstance(tokens, str) else " ".join(tokens)
        return float(self.score_batch([line])[0])

    def perplexity(self, text: Sequence[str]) -> Perplexity:
        """How well the model predicts lines of tokens."""
        scores = self.score_words(text)
        logs = scores.logs.astype(np.float64)
        return Perplexity(
            lines=len(scores.ends),
            words=len(logs) - len(scores.ends),
            unknown=int(scores.unknown.sum()),
            log_probability=float(logs.sum()),
            log_probability_known=float(logs[~scores.unknown].sum()),
        )


class LanguageModel(Scoring):
    """An n-gram model of words.

    `native` has what a decoder needs: states, and the scores of one word or span at a time.

    >>> from miriam.lm import Estimation, estimate
    >>> model = estimate(["a b a c", "a b"], Estimation(order=2)).model()
    >>> model.order, model.counts
    (2, [6, 6])
    >>> round(model.score("a b"), 3) == round(float(model.score_words(["a b"]).logs.sum()), 3)
    True
    >>> model.perplexity(["a b", "b x"]).unknown
    1
    """

    def __init__(
        self, native: Model, words: tuple[npt.NDArray[np.generic], ...], counts: Sequence[int]
    ) -> None:
        self.native = native
        self.counts = list(counts)
        self.vocabulary = MappedVocabulary(*words)  # type: ignore[arg-type]
        self._words = words

    @classmethod
    def from_built(cls, built: BuiltModel) -> Self:
        """The model that was estimated or read, in memory."""
        return cls(
            Model(built.order, built.unigrams, built.slots), built.vocabulary.arrays(), built.counts
        )

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """The model in a table (mapped, in milliseconds) or in an ARPA file (read as a whole)."""
        if is_arpa(path):
            return cls.from_built(read_arpa(path)[0])
        table = open_container(path, kind=KIND, version=VERSION)
        words = tuple(table[f"words.{part}"] for part in ("text", "ends", "slots"))
        counts = table["counts"].tolist()
        try:
            model = cls(Model(len(counts), table["unigrams"], table["slots"]), words, counts)
        except (ModelError, TypeError) as error:
            raise ModelError(f"{path}: {error}; build the file again") from None
        if 2 * len(model.vocabulary) != len(table["unigrams"]):
            raise ModelError(f"{path}: words and unigrams do not fit; build the file again")
        return model

    def arpa(self, *, threads: int = 1) -> ArpaWriter:
        """The model as the text of an ARPA file, for `write_arpa`."""
        return self.native.arpa(Words(*self._words), self.counts, threads)  # type: ignore[arg-type]

    @property
    def order(self) -> int:
        """The number of words of the longest n-grams."""
        return self.native.order

    def encode(self, text: Sequence[str]) -> Sentences:
        """Lines of tokens as ids of the model's words."""
        return Sentences(*self.vocabulary.encode("".join(f"{line}\n" for line in text).encode()))

    def score_words(self, text: Sequence[str]) -> WordScores:
        """What the model says of each word of lines of tokens."""
        return self.score_ids(self.encode(text))

    def score_batch(self, text: Sequence[str]) -> npt.NDArray[np.float64]:
        """The natural log probability of each line, its end included."""
        sentences = self.encode(text)
        logs, _ = self.native.score_text(sentences.ids, sentences.ends)
        return _sums(logs, _with_ends(sentences))

    def score_ids(self, sentences: Sentences) -> WordScores:
        """What the model says of each word of sentences of ids (2**32 - 1: unknown)."""
        logs, orders = self.native.score_text(sentences.ids, sentences.ends)
        unknown = (sentences.ids >= len(self.vocabulary)) | (sentences.ids == UNKNOWN)
        unknown = np.insert(unknown, sentences.ends.astype(np.int64), False)
        return WordScores(logs, orders, unknown, _with_ends(sentences).astype(np.uint64))


def _with_ends(sentences: Sentences) -> npt.NDArray[np.int64]:
    """Where each sentence ends if its </s> counts as a word."""
    return sentences.ends.astype(np.int64) + np.arange(1, len(sentences.ends) + 1)


def write_model(path: Path | str, built: BuiltModel) -> None:
    """Write a model as a table, which is mapped when it is opened."""
    with ContainerWriter(path, kind=KIND, version=VERSION) as writer:
        writer.add("counts", np.array(built.counts, dtype=np.uint64))
        write_vocabulary(writer, "words", built.vocabulary)
        writer.add("unigrams", built.unigrams)
        writer.add("slots", built.slots)
