"""The online tuner: decode a mini-batch, take the gradient, update (Green et al., 2013, Alg. 1, 2).

Decoding goes on with weights of `delay` updates ago while gradients come in; they are applied in
the order of the batches. So the weights depend on the delay, never on the clock or the threads,
unless a schedule is asked for that applies gradients when they come.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event
from typing import Annotated, Any, Literal, NamedTuple, Protocol

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.errors import ConfigError
from miriam.progress import Report, silent
from miriam.tune import checkpoint
from miriam.tune.clock import Clock
from miriam.tune.grouping.groups import Groups
from miriam.tune.guards import CollapseError, Variety, check_weights
from miriam.tune.jobs import Job
from miriam.tune.learner import Gradient, Learner, Pieces, Scored
from miriam.tune.losses.loss import Array
from miriam.tune.mixing import mix
from miriam.tune.monitor import Log, Monitor, no_log
from miriam.tune.pairs import generator
from miriam.tune.snapshots import Weights

__all__ = ["Evaluation", "Online", "OnlineTuner", "Problem", "Tuned"]


class Online(Config, frozen=True, kw_only=True, tag="online", tag_field="kind"):
    """How to go through the data.

    `schedule = "free"` applies whichever gradient comes first: quicker where sentences differ much,
    and never the same twice.
    `patience` stops when the development score has not risen for so many epochs (0: never).
    `shards` > 1 is iterative parameter mixing (McDonald et al., 2010): each part of the data is
    learnt from alone, and the weights are averaged after each epoch; `select` keeps only so many
    features then, the largest over the shards (Simianer et al., 2012).
    """

    pieces: Pieces = Pieces()
    epochs: Annotated[int, Meta(ge=1)] = 20
    patience: Annotated[int, Meta(ge=0)] = 5
    shuffle: bool = True
    delay: Annotated[int, Meta(ge=0)] = 1
    schedule: Literal["fixed", "free"] = "fixed"
    shards: Annotated[int, Meta(ge=1)] = 1
    select: Annotated[int, Meta(ge=1)] | None = None
    checkpoint_batches: Annotated[int, Meta(ge=1)] = 50


class Evaluation(NamedTuple):
    """How good weights are on a development set."""

    score: float  # higher is better
    length_ratio: float | None = None


class Problem(Protocol):
    """The data: sentences by number, and whatever makes n-best lists of them."""

    @property
    def clock(self) -> Clock:
        """Counts the time of its own work, and of the tuner's."""

    def __len__(self) -> int:
        """The number of sentences."""

    def fingerprint(self) -> str:
        """What is another for other data."""

    def decode(self, sentences: Sequence[int], weights: Weights) -> Any:
        """The n-best lists of a mini-batch, for `score`; called from several threads at once."""

    def score(self, sentences: Sequence[int], decoded: Any) -> Sequence[Scored]:
        """Those lists with gold scores; called in the order of the batches, never twice at once."""

    def evaluate(self, vector: Array) -> Evaluation | None:
        """The score of weights by id on a development set, decoded afresh; None without one."""


class Tuned(NamedTuple):
    """What a tuner found."""

    weights: dict[str, float]
    score: float | None  # on the development set
    epoch: int  # the best one; 0: the weights it started with
    stopped: str  # why it stopped early, or nothing
    groups: Groups | None = None  # of features that have one weight, where such were learnt


