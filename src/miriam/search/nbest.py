"""N-best lists with their features, factored: candidate → pieces → features.

The feature matrix of the candidates is Φ = [D | U·F]: D holds the dense features, U counts the
pieces of each candidate (its rules, how they lie to each other, boundaries, jumps), and F has the
sparse features of each different piece, once, however many candidates have it. Φw and Φᵀc cost what
these parts cost; Φ itself is made only when somebody asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

__all__ = ["NBest", "Rows"]

Float = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Sparse rows: where each ends in `ids` and `values`."""

    ends: npt.NDArray[np.uint64]
    ids: npt.NDArray[np.int32]
    values: Float

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def row_of(self) -> npt.NDArray[np.intp]:
        """The row of each entry."""
        ends = self.ends.astype(np.int64)
        starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]])[: len(ends)]
        return np.repeat(np.arange(len(ends)), ends - starts)

    def dot(self, weights: Float) -> Float:
        """Each row times the weights; features beyond them weigh nothing."""
        known = self.ids < len(weights)
        products = np.where(known, weights[np.where(known, self.ids, 0)], 0.0) * self.values
        return np.bincount(self.row_of, products, minlength=len(self)).astype(np.float64)

    def matrix(self, columns: int) -> sparse.csr_array:
        """The rows as a SciPy matrix."""
        starts = np.concatenate([[0], self.ends.astype(np.int64)])
        return sparse.csr_array((self.values, self.ids, starts), shape=(len(self), columns))


@dataclass(frozen=True)
class NBest:
    """The candidates of a batch of sentences, sentence by sentence, best first.

    `sentence_ends` says where each sentence's candidates end; the rest has a row for a candidate.
    """

    sentence_ends: npt.NDArray[np.uint64]
    dense: Float  # candidates x dense features
    uses: Rows  # of each candidate: the rows of `pieces` it has, and how often
    pieces: Rows  # of each different piece of a sentence: its sparse features
    piece_ends: npt.NDArray[np.uint64]  # where the pieces of each sentence end

    def __len__(self) -> int:
        return len(self.dense)

    def scores(self, weights: Float) -> Float:
        """Φw: the score of each candidate under these weights."""
        width = self.dense.shape[1]
        dense: Float = np.einsum("ij,j->i", self.dense, weights[:width])
        return dense + self.uses.dot(self.pieces.dot(weights))

    def gradient(self, coefficients: Float) -> tuple[npt.NDArray[np.int32], Float]:
        """Φᵀc: the ids of the features that are active, in order, and their sums."""
        width = self.dense.shape[1]
        dense = np.einsum("ij,i->j", self.dense, coefficients)
        of_piece = np.bincount(
            self.uses.ids,
            self.uses.values * coefficients[self.uses.row_of],
            minlength=len(self.pieces),
        )
        ids = np.concatenate([np.arange(width, dtype=np.int32), self.pieces.ids])
        values = np.concatenate([dense, of_piece[self.pieces.row_of] * self.pieces.values])
        active, place = np.unique(ids, return_inverse=True)
        sums = np.bincount(place, values, minlength=len(active)).astype(np.float64)
        return active.astype(np.int32), sums

    def matrix(self, columns: int) -> sparse.csr_array:
        """Φ written out."""
        more = columns - self.dense.shape[1]
        dense = sparse.csr_array(np.pad(self.dense, ((0, 0), (0, more))))
        by_piece = self.uses.matrix(len(self.pieces)) @ self.pieces.matrix(columns)
        return sparse.csr_array(dense + by_piece)

    def features(self, candidate: int) -> tuple[npt.NDArray[np.int32], Float]:
        """The features of one candidate that are not zero: ids and values."""
        coefficients = np.zeros(len(self))
        coefficients[candidate] = 1.0
        ids, values = self.gradient(coefficients)
        return ids[values != 0], values[values != 0]
