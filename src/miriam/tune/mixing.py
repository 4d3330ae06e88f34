"""Iterative parameter mixing: learners that saw different shards agree on one weight vector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from miriam.tune.learner import Learner

__all__ = ["mix"]


def mix(learners: Sequence[Learner], select: int | None) -> None:
    """Give each learner the mean of all their weights (McDonald et al., 2010).

    With `select` only the features whose weights have the largest l2 norm over the learners stay
    (Simianer et al., 2012, Algorithm 4).
    """
    if len(learners) == 1 and select is None:
        return
    vectors = [learner.vector() for learner in learners]
    size = max(map(len, vectors))
    stacked = np.array([np.pad(vector, (0, size - len(vector))) for vector in vectors])
    mean = stacked.mean(axis=0)
    if select is not None and select < size:
        norms = np.sqrt((stacked * stacked).sum(axis=0))
        mean[np.argsort(-norms, kind="stable")[select:]] = 0.0
    for learner in learners:
        learner.overwrite(mean)
