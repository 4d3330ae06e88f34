"""Reranking: weights learnt on n-best files of any system, and put to use on others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import structs

from miriam.errors import InputError
from miriam.features.nbest import Names
from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune.batch.pool import Pool
from miriam.tune.clock import Clock
from miriam.tune.gold import AnyGold, Gold
from miriam.tune.grouping.tuning import Grouping, required_development, tune_groups
from miriam.tune.guards import CollapseError, check_weights
from miriam.tune.learner import Learner, Scored
from miriam.tune.lists import Candidates, ranked
from miriam.tune.losses.loss import Array
from miriam.tune.online import Evaluation, Online, OnlineTuner, Tuned
from miriam.tune.run import Run
from miriam.tune.settings import Tuning
from miriam.tune.snapshots import Weights

__all__ = ["FixedLists", "Lists", "Run", "apply", "score_lists", "tune"]


class Lists(NamedTuple):
    """Scored n-best lists, and what is known of the references."""

    pool: Pool
    gold: Gold
    reference_length: float  # the mean, in words


def score_lists(
    sentences: Iterable[Candidates], references: Sequence[Sequence[str]], metric: AnyGold
) -> Lists:
    """The lists with gold scores; `references[i]` are those of sentence i.

    >>> from miriam.metrics import BleuPlusOne
    >>> from miriam.tune.lists import RowList
    >>> nbest = RowList.of([{"LM": -1.0}, {"LM": -2.0}], Vocabulary())
    >>> candidates = Candidates(0, ["a dog", "dogs"], nbest, np.zeros(2))
    >>> score_lists([candidates], [["a dog"]], BleuPlusOne()).pool.lists[0].gold
    array([1., 0.])
    """
    gold = Gold(metric)
    lists, lengths = [], []
    for sentence, texts, nbest, _ in sentences:
        if sentence >= len(references):
            raise InputError(
                f"sentence {sentence} of the n-best file has no reference: there are "
                f"{len(references):,}, numbered from 0"
            )
        lists.append(Scored(nbest, *gold.judge(references[sentence])(texts)))
        lengths.append(np.mean([len(r.split()) for r in references[sentence]]))
    return Lists(Pool(lists, gold.corpus), gold, float(np.mean(lengths)))


class FixedLists:
    """A tuning problem whose n-best lists do not depend on the weights, online and in rounds."""

    def __init__(self, lists: Lists, names: Names, development: Lists | None = None) -> None:
        self.lists, self.names, self.development = lists, names, development
        self.clock = Clock()

    def __len__(self) -> int:
        return len(self.lists.pool.lists)

    def decode(self, sentences: Sequence[int], weights: Weights) -> list[Scored]:  # noqa: ARG002
        """The lists there are."""
        return [self.lists.pool.lists[i] for i in sentences]

    def decode_all(self, vector: Array) -> list[Candidates]:  # noqa: ARG002
        """All lists; the text of a candidate is its number."""
        return [
            Candidates(i, [str(d) for d in range(len(gold))], nbest, np.full(len(gold), np.nan))
            for i, (nbest, _, gold) in enumerate(self.lists.pool.lists)
        ]

    def judge(self, candidates: Candidates) -> Scored:
        """Some candidates of a list with their gold scores."""
        _, stats, gold = self.lists.pool.lists[candidates.sentence]
        rows = np.array([int(text) for text in candidates.texts])
        return Scored(candidates.nbest, stats[rows], gold[rows])

    def corpus(self, stats: Array) -> Array:
        """The corpus score of summed statistics."""
        return self.lists.pool.corpus(stats)

    def score(self, sentences: Sequence[int], decoded: list[Scored]) -> list[Scored]:  # noqa: ARG002
        """They have their scores."""
        return decoded

    def fingerprint(self) -> str:
        """A hash of the gold scores."""
        digest = hashlib.sha256()
        for scored in self.lists.pool.lists:
            digest.update(scored.gold.tobytes())
        return digest.hexdigest()

    def evaluate(self, vector: Array) -> Evaluation | None:
        """The corpus score of the chosen candidates of the development lists, if there are any."""
        if self.development is None:
            return None
        stats = self.development.pool.chosen(vector).sum(axis=0)
        gold = self.development.gold
        return Evaluation(float(gold.corpus(stats)), gold.length_ratio(stats))


def tune(
    settings: Tuning,
    lists: Lists,
    names: Names,
    *,
    development: Lists | None = None,
    start: Mapping[str, float] | None = None,
    run: Run | None = None,
) -> Tuned:
    """Weights for reranking, learnt by any learner; the lists' features are numbered by `names`.

    >>> from miriam.metrics import BleuPlusOne
    >>> from miriam.tune.lists import RowList
    >>> from miriam.tune.settings import preset
    >>> names = Vocabulary()
    >>> nbest = RowList.of([{"LM": -2.0}, {"LM": -1.0}], names)
    >>> candidates = Candidates(0, ["dogs", "a dog"], nbest, np.zeros(2))
    >>> lists = score_lists([candidates], [["a dog"]], BleuPlusOne())
    >>> tune(preset("online"), lists, names).weights["LM"] > 0
    True
    """
    start, run = start or {}, run or Run()
    learner = settings.learner
    problem = FixedLists(lists, names, development)
    if isinstance(learner, Online):
        pieces = learner.pieces
        tuner = OnlineTuner(
            learner,
            problem,
            lambda: Learner.started(pieces, names, start, reference_length=lists.reference_length),
            seed=run.seed,
            log=run.log,
        )
        return tuner.run(run.checkpoint)
    ids = {names.add(name): value for name, value in start.items()}
    vector = np.zeros(len(names))
    vector[list(ids)] = list(ids.values())
    if isinstance(learner, Grouping):
        dev = required_development(development)
        judged_alone = FixedLists(dev, names, dev)
        once = structs.replace(learner, rounds=1, tuner_rounds=1)  # the lists stay as they are
        return tune_groups(once, problem, judged_alone, vector, run)
    vector = learner.learn(lists.pool, vector, seed=run.seed, threads=run.threads, log=run.log)
    try:
        check_weights(vector)
    except CollapseError as collapse:
        return Tuned(dict(start), None, 0, str(collapse))
    weights = {names.word(int(i)): float(vector[i]) for i in np.flatnonzero(vector)}
    judged = problem.evaluate(vector)
    score = judged.score if judged else lists.pool.score(vector)
    return Tuned(weights, score, 1, "")


def apply(
    sentences: Iterable[Candidates], weights: Mapping[str, float], names: Vocabulary
) -> Iterator[Candidates]:
    """The lists, whose features `names` numbers, scored by the weights, the best candidate first.

    >>> from miriam.tune.lists import RowList
    >>> names = Vocabulary()
    >>> nbest = RowList.of([{"LM": -2.0}, {"LM": -1.0}], names)
    >>> candidates = Candidates(0, ["dogs", "a dog"], nbest, np.zeros(2))
    >>> next(apply([candidates], {"LM": 0.5}, names)).texts
    ['a dog', 'dogs']
    """
    vector = np.empty(0)
    for candidates in sentences:
        new = range(len(vector), len(names))
        vector = np.append(vector, [weights.get(names.word(i), 0.0) for i in new])
        yield ranked(candidates, candidates.nbest.scores(vector[candidates.nbest.ids]))
