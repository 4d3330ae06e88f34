"""Tuning with groups (Liu et al., 2013, Algorithm 1).

decode the training data, merge the lists  ->  learn groups  ->  tune the groups on the
development set  ->  unpack, and again with the new weights
"""

from __future__ import annotations

import time
from typing import Annotated, TypeVar

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.errors import ConfigError
from miriam.tune.batch import AnyBatch, Pro
from miriam.tune.batch.rounds import Known, RoundsProblem, tune_in_rounds
from miriam.tune.grouping.groups import Groups
from miriam.tune.grouping.learning import GroupLearner, Learnt
from miriam.tune.grouping.packing import PackedProblem, Packing
from miriam.tune.guards import CollapseError
from miriam.tune.losses.loss import Array
from miriam.tune.monitor import Log
from miriam.tune.online import Tuned
from miriam.tune.run import Run

__all__ = ["Grouping", "required_development", "tune_groups"]

Given = TypeVar("Given")


class Grouping(Config, frozen=True, kw_only=True, tag="oscar", tag_field="kind"):
    """Groups from training data, their weights from a development set.

    `rounds` is T. `tuner` tunes the groups, and the features that are not grouped, in
    `tuner_rounds` rounds of decoding the development set.
    """

    rounds: Annotated[int, Meta(ge=1)] = 5
    groups: GroupLearner = GroupLearner()
    tuner: AnyBatch = Pro()
    tuner_rounds: Annotated[int, Meta(ge=1)] = 5


def required_development(development: Given | None) -> Given:
    """The set on which groups are tuned, which is not the one they come from; refused if missing.

    >>> required_development("dev.de")
    'dev.de'
    """
    if development is None:
        raise ConfigError(
            "oscar learns groups from one set and their weights from another; give it a "
            "development set too"
        )
    return development


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
    found = _Best(start, development, run.log)
    known = Known(training)
    vector, stopped = start, ""
    for number in range(1, settings.rounds + 1):
        begin = time.monotonic()
        if not known.add(training.decode_all(vector)):
            stopped = "decoding found no new candidate"
            break
        try:
            learnt = settings.groups.learn(known.pool(), training.names, vector, seed=run.seed)
            groups, vector = _tune(settings, learnt, development, run, number)
        except CollapseError as collapse:
            stopped = str(collapse)
            break
        found.judge(number, vector, groups, known=learnt.known, since=begin)
    return found.tuned(stopped)


def _tune(
    settings: Grouping, learnt: Learnt, development: RoundsProblem, run: Run, number: int
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
        log=lambda record: run.log({**record, "event": "inner", "round": number}),
    )
    names = range(len(packing.names))
    vector = np.array([tuned.weights.get(packing.names.word(i), 0.0) for i in names])
    return learnt.groups.weighted(vector[: len(learnt.groups)]), packing.unpack(vector)


class _Best:
    """The weights of the best round so far; those of the start are round 0."""

    def __init__(self, start: Array, development: RoundsProblem, log: Log) -> None:
        self.development, self.log = development, log
        self.score, self.groups = -np.inf, Groups.none(development.names)
        self.judge(0, start, self.groups, known=0, since=time.monotonic())

    def judge(
        self, number: int, vector: Array, groups: Groups, *, known: int, since: float
    ) -> None:
        """Evaluate weights, and keep them if they are the best; the last if nobody can say."""
        score, ratio = self.development.evaluate(vector) or (None, None)
        if score is None or score > self.score:
            self.number, self.vector, self.groups = number, vector, groups
            self.score = self.score if score is None else score
        self.log({
            "event": "epoch", "epoch": number, "score": score, "length_ratio": ratio,
            "features": int(np.count_nonzero(vector)), "seconds": time.monotonic() - since,
            "groups": len(groups), "active": groups.active, "members": len(groups.members),
            "known": known,
        })  # fmt: skip

    def tuned(self, stopped: str) -> Tuned:
        """The best of all."""
        word = self.development.names.word
        weights = {word(int(i)): float(self.vector[i]) for i in np.flatnonzero(self.vector)}
        score = self.score if np.isfinite(self.score) else None
        return Tuned(weights, score, self.number, stopped, self.groups)
