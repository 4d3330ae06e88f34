"""Tuning a decoder: n-best lists decoded anew with the weights of the moment, and judged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from miriam.features.rows import WeightRows
from miriam.features.table import Features
from miriam.lexicon.vocabulary import MappedVocabulary, Sentences
from miriam.search.sentence import Sentence
from miriam.tune.batch.rounds import tune_in_rounds
from miriam.tune.clock import Clock
from miriam.tune.factored import Batch, lists_of
from miriam.tune.gold import AnyGold, Gold, IdJudge, Judge
from miriam.tune.grouping.tuning import Grouping, required_development, tune_groups
from miriam.tune.learner import Learner, Scored
from miriam.tune.lists import Candidates
from miriam.tune.losses.loss import Array
from miriam.tune.online import Evaluation, Online, OnlineTuner, Tuned
from miriam.tune.run import Run
from miriam.tune.settings import DecoderTuning
from miriam.tune.snapshots import Weights

__all__ = ["DecoderProblem", "FeatureNames", "How", "TuningSet", "tune_decoder"]

PART = 500  # sentences whose candidates are in memory twice at a time


class TuningSet(NamedTuple):
    """Sentences and the references of each, as tokens with blanks between them."""

    sources: Sequence[Sentence]
    references: Sequence[Sequence[str]]


class How(NamedTuple):
    """How to decode."""

    nbest: int = 100
    distinct: bool = True
    threads: int = 1


class Decoded(Protocol):
    """What a decoder gives for several sentences."""

    @property
    def nbest(self) -> Batch:
        """The candidates with their features."""

    def words(self, others: Mapping[str, int]) -> Sentences:
        """The words of each candidate; `others` numbers words that the tables do not have."""

    def texts(self) -> list[str]:
        """The words of each candidate, as text."""


class AnyDecoder(Protocol):
    """A decoder whose weights may change from call to call."""

    @property
    def features(self) -> Features:
        """The features that are known."""

    @property
    def target_words(self) -> MappedVocabulary:
        """The words of the tables."""

    def decode(
        self,
        sources: Sequence[Sentence],
        weights: Array | WeightRows,
        *,
        nbest: int,
        distinct: bool,
        threads: int,
    ) -> Decoded:
        """The best derivations of each sentence; called from several threads at once."""

    def learn_rules(self, sources: Sequence[Sentence]) -> None:
        """Ask the templates about all rules for these sentences."""


class FeatureNames:
    """A decoder's features as the learners' `Names`."""

    def __init__(self, features: Features) -> None:
        self.features = features

    def __len__(self) -> int:
        return len(self.features)

    def word(self, id: int) -> str:  # noqa: A002  # the protocol's own name for it
        """The name of a feature."""
        return self.features.name(id)

    def add(self, word: str) -> int:
        """The id of a name."""
        return self.features.add(word)


class References:
    """The references of a set, ready to judge what a decoder gives."""

    def __init__(self, references: Sequence[Sequence[str]], words: MappedVocabulary, gold: Gold):
        self.by_ids = gold.takes_ids
        self.new_words: dict[str, int] = {}  # in references, but not in the tables
        self.id_judges: list[IdJudge] = []
        self.judges: list[Judge] = []
        for lines in references:
            if self.by_ids:
                self.id_judges.append(gold.judge_ids(self._encode(lines, words)))
            else:
                self.judges.append(gold.judge(lines))

    def _encode(self, lines: Sequence[str], words: MappedVocabulary) -> Sentences:
        rows = [[self._number(word, words) for word in line.split()] for line in lines]
        return Sentences(
            np.array([number for row in rows for number in row], np.uint32),
            np.cumsum([len(row) for row in rows], dtype=np.uint64),
        )

    def _number(self, word: str, words: MappedVocabulary) -> int:
        found = words.find(word)
        if found is None:
            found = self.new_words.setdefault(word, len(words) + len(self.new_words))
        return found

    def judge(self, sentences: Sequence[int], decoded: Decoded) -> Iterator[tuple[Array, Array]]:
        """Statistics and gold scores of the candidates of each sentence of a batch."""
        ends = [0, *decoded.nbest.sentence_ends.tolist()]
        if not self.by_ids:
            texts = decoded.texts()
            for i, sentence in enumerate(sentences):
                yield self.judges[sentence](texts[ends[i] : ends[i + 1]])
            return
        words = decoded.words(self.new_words)
        bounds = [0, *words.ends.tolist()]
        for i, sentence in enumerate(sentences):
            begin, end = ends[i], ends[i + 1]
            first = bounds[begin]
            of_sentence = Sentences(
                words.ids[first : bounds[end]], words.ends[begin:end] - np.uint64(first)
            )
            yield self.id_judges[sentence](of_sentence)


class DecoderProblem:
    """The data of a tuner that decodes: both for the online tuner and for rounds."""

    def __init__(
        self,
        decoder: AnyDecoder,
        data: TuningSet,
        gold: AnyGold,
        *,
        development: TuningSet | None = None,
        how: How = How(),  # noqa: B008  # it is a value
    ) -> None:
        self.decoder, self.how = decoder, how
        self.clock = Clock()
        self.names = FeatureNames(decoder.features)
        self.metric, self.gold = gold, Gold(gold)
        self.data, self.development = data, development
        self.references = References(data.references, decoder.target_words, self.gold)
        lengths = [np.mean([len(r.split()) for r in lines]) for lines in data.references]
        self.reference_length = float(np.mean(lengths))
        decoder.learn_rules(data.sources)
        if development:
            decoder.learn_rules(development.sources)
            self.dev_references = References(
                development.references, decoder.target_words, self.gold
            )

    def on_development(self) -> DecoderProblem:
        """The same decoder, to be tuned on the development set."""
        development = required_development(self.development)
        return DecoderProblem(
            self.decoder, development, self.metric, development=development, how=self.how
        )

    def __len__(self) -> int:
        return len(self.data.sources)

    def fingerprint(self) -> str:
        """A hash of the sentences, their references, and which features the decoder has."""
        features = self.decoder.features
        digest = hashlib.sha256("\0".join([*features.dense, *features.prefixes]).encode())
        for data in filter(None, (self.data, self.development)):
            for source, references in zip(data.sources, data.references, strict=True):
                digest.update("\0".join([*source.tokens, *source.domains, *references]).encode())
        return digest.hexdigest()

    def decode(self, sentences: Sequence[int], weights: Weights) -> Decoded:
        """The n-best lists of a mini-batch; called from several threads at once."""
        sources = [self.data.sources[i] for i in sentences]
        if (rows := weights.rows()) is not None:
            return self._decode(sources, rows)
        return self._decode(sources, weights.read(np.arange(len(self.names), dtype=np.int32)))

    def score(self, sentences: Sequence[int], decoded: Decoded) -> list[Scored]:
        """Those lists, judged; called in the order of the batches, so that ids are the same."""
        with self.clock.on("extraction"):
            lists = lists_of(decoded.nbest)
        with self.clock.on("gold"):
            judged = self.references.judge(sentences, decoded)
            return [Scored(nbest, *found) for nbest, found in zip(lists, judged, strict=True)]

    def decode_all(self, vector: Array) -> list[Candidates]:
        """The n-best lists of all sentences, in order, with these weights by id."""
        everything = []
        for begin in range(0, len(self), PART):
            part = self.data.sources[begin : begin + PART]
            with self.clock.on("decoding"):
                decoded = self._decode(part, vector)
            with self.clock.on("extraction"):
                texts, lists, start = decoded.texts(), lists_of(decoded.nbest), 0
            for number, nbest in enumerate(lists, begin):
                own = texts[start : start + len(nbest)]
                everything.append(Candidates(number, own, nbest, np.zeros(len(nbest))))
                start += len(nbest)
        return everything

    def judge(self, candidates: Candidates) -> Scored:
        """A list with its gold scores."""
        with self.clock.on("gold"):
            judge = self.gold.judge(self.data.references[candidates.sentence])
            return Scored(candidates.nbest, *judge(candidates.texts))

    def corpus(self, stats: Array) -> Array:
        """The corpus score of summed statistics."""
        return self.gold.corpus(stats)

    def evaluate(self, vector: Array) -> Evaluation | None:
        """The score of weights by id on the development set, decoded afresh; None without one."""
        if self.development is None:
            return None
        best = How(nbest=1, distinct=False, threads=self.how.threads)
        decoded = self._decode(self.development.sources, vector, best)
        judged = self.dev_references.judge(range(len(self.development.sources)), decoded)
        stats = np.sum([found[0][0] for found in judged if len(found[0])], axis=0)
        return Evaluation(float(self.gold.corpus(stats)), self.gold.length_ratio(stats))

    def _decode(
        self, sources: Sequence[Sentence], weights: Array | WeightRows, how: How | None = None
    ) -> Decoded:
        how = how or self.how
        if isinstance(weights, np.ndarray):
            missing = max(0, len(self.decoder.features.dense) - len(weights))
            weights = np.pad(weights, (0, missing))
        return self.decoder.decode(
            sources, weights, nbest=how.nbest, distinct=how.distinct, threads=how.threads
        )


def tune_decoder(
    settings: DecoderTuning, problem: DecoderProblem, start: Mapping[str, float], run: Run
) -> Tuned:
    """Weights for a decoder, learnt by any learner."""
    learner = settings.learner
    if isinstance(learner, Online):
        pieces, length = learner.pieces, problem.reference_length
        tuner = OnlineTuner(
            learner,
            problem,
            lambda: Learner.started(pieces, problem.names, start, reference_length=length),
            seed=run.seed,
            log=run.log,
            report=run.report,
        )
        return tuner.run(run.checkpoint)
    ids = {problem.names.add(name): weight for name, weight in start.items()}
    vector = np.zeros(len(problem.names))
    vector[list(ids)] = list(ids.values())
    if isinstance(learner, Grouping):
        return tune_groups(learner, problem, problem.on_development(), vector, run)
    return tune_in_rounds(
        learner,
        problem,
        vector,
        rounds=settings.rounds,
        seed=run.seed,
        threads=run.threads,
        log=run.log,
    )
