"""The learner: loss × updater × regulariser, and the weights they learn.

    gradient of a list  ->  sum over a mini-batch  ->  step  ->  penalty        (`update`)

Only the rows of features that fired are touched. What a regulariser asks of the others meanwhile is
kept as a debt: each row knows up to which reading of a clock it has `paid`, and what a tick costs
it (`unit`). Whoever reads a weight sees it with its debt paid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.errors import ConfigError
from miriam.features.nbest import Names, NBest
from miriam.tune.admission import Admission
from miriam.tune.guards import check_finite
from miriam.tune.losses import AnyLoss, Expected, Logistic
from miriam.tune.losses.loss import Array
from miriam.tune.regularisers import L1, AnyRegulariser
from miriam.tune.regularisers.regulariser import Strengths
from miriam.tune.snapshots import Snapshots, Weights
from miriam.tune.table import Ids, Rows, Table
from miriam.tune.updaters import AdaGrad, AnyUpdater

__all__ = ["Gradient", "Learner", "Pieces", "Scored"]

# A gradient below this has a square of 0 in floating point: it is no step.
TINY = 1e-150


class Pieces(Config, frozen=True, kw_only=True):
    """What a learner is made of; a combination that cannot work is refused when it is built.

    `gradient = "mean"` divides by the batch size and by the loss's number of terms, constants both,
    so that rates and strengths keep their meaning; "sum" reproduces the papers.
    """

    loss: AnyLoss = Logistic()
    updater: AnyUpdater = AdaGrad()
    regulariser: AnyRegulariser = L1()
    batch: Annotated[int, Meta(ge=1)] = 20
    gradient: Literal["mean", "sum"] = "mean"
    average: bool = False
    frozen: tuple[str, ...] = ()
    min_sentences: Annotated[int, Meta(ge=0)] = 0


class Scored(NamedTuple):
    """A list of candidates and how good each really is."""

    nbest: NBest
    stats: Array  # [n, k], the additive statistics of a metric
    gold: Array  # [n], between 0 and 1, higher is better


class Gradient(NamedTuple):
    """The gradient of the loss of one sentence, without zeros."""

    sentence: int
    ids: Ids
    values: Array
    loss: float
    offset: float  # the loss less values · weights: a hinge is max(0, values · w + offset)
    varied: bool  # whether the list has candidates that differ in gold score


def check(pieces: Pieces) -> None:
    """Refuse what cannot be combined, by name and with the reason."""
    loss, updater, regulariser = (
        piece.__struct_config__.tag for piece in (pieces.loss, pieces.updater, pieces.regulariser)
    )
    if pieces.updater.closed_form and not pieces.loss.single_hinge:
        raise ConfigError(
            f"updater {updater!r} cannot go with loss {loss!r}: its closed form solves a single "
            "hinge; take loss 'hope-fear', or updater 'arow-linearised' or 'adagrad'"
        )
    if pieces.updater.closed_form and pieces.gradient == "sum":
        raise ConfigError(
            f"updater {updater!r} takes sentences one by one, so there is no gradient = 'sum'"
        )
    if pieces.regulariser.joint and pieces.updater.idle != "common":
        raise ConfigError(
            f"updater {updater!r} cannot go with regulariser {regulariser!r}: what a weight pays "
            "depends on its rank among all, so they need one step size, and idle ones cannot pay "
            "later; take updater 'sgd'"
        )
    if pieces.updater.idle == "none" and pieces.regulariser.penalises:
        raise ConfigError(
            f"updater {updater!r} cannot go with regulariser {regulariser!r}: it has no rate that "
            "the penalty could follow; take regulariser 'none'"
        )
    if pieces.average and (pieces.regulariser.penalises or pieces.regulariser.joint):
        raise ConfigError(
            f"average = true cannot go with regulariser {regulariser!r}: it changes idle weights "
            "at every update, and the mean would need them all; take regulariser 'none'"
        )
    odd = [s for s in pieces.regulariser.templates.values() if s]
    if pieces.updater.idle == "common" and not pieces.regulariser.linear and odd:
        raise ConfigError(
            f"updater {updater!r} with regulariser {regulariser!r} knows one strength and 0, not "
            f"templates of strength {odd[0]:g}; take updater 'adagrad'"
        )


class Learner:
    """Weights, and the rule by which they change.

    >>> from miriam.lexicon.vocabulary import Vocabulary
    >>> learner = Learner(Pieces(), Vocabulary())
    >>> learner.start({"LM": 0.5})
    >>> learner.weights()
    {'LM': 0.5}
    """

    def __init__(self, pieces: Pieces, names: Names, *, reference_length: float = 25.0) -> None:
        check(pieces)
        self.pieces, self.names = pieces, names
        self.updater, self.regulariser = pieces.updater, pieces.regulariser
        strength = self.regulariser.strength
        if strength is None:
            strength = _default_strength(pieces.loss, reference_length)
        self.strengths = Strengths(strength, self.regulariser.templates, names)
        self.admission = Admission(pieces.frozen, pieces.min_sentences, names)
        self.together = self.regulariser.together(pieces.frozen, names)
        debts = ("paid", "unit") if self.regulariser.penalises else ()
        means = ("total", "since") if pieces.average else ()
        self.table = Table(
            ["weight", *self.updater.columns, *debts, *self.regulariser.columns, *means]
        )
        self.steps = 0
        self.clock = self.due = 0.0  # debts are due up to a reading of the clock
        self.snapshots = Snapshots(self)
        scale = pieces.batch * pieces.loss.terms if pieces.gradient == "mean" else 1
        self.scale = 1.0 / scale

    @classmethod
    def started(
        cls, pieces: Pieces, names: Names, start: Mapping[str, float], *, reference_length: float
    ) -> Learner:
        """A learner that begins with the weights given."""
        learner = cls(pieces, names, reference_length=reference_length)
        learner.start(start)
        return learner

    def start(self, weights: Mapping[str, float]) -> None:
        """Set weights by name, before the first update."""
        ids = np.array([self.names.add(name) for name in weights], dtype=np.int32)
        rows = self.table.take(ids)
        rows["weight"] = np.array(list(weights.values()))
        self.table.put(ids, rows)
        self._replaced(ids)

    def gradient(
        self, sentence: int, scored: Scored, weights: Weights, rng: np.random.Generator
    ) -> Gradient:
        """The gradient of one list at the weights given: what worker threads compute."""
        local = weights.read(scored.nbest.ids)
        scores = scored.nbest.scores(local)
        check_finite(scores)
        loss, coefficients = self.pieces.loss(scores, scored.gold, rng)
        values = scored.nbest.gradient(coefficients)
        fired = np.flatnonzero(np.abs(values) > TINY)
        values = values[fired]
        offset = loss - float(np.sum(values * local[fired]))
        varied = bool(np.ptp(scored.gold) > 0)
        return Gradient(sentence, scored.nbest.ids[fired], values, loss, offset, varied)

    def update(self, gradients: Sequence[Gradient]) -> None:
        """Take one mini-batch of gradients, in the order given."""
        gradients = [self.admission.admit(gradient) for gradient in gradients]
        if self.updater.closed_form:
            for gradient in gradients:
                self._step(gradient.ids, gradient.values, gradient.offset)
        else:
            ids, values = _sum(gradients)
            self._step(ids, values * self.scale, 0.0)

    def _step(self, ids: Ids, gradient: Array, offset: float) -> None:
        """One update of the coordinates that fired."""
        self.steps += 1
        rows = self.table.take(ids)
        self._pay_debts(rows)
        before = rows["weight"].copy()
        loss = float(np.sum(gradient * before)) + offset
        rates = np.zeros(len(ids))
        if len(ids) and not (self.updater.closed_form and loss <= 0):
            rates = self.updater.rates(rows, gradient, loss=loss, step=self.steps)
            with np.errstate(over="ignore"):  # a guard sees it
                rows["weight"] -= rates * gradient
        self._penalise(ids, rows, rates)
        if self.pieces.average:
            # The old weight was in force since `since`, the new one is in force at this step.
            rows["total"] += before * (self.steps - 1 - rows["since"]) + rows["weight"]
            rows["since"] = float(self.steps)
        self.table.put(ids, rows)
        self.snapshots.changed(ids)
        if self.together:
            self.snapshots.changed(self.together.step(self.table, ids, self._common_rate()))

    def _pay_debts(self, rows: Rows) -> None:
        """Pay what the rows owe for the updates in which they were idle."""
        if self.regulariser.penalises:
            self.regulariser.pay(rows, (self.due - rows["paid"]) * rows["unit"])

    def _penalise(self, ids: Ids, rows: Rows, rates: Array) -> None:
        """Pay for this update, and note what a tick of the clock will cost from now on."""
        if not self.regulariser.penalises:
            return
        strength = self.strengths.of(ids)
        if not self.regulariser.deferred:
            self.regulariser.pay(rows, self.regulariser.cost(rates, strength))
        if self.updater.idle == "same":  # the clock counts updates
            self.clock += 1.0
            rows["unit"] = self.regulariser.cost(rates, strength)
        elif self.regulariser.linear:  # the clock counts what a strength of 1 costs
            self.clock += float(self.regulariser.cost(self._common_rate(), 1.0))
            rows["unit"] = strength
        else:  # the clock counts what the one strength costs
            self.clock += float(self.regulariser.cost(self._common_rate(), self.strengths.default))
            rows["unit"] = np.sign(strength)
        if not self.regulariser.deferred:
            self.due = self.clock
        rows["paid"] = self.due

    def _common_rate(self) -> float:
        rate: float = self.updater.rate(self.steps)  # type: ignore[union-attr]  # idle is "common"
        return rate

    def end_epoch(self) -> None:
        """Let all debts be due."""
        self.due = self.clock

    def settle(self) -> None:
        """Pay every debt that is due: at the end of an epoch, never in an update."""
        self.table.reserve(len(self.names))
        rows = self.table.all()
        self._pay_debts(rows)
        if self.regulariser.penalises:
            rows["paid"] = self.due

    def vector(self) -> Array:
        """All weights by id, averaged if that was asked for."""
        self.settle()
        rows = self.table.all()
        if self.pieces.average and self.steps:
            mean: Array = (rows["total"] + rows["weight"] * (self.steps - rows["since"])) / (
                self.steps
            )
            return mean
        return rows["weight"].copy()

    def overwrite(self, vector: Array) -> None:
        """Put other weights in the place of all."""
        self.settle()
        self.table.reserve(len(vector))
        weight = self.table.all()["weight"]
        weight[: len(vector)], weight[len(vector) :] = vector, 0.0
        self._replaced(np.arange(self.table.size, dtype=np.int32))

    def _replaced(self, ids: Ids) -> None:
        """Tell those who follow the weights that some came from elsewhere."""
        self.snapshots.changed(ids)
        if self.together:
            self.together.begin(self.table)

    def weights(self) -> dict[str, float]:
        """The weights that are not 0, by name."""
        vector = self.vector()
        return {self.names.word(int(i)): float(vector[i]) for i in np.flatnonzero(vector)}

    def state(self) -> dict[str, Any]:
        """All that `restore` needs, as plain data; the names of features are kept elsewhere."""
        return {
            "table": self.table.all().data.copy(),
            "steps": self.steps,
            "clock": self.clock,
            "due": self.due,
            "seen": self.admission.state(),
            "known": self.together.known if self.together else 0,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a `state` of a learner with the same pieces and names."""
        table: Array = state["table"]
        ids = np.arange(len(table), dtype=np.int32)
        self.table.put(ids, Rows(np.array(table), self.table.columns))
        self.steps, self.clock = int(state["steps"]), float(state["clock"])
        self.due = float(state["due"])
        self.admission.restore(state["seen"])
        self._replaced(ids)
        if self.together:
            self.together.known = int(state["known"])


def _sum(gradients: Sequence[Gradient]) -> tuple[Ids, Array]:
    """The sum of sparse gradients, in order."""
    ids, position = np.unique(
        np.concatenate([np.empty(0, np.int32), *(g.ids for g in gradients)]), return_inverse=True
    )
    values = np.concatenate([np.empty(0), *(g.values for g in gradients)])
    total = np.asarray(np.bincount(position, values, len(ids)), dtype=np.float64)
    fired = np.flatnonzero(np.abs(total) > TINY)
    return ids[fired].astype(np.int32, copy=False), total[fired]


def _default_strength(loss: AnyLoss, reference_length: float) -> float:
    """λ where none was set: the papers' (2013: 0.1, 2014: 0.001), for means instead of sums."""
    if isinstance(loss, Expected):
        return 0.001 / (20 * max(reference_length, 1.0))
    return 0.1 / 600
