"""Tuning with groups (Liu et al., 2013, Algorithm 1).

decode the training data, merge the lists  ->  learn groups  ->  tune the groups on the
development set  ->  unpack, and again with the new weights
"""

from __future__ import annotations

import time
from typing import Annotated

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.tune.batch import AnyBatch, Pro
from miriam.tune.batch.rounds import Known, RoundsProblem, tune_in_rounds
from miriam.tune.grouping.groups import Groups
from miriam.tune.grouping.learning import GroupLearner, Learnt
from miriam.tune.grouping.packing import PackedProblem, Packing
from miriam.tune.guards import CollapseError
from miriam.tune.losses.loss import Array
from miriam.tune.online import Tuned
from miriam.tune.run import Run

__all__ = ["Grouping", "tune_groups"]


class Grouping(Config, frozen=True, kw_only=True, tag="oscar", tag_field="kind"):
    """Groups from training data, their weights from a development set.

    `rounds` is T. `tuner` tunes the groups, and the features that are not grouped, in
    `tuner_rounds` rounds of decoding the development set.
    """

    rounds: Annotated[int, Meta(ge=1)] = 5
    groups: GroupLearner = GroupLearner()
    tuner: AnyBatch = Pro()
    tuner_rounds: Annotated[int, Meta(ge=1)] = 5


def tune_groups(
    settings: Grouping,
    training: RoundsProblem,
    development: RoundsProblem,
    start: Array,
    run: Run,
) -> Tuned:
    """The weights of the round that is best on the development set, with their groups.

    Both problems number their features alike.
    """
    found = _Best(start, development)
    known = Known(training)
    vector, stopped = start, ""
    for number in range(1, settings.rounds + 1):
        begin = time.monotonic()
        if not known.add(training.decode_all(vector)):
            stopped = "decoding found no new candidate"
            break
        try:
            learnt = settings.groups.learn(known.pool(), training.names, vector, seed=run.seed)
            groups, vector = _tune(settings, learnt, development, run)
        except CollapseError as collapse:
            stopped = str(collapse)
            break
        score = found.judge(number, vector, groups)
        run.log({
            "event": "groups", "round": number, "score": score, "known": learnt.known,
            "groups": len(groups), "active": groups.active, "members": len(groups.members),
            "seconds": time.monotonic() - begin,
        })  # fmt: skip
    return found.tuned(stopped)


def _tune(
    settings: Grouping, learnt: Learnt, development: RoundsProblem, run: Run
) -> tuple[Groups, Array]:
    """The groups with weights that suit the development set, and all weights by id."""
    packing = Packing(learnt.groups, settings.groups.regulariser.features)
    tuned = tune_in_rounds(
        settings.tuner,
        PackedProblem(development, packing),
        packing.packed(learnt.vector),
        rounds=settings.tuner_rounds,
        seed=run.seed,
        threads=run.threads,
        log=run.log,
    )
    names = range(len(packing.names))
    vector = np.array([tuned.weights.get(packing.names.word(i), 0.0) for i in names])
    return learnt.groups.weighted(vector[: len(learnt.groups)]), packing.unpack(vector)


class _Best:
    """The weights of the best round so far; those of the start are round 0."""

    def __init__(self, start: Array, development: RoundsProblem) -> None:
        self.development = development
        self.score, self.groups = -np.inf, Groups.none(development.names)
        self.judge(0, start, self.groups)

    def judge(self, number: int, vector: Array, groups: Groups) -> float | None:
        """Evaluate weights, and keep them if they are the best; the last if nobody can say."""
        evaluation = self.development.evaluate(vector)
        score = evaluation.score if evaluation else None
        if score is None or score > self.score:
            self.number, self.vector, self.groups = number, vector, groups
            self.score = self.score if score is None else score
        return score

    def tuned(self, stopped: str) -> Tuned:
        """The best of all."""
        word = self.development.names.word
        weights = {word(int(i)): float(self.vector[i]) for i in np.flatnonzero(self.vector)}
        score = self.score if np.isfinite(self.score) else None
        return Tuned(weights, score, self.number, stopped, self.groups)