class OnlineTuner:
    """One run; killed at any moment, it goes on from its checkpoint to the same weights."""

    def __init__(
        self,
        settings: Online,
        problem: Problem,
        learner: Callable[[], Learner],
        *,
        seed: int = 1,
        log: Log = no_log,
        report: Report = silent,
    ) -> None:
        if settings.shards > 1 and settings.pieces.average:
            raise ConfigError("average = true cannot go with shards > 1, which average themselves")
        if settings.shards > 1 and settings.pieces.regulariser.joint:
            kind = settings.pieces.regulariser.__struct_config__.tag
            raise ConfigError(
                f"regulariser {kind!r} cannot go with shards > 1: a mean of several learners' "
                "weights has lost their ties; take shards = 1"
            )
        self.settings, self.problem, self.seed, self.log = settings, problem, seed, log
        self.report = report
        self.learners = [learner() for _ in range(settings.shards)]
        self.monitor, self.variety = Monitor(log), Variety()
        self.pending: deque[Job] = deque()
        self.epoch = self.shard = self.batch = 0  # where we are
        self.best, self.best_score, self.best_epoch = np.empty(0), -np.inf, 0
        self.checkpoint: Path | None = None
        self.names: list[str] = []  # of the features, as far as checkpoints have needed them

    def run(self, checkpoint_path: Path | None = None) -> Tuned:
        """Tune, resuming from the checkpoint if there is one."""
        stopped = ""
        self.checkpoint = checkpoint_path
        if not (checkpoint_path and checkpoint.restore(self, checkpoint_path)):
            self._judge(0, self.learners[0].vector())
        with ThreadPoolExecutor(max_workers=self.settings.delay + 1) as self.pool:
            try:
                while self.epoch < self.settings.epochs and not self._stands_still():
                    self._run_epoch()
            except CollapseError as collapse:
                stopped = str(collapse)
        names = self.learners[0].names
        weights = {names.word(int(i)): float(self.best[i]) for i in np.flatnonzero(self.best)}
        score = self.best_score if np.isfinite(self.best_score) else None
        return Tuned(weights, score, self.best_epoch, stopped)

    def _run_epoch(self) -> None:
        """One pass over the data, by each learner over its shard, then the development set."""
        start = time.monotonic()
        while self.shard < len(self.learners):
            learner = self.learners[self.shard]
            learner.snapshots.keep(self.settings.delay + 1 if self.settings.delay else 0)
            before, scored = Event(), Event()
            before.set()
            for batch in self._batches():
                weights = learner.snapshots.take()
                turn = (before, scored)
                job = self.pool.submit(self._gradients, learner, batch, weights, turn)
                self.pending.append(Job(job, weights))
                before, scored = scored, Event()
                if len(self.pending) > self.settings.delay:
                    self._apply(learner)
            while self.pending:
                self._apply(learner)
            learner.end_epoch()
            self.shard, self.batch = self.shard + 1, 0
        self.epoch, self.shard = self.epoch + 1, 0
        self.variety.check()
        mix(self.learners, self.settings.select)
        vector = self.learners[0].vector()
        check_weights(vector)
        self._judge(self.epoch, vector, seconds=time.monotonic() - start)
        self._save()

    def _batches(self) -> Iterator[list[int]]:
        """The mini-batches of this epoch and shard that are still to come, in order."""
        order = np.arange(len(self.problem))
        if self.settings.shuffle:
            order = generator(self.seed, self.epoch).permutation(len(order))
        order = order[order % len(self.learners) == self.shard]
        size = self.settings.pieces.batch
        done = self.batch + len(self.pending)
        for begin in range(done * size, len(order), size):
            yield order[begin : begin + size].tolist()

    def _gradients(
        self,
        learner: Learner,
        sentences: Sequence[int],
        weights: Weights,
        turn: tuple[Event, Event],
    ) -> list[Gradient]:
        """The gradients of a mini-batch, in the order of its sentences; runs on another thread.

        Lists are made in the order of the batches: the turn is its predecessor's and its own.
        """
        before, scored = turn
        try:
            with self.problem.clock.on("decoding"):
                decoded = self.problem.decode(sentences, weights)
            before.wait()
            lists = self.problem.score(sentences, decoded)
        finally:
            scored.set()
        with self.problem.clock.on("learning"):
            return [
                learner.gradient(s, found, weights, generator(self.seed, self.epoch, s))
                for s, found in zip(sentences, lists, strict=True)
                if len(found.nbest)  # a reference may be out of reach, a search space empty
            ]

    def _next_job(self) -> Job:
        """The oldest job that is pending, or the first that ends."""
        if self.settings.schedule == "fixed":
            return self.pending.popleft()
        done, _ = wait([job.gradients for job in self.pending], return_when=FIRST_COMPLETED)
        job = next(job for job in self.pending if job.gradients in done)
        self.pending.remove(job)
        return job

    def _apply(self, learner: Learner) -> None:
        """Learn from gradients that are pending."""
        job = self._next_job()
        gradients = job.gradients.result()
        if job.snapshot:
            learner.snapshots.give_back(job.snapshot)
        self.variety.see(gradients)
        self._tell()
        for gradient in gradients:
            self.monitor.see(gradient.loss / self.settings.pieces.loss.terms)
        with self.problem.clock.on("learning"):
            learner.update(gradients)
        self.batch += 1
        if self.batch % self.settings.checkpoint_batches == 0:
            self._save()

    def _tell(self) -> None:
        """Report how far the last epoch has come; there may be fewer of them."""
        epochs, sentences = self.settings.epochs, len(self.problem)
        each = sentences // len(self.learners)
        here = self.shard * each + min(each, self.batch * self.settings.pieces.batch)
        done = self.epoch * sentences + here
        self.report(f"epoch {self.epoch + 1} of {epochs}", done, epochs * sentences)

    def _judge(self, epoch: int, vector: Array, *, seconds: float = 0.0) -> None:
        """Evaluate weights, and keep them if they are the best so far."""
        with self.problem.clock.on("development"):
            evaluation = self.problem.evaluate(vector)
        score, ratio = evaluation or (None, None)
        if score is None or score > self.best_score:
            self.best, self.best_epoch = vector, epoch
            self.best_score = self.best_score if score is None else score
        self.log({
            "event": "epoch", "epoch": epoch, "score": score, "length_ratio": ratio,
            "features": int(np.count_nonzero(vector)), "seconds": seconds,
            "split": self.problem.clock.take(),
        })  # fmt: skip

    def _stands_still(self) -> bool:
        """Whether the development score has not risen for too long."""
        patience = self.settings.patience if np.isfinite(self.best_score) else 0
        return 0 < patience <= self.epoch - self.best_epoch

    def _save(self) -> None:
        if self.checkpoint:
            checkpoint.save(self, self.checkpoint)
