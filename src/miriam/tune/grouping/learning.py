"""The online group learner (Liu et al., 2013, Algorithm 2): FOBOS with OSCAR over fixed pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from miriam._core import tune as core
from miriam.config import Config
from miriam.errors import ConfigError
from miriam.features.nbest import Names
from miriam.tune.batch.differences import differences
from miriam.tune.batch.pool import Pool
from miriam.tune.grouping.groups import Groups
from miriam.tune.guards import CollapseError, check_finite
from miriam.tune.learner import Gradient, Learner, Pieces
from miriam.tune.losses import Hinge
from miriam.tune.losses.loss import Array
from miriam.tune.pairs import Sampling, generator
from miriam.tune.prefixes import Prefixed
from miriam.tune.regularisers import Oscar, OscarAsPrinted
from miriam.tune.snapshots import Weights
from miriam.tune.updaters import Sgd

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["GroupLearner", "Learnt"]

ROUNDING = 1e-12  # as in native/tune/candidates.cc


class Learnt(NamedTuple):
    """What the group learner found."""

    vector: Array  # weights by id, of all features
    groups: Groups
    known: int  # d: how many features could have been in groups


class GroupLearner(Config, frozen=True, kw_only=True):
    """How groups are learnt.

    Pairs are collected once and visited `passes` times in random order. Each `batch` of them is one
    update: the gradient of their mean loss, then OSCAR's step; 1 is the paper's. `frozen` features,
    by prefix, keep the weights they begin with.
    """

    pairs: Sampling = Sampling(draws=5000, keep=50, threshold=5.0)
    margin: Annotated[float, Meta(gt=0)] = 1.0
    updater: Sgd = Sgd(eta=1.0, schedule="1/t")
    regulariser: Oscar | OscarAsPrinted = Oscar()
    frozen: tuple[str, ...] = ()
    passes: Annotated[int, Meta(ge=1)] = 20
    batch: Annotated[int, Meta(ge=1)] = 1000

    def learn(self, pool: Pool, names: Names, start: Array, *, seed: int = 1) -> Learnt:
        """Weights whose ties are groups, beginning with those given by id."""
        pool.check()
        pairs = differences(pool, self.pairs, len(names), seed)
        learner = self._learner(names, start)
        for epoch in range(self.passes):
            for rows in self._batches(pairs.shape[0], seed, epoch):
                learner.update([self._gradient(pairs[rows], learner.snapshots.take())])
        vector = learner.vector()
        check_finite(vector)
        groups = Groups.of_ties(vector, self.regulariser.features, names)
        if not len(groups):
            raise CollapseError(
                "all weights that could be grouped have become 0; take a smaller "
                "regulariser.lambda1 or lambda2, or a larger updater.eta"
            )
        return Learnt(vector, groups, learner.together.known if learner.together else 0)

    def _learner(self, names: Names, start: Array) -> Learner:
        """SGD with OSCAR over all features that are known by now."""
        oscar = self.regulariser
        if not Prefixed(oscar.features, names).all().any():
            raise ConfigError(
                f"no feature's name begins with {' or '.join(map(repr, oscar.features))}, so there "
                "is nothing to group; set regulariser.features"
            )
        pieces = Pieces(
            loss=Hinge(margin=self.margin), updater=self.updater, regulariser=oscar,
            frozen=self.frozen, gradient="sum",
        )  # fmt: skip
        learner = Learner(pieces, names)
        learner.overwrite(start)
        return learner

    def _batches(self, pairs: int, seed: int, epoch: int) -> Iterator[npt.NDArray[np.int64]]:
        order = generator(seed, 1, epoch).permutation(pairs)
        for begin in range(0, pairs, self.batch):
            yield order[begin : begin + self.batch]

    def _gradient(self, pairs: csr_matrix, weights: Weights) -> Gradient:
        """The gradient of the mean hinge of some pairs, better less worse."""
        count = pairs.shape[0]
        ids, columns = core.number(pairs.indices.astype(np.int32, copy=False))
        rows = np.repeat(np.arange(count), np.diff(pairs.indptr))
        margins = _summed(rows, pairs.data * weights.read(ids)[columns], count)
        losses, slopes = Hinge(margin=self.margin).of_margins(margins)
        cells = pairs.data * slopes[rows] / count
        values = _summed(columns, cells, len(ids))
        mass = _summed(columns, np.abs(cells), len(ids))
        fired = np.flatnonzero(np.abs(values) > ROUNDING * mass)
        return Gradient(0, ids[fired], values[fired], float(losses.mean()), 0.0, True)


def _summed(places: npt.NDArray[Any], cells: Array, size: int) -> Array:
    """The sum of the cells of each place."""
    return np.asarray(np.bincount(places, cells, size), dtype=np.float64)
