"""Rounds of decoding and batch learning, on n-best lists that accumulate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from miriam.features.nbest import Names
from miriam.tune.batch.pool import BatchLearner, Pool
from miriam.tune.guards import CollapseError, check_weights
from miriam.tune.learner import Scored
from miriam.tune.lists import Candidates, merge
from miriam.tune.losses.loss import Array
from miriam.tune.monitor import Log, no_log
from miriam.tune.online import Evaluation, Tuned

__all__ = ["RoundsProblem", "tune_in_rounds"]


class RoundsProblem(Protocol):
    """What decodes a tuning set, and judges what comes out."""

    names: Names

    def decode_all(self, vector: Array) -> Sequence[Candidates]:
        """The n-best lists of all sentences, in order, with these weights by id."""

    def judge(self, candidates: Candidates) -> Scored:
        """A list with its gold scores."""

    def corpus(self, stats: Array) -> Array:
        """The corpus score of summed statistics."""

    def evaluate(self, vector: Array) -> Evaluation | None:
        """The score of weights on a development set, decoded afresh; None without one."""


def tune_in_rounds(
    learner: BatchLearner,
    problem: RoundsProblem,
    start: Array,
    *,
    rounds: int = 15,
    seed: int = 1,
    threads: int = 1,
    log: Log = no_log,
) -> Tuned:
    """The weights of the best round; it ends early when decoding finds no new candidate."""
    vector = best = start
    best_score, best_round, stopped = -np.inf, 0, ""
    known: list[Candidates] = []
    for number in range(1, rounds + 1):
        decoded = problem.decode_all(vector)
        sizes = sum(len(candidates.texts) for candidates in known)
        known = [merge(pair) for pair in zip(known, decoded, strict=True)] if known else [
            merge([candidates]) for candidates in decoded
        ]  # fmt: skip
        if sum(len(candidates.texts) for candidates in known) == sizes:
            stopped = "decoding found no new candidate"
            break
        pool = Pool([problem.judge(candidates) for candidates in known], problem.corpus)
        room = max(0, len(problem.names) - len(vector))
        vector = learner.learn(pool, np.pad(vector, (0, room)), seed=seed, threads=threads)
        try:
            check_weights(vector)
        except CollapseError as collapse:
            stopped = str(collapse)
            break
        evaluation = problem.evaluate(vector)
        score = pool.score(vector) if evaluation is None else evaluation.score
        log({"event": "step", "step": number, "steps": rounds, "score": score})
        if evaluation is None or score > best_score:
            best, best_score, best_round = vector, score, number
    words = problem.names.word
    weights = {words(int(i)): float(best[i]) for i in np.flatnonzero(best)}
    return Tuned(weights, best_score if best_round else None, best_round, stopped)
