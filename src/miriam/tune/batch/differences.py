"""Pairs of candidates as differences of features, for learners that visit them many times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from miriam.tune.batch.pool import Pool
from miriam.tune.pairs import Sampling, generator

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["differences"]


def differences(pool: Pool, sampling: Sampling, features: int, seed: int) -> csr_matrix:
    """The feature differences of sampled pairs, better less worse, `[pairs, features]`."""
    from scipy.sparse import csr_matrix, vstack

    rows = [csr_matrix((0, features))]
    for sentence, (nbest, _, gold) in enumerate(pool.lists):
        better, worse = sampling.draw(gold, generator(seed, sentence))
        if len(better):
            offsets, columns, values = nbest.csr()
            matrix = csr_matrix((values, nbest.ids[columns], offsets), (len(gold), features))
            rows.append(matrix[better] - matrix[worse])
    stacked: csr_matrix = vstack(rows, format="csr")
    stacked.eliminate_zeros()
    return stacked
