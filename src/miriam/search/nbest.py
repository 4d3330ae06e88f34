"""N-best lists with their features, factored: candidate → rules and events → features.

The feature matrix of the candidates is Φ = [D | R·F + E]: D holds the dense features, R counts the
rules of each candidate, F has the sparse features of each distinct rule (once, however many
candidates use it), and E the sparse features that fire between rules. Φw and Φᵀc cost what these
parts cost; Φ itself is made only when somebody asks for it.
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
    uses: Rows  # of each candidate: the rows of `rules` it uses, and how often
    rules: Rows  # of each distinct rule: its sparse features
    events: Rows  # of each candidate: sparse features between its rules

    def __len__(self) -> int:
        return len(self.dense)

    def scores(self, weights: Float) -> Float:
        """Φw: the score of each candidate under these weights."""
        width = self.dense.shape[1]
        by_rule = self.rules.dot(weights)
        dense: Float = np.einsum("ij,j->i", self.dense, weights[:width])
        return dense + self.uses.dot(by_rule) + self.events.dot(weights)

    def gradient(self, coefficients: Float) -> tuple[npt.NDArray[np.int32], Float]:
        """Φᵀc: the ids of the features that are active, in order, and their sums."""
        width = self.dense.shape[1]
        dense = np.einsum("ij,i->j", self.dense, coefficients)
        of_rule = np.bincount(
            self.uses.ids,
            self.uses.values * coefficients[self.uses.row_of],
            minlength=len(self.rules),
        )
        ids = np.concatenate([np.arange(width, dtype=np.int32), self.rules.ids, self.events.ids])
        values = np.concatenate(
            [
                dense,
                of_rule[self.rules.row_of] * self.rules.values,
                coefficients[self.events.row_of] * self.events.values,
            ]
        )
        active, place = np.unique(ids, return_inverse=True)
        sums = np.bincount(place, values, minlength=len(active)).astype(np.float64)
        return active.astype(np.int32), sums

    def matrix(self, columns: int) -> sparse.csr_array:
        """Φ written out."""
        more = columns - self.dense.shape[1]
        dense = sparse.csr_array(np.pad(self.dense, ((0, 0), (0, more))))
        by_rule = self.uses.matrix(len(self.rules)) @ self.rules.matrix(columns)
        return sparse.csr_array(dense + by_rule + self.events.matrix(columns))

    def features(self, candidate: int) -> tuple[npt.NDArray[np.int32], Float]:
        """The features of one candidate that are not zero: ids and values."""
        coefficients = np.zeros(len(self))
        coefficients[candidate] = 1.0
        ids, values = self.gradient(coefficients)
        return ids[values != 0], values[values != 0]
