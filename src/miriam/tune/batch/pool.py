"""All n-best lists of a tuning set: what batch learners learn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from miriam.errors import InputError
from miriam.tune.learner import Scored
from miriam.tune.losses.loss import Array
from miriam.tune.monitor import Log, no_log

__all__ = ["BatchLearner", "Pool"]


class Pool(NamedTuple):
    """Scored lists, and the corpus score of summed statistics."""

    lists: Sequence[Scored]
    corpus: Callable[[Array], Array]  # statistics [..., k] -> scores [...], higher is better

    def check(self) -> None:
        """Refuse a pool from which nothing can be learnt."""
        if not any(np.ptp(scored.gold) > 0 for scored in self.lists):
            raise InputError(
                f"none of the {len(self.lists):,} n-best lists has candidates that differ in gold "
                "score, so there is nothing to learn; look at the n-best lists and the references"
            )

    def offsets(self) -> npt.NDArray[np.int64]:
        """Where the candidates of each sentence begin, and the end of all."""
        return np.cumsum([0, *(len(s.gold) for s in self.lists)], dtype=np.int64)

    def score(self, weights: Array) -> float:
        """The corpus score of the candidates that weights by id choose."""
        return float(self.corpus(self.chosen(weights).sum(axis=0)))

    def chosen(self, weights: Array) -> Array:
        """The statistics of the best candidate of each sentence; of equal ones, the first."""
        return np.array([
            stats[int(np.argmax(nbest.scores(weights[nbest.ids])))]
            for nbest, stats, _ in self.lists
        ])  # fmt: skip


class BatchLearner(Protocol):
    """A batch learner is its settings and one method."""

    def learn(
        self, pool: Pool, start: Array, *, seed: int = 1, threads: int = 1, log: Log = no_log
    ) -> Array:
        """Weights by id, from those to start with; `start` is as long as there are features."""
