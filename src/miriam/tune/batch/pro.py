"""PRO: a classifier that tells the better candidate of sampled pairs (Hopkins and May, 2011)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.tune.batch.lbfgs import minimise
from miriam.tune.batch.pool import Pool
from miriam.tune.losses import Logistic
from miriam.tune.losses.loss import Array
from miriam.tune.monitor import Log, no_log
from miriam.tune.pairs import Sampling, generator

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["Pro"]


class Pro(Config, frozen=True, kw_only=True, tag="pro", tag_field="kind"):
    """Pairwise ranking as optimisation.

    It minimises the mean of log(1 + exp(-w·x)) over the differences x of sampled pairs, plus
    l2/2 |w|², by L-BFGS; then w <- interpolation · w + (1 - interpolation) · start.
    """

    pairs: Sampling = Sampling(draws=5000, keep=50, threshold=5.0)
    l2: Annotated[float, Meta(ge=0)] = 1e-4
    interpolation: Annotated[float, Meta(gt=0, le=1)] = 1.0

    def learn(
        self, pool: Pool, start: Array, *, seed: int = 1, threads: int = 1, log: Log = no_log
    ) -> Array:
        """The classifier's weights."""
        pool.check()
        differences = self.differences(pool, len(start), seed)
        columns = np.unique(differences.indices)  # the others stay as they are
        matrix = differences[:, columns]
        transposed = matrix.T.tocsr()
        logistic, pairs = Logistic(), max(matrix.shape[0], 1)

        def objective(weights: Array) -> tuple[float, Array]:
            losses, slopes = logistic.of_margins(matrix @ weights)
            value = float(losses.sum()) / pairs + self.l2 / 2 * float(np.sum(weights * weights))
            return value, transposed @ slopes / pairs + self.l2 * weights

        found = minimise(objective, start[columns])
        weights = start.copy()
        weights[columns] += self.interpolation * (found - start[columns])
        return weights

    def differences(self, pool: Pool, features: int, seed: int) -> csr_matrix:
        """The feature differences of the sampled pairs, better less worse, `[pairs, features]`."""
        from scipy.sparse import csr_matrix, vstack

        rows = [csr_matrix((0, features))]
        for sentence, (nbest, _, gold) in enumerate(pool.lists):
            better, worse = self.pairs.draw(gold, generator(seed, sentence))
            if len(better):
                offsets, columns, values = nbest.csr()
                matrix = csr_matrix((values, nbest.ids[columns], offsets), (len(gold), features))
                rows.append(matrix[better] - matrix[worse])
        stacked: csr_matrix = vstack(rows, format="csr")
        stacked.eliminate_zeros()
        return stacked
