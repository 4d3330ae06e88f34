"""Rounds of decoding and batch learning, on n-best lists that accumulate."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from miriam.features.nbest import Names
from miriam.tune.batch.pool import BatchLearner, Pool
from miriam.tune.clock import Clock
from miriam.tune.guards import CollapseError, check_weights
from miriam.tune.learner import Scored
from miriam.tune.lists import Accumulated, Candidates
from miriam.tune.losses.loss import Array
from miriam.tune.monitor import Log, no_log
from miriam.tune.online import Evaluation, Tuned

__all__ = ["Known", "RoundsProblem", "tune_in_rounds"]


class RoundsProblem(Protocol):
    """What decodes a tuning set, and judges what comes out."""

    @property
    def names(self) -> Names:
        """The names of the features."""

    @property
    def clock(self) -> Clock:
        """Counts the time of its own work, and of the learner's."""

    def decode_all(self, vector: Array) -> Sequence[Candidates]:
        """The n-best lists of all sentences, in order, with these weights by id."""

    def judge(self, candidates: Candidates) -> Scored:
        """A list with its gold scores."""

    def corpus(self, stats: Array) -> Array:
        """The corpus score of summed statistics."""

    def evaluate(self, vector: Array) -> Evaluation | None:
        """The score of weights on a development set, decoded afresh; None without one."""


@dataclass
class Known:
    """The candidates that decoding has found so far, each judged once."""

    problem: RoundsProblem
    lists: list[Accumulated] = field(default_factory=list)
    judged: list[list[Scored]] = field(default_factory=list)

    def add(self, decoded: Sequence[Candidates]) -> int:
        """Take up the n-best lists of all sentences; how many candidates were new."""
        if not self.lists:
            self.lists = [Accumulated(candidates.sentence) for candidates in decoded]
            self.judged = [[] for _ in decoded]
        new = 0
        for known, judged, candidates in zip(self.lists, self.judged, decoded, strict=True):
            fresh = known.add(candidates)
            new += len(fresh.texts)
            if fresh.texts:
                judged.append(self.problem.judge(fresh))
        return new

    def pool(self) -> Pool:
        """All of them, for a batch learner."""
        return Pool(
            [
                Scored(
                    known.candidates().nbest,
                    np.concatenate([scored.stats for scored in judged]),
                    np.concatenate([scored.gold for scored in judged]),
                )
                for known, judged in zip(self.lists, self.judged, strict=True)
                if judged
            ],
            self.problem.corpus,
        )


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
    begin = time.monotonic()

    def judge(number: int) -> float | None:
        seconds = time.monotonic() - begin
        with problem.clock.on("development"):
            evaluation = problem.evaluate(vector)
        score, ratio = evaluation or (None, None)
        log({
            "event": "epoch", "epoch": number, "score": score, "length_ratio": ratio,
            "features": int(np.count_nonzero(vector)), "seconds": seconds,
            "split": problem.clock.take(),
        })  # fmt: skip
        return score

    first = judge(0)
    best_score = -np.inf if first is None else first
    known = Known(problem)
    for number in range(1, rounds + 1):
        begin = time.monotonic()
        if not known.add(problem.decode_all(vector)):
            stopped = "decoding found no new candidate"
            break
        room = max(0, len(problem.names) - len(vector))
        vector = np.pad(vector, (0, room))
        with problem.clock.on("learning"):
            vector = learner.learn(known.pool(), vector, seed=seed, threads=threads)
        try:
            check_weights(vector)
        except CollapseError as collapse:
            stopped = str(collapse)
            break
        score = judge(number)
        if score is None or score > best_score:
            best, best_round = vector, number
            best_score = best_score if score is None else score
    words = problem.names.word
    weights = {words(int(i)): float(best[i]) for i in np.flatnonzero(best)}
    return Tuned(weights, best_score if np.isfinite(best_score) else None, best_round, stopped)
