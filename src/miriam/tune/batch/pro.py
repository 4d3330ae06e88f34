"""PRO: a classifier that tells the better candidate of sampled pairs (Hopkins and May, 2011)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.tune.batch.differences import differences
from miriam.tune.batch.lbfgs import minimise
from miriam.tune.batch.pool import Pool
from miriam.tune.losses import Logistic
from miriam.tune.losses.loss import Array
from miriam.tune.monitor import Log, no_log
from miriam.tune.pairs import Sampling

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
        pairs = differences(pool, self.pairs, len(start), seed)
        columns = np.unique(pairs.indices)  # the others stay as they are
        matrix = pairs[:, columns]
        transposed = matrix.T.tocsr()
        logistic, count = Logistic(), max(matrix.shape[0], 1)

        def objective(weights: Array) -> tuple[float, Array]:
            losses, slopes = logistic.of_margins(matrix @ weights)
            value = float(losses.sum()) / count + self.l2 / 2 * float(np.sum(weights * weights))
            return value, transposed @ slopes / count + self.l2 * weights

        found = minimise(objective, start[columns])
        weights = start.copy()
        weights[columns] += self.interpolation * (found - start[columns])
        return weights
