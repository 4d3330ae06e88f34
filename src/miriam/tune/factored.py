"""n-best lists of a decoder, factored: candidate → pieces → features.

Candidates share pieces (rules, boundaries, jumps, …), and a piece has the same features wherever it
is. So Φ = D + U·F, with the dense features D, how often each candidate has each piece U, and the
features of each piece F. Φw and Φᵀc cost what these parts cost (`native/tune/factored.hh`); written
out, Φ would cost as much as decoding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from miriam._core import tune as core
from miriam.features.nbest import Csr
from miriam.tune.losses.loss import Array
from miriam.tune.table import Ids

__all__ = ["Batch", "FactoredList", "Rows", "lists_of"]


class Rows(Protocol):
    """Sparse rows: row i ends at `ends[i]` in `ids` and `values`."""

    @property
    def ends(self) -> npt.NDArray[np.uint64]:
        """Where each row ends."""

    @property
    def ids(self) -> npt.NDArray[np.int32]:
        """What a cell belongs to, each at most once a row."""

    @property
    def values(self) -> Array:
        """The cells."""


class Batch(Protocol):
    """The candidates of several sentences, one after another, as a decoder gives them."""

    @property
    def sentence_ends(self) -> npt.NDArray[np.uint64]:
        """Where the candidates of each sentence end."""

    @property
    def dense(self) -> Array:
        """The dense features `[candidates, k]`; their ids are 0 to k."""

    @property
    def uses(self) -> Rows:
        """Of each candidate: the pieces it has, and how often."""

    @property
    def pieces(self) -> Rows:
        """Of each piece: its sparse features."""

    @property
    def piece_ends(self) -> npt.NDArray[np.uint64]:
        """Where the pieces of each sentence end; no sentence has those of another."""


def lists_of(batch: Batch) -> Iterator[FactoredList]:
    """The list of each sentence of a batch."""
    begin = first = 0
    ends = zip(batch.sentence_ends.tolist(), batch.piece_ends.tolist(), strict=True)
    for end, last in ends:
        yield FactoredList(batch, (begin, end), (first, last))
        begin, first = end, last


class FactoredList:
    """The candidates [begin, end) of a batch, which have the pieces [first, last), as a list."""

    def __init__(self, batch: Batch, candidates: tuple[int, int], pieces: tuple[int, int]) -> None:
        self._batch, self._candidates, self._pieces = batch, candidates, pieces
        rows = [(rows.ends, rows.ids, rows.values) for rows in (batch.uses, batch.pieces)]
        self._core = core.Factored(batch.dense, rows[0], rows[1], candidates, pieces)
        self._ids = self._core.ids()

    @property
    def ids(self) -> Ids:
        """The features of the list, ascending."""
        return self._ids

    def __len__(self) -> int:
        return self._candidates[1] - self._candidates[0]

    def scores(self, weights: Array) -> Array:
        """Φw."""
        return self._core.scores(weights)

    def gradient(self, coefficients: Array) -> Array:
        """Φᵀc, exactly 0 for features that are constant over the list."""
        return self._core.gradient(coefficients)

    def csr(self) -> Csr:
        """Φ written out."""
        from scipy.sparse import csr_array

        (begin, end), (first, last) = self._candidates, self._pieces
        uses, pieces = _some(self._batch.uses, begin, end), _some(self._batch.pieces, first, last)
        columns = np.searchsorted(self._ids, pieces[1]).astype(np.int32)
        u = csr_array((uses[2], uses[1] - first, uses[0]), shape=(end - begin, last - first))
        f = csr_array((pieces[2], columns, pieces[0]), shape=(last - first, len(self._ids)))
        dense = np.zeros((end - begin, len(self._ids)))
        dense[:, : self._batch.dense.shape[1]] = self._batch.dense[begin:end]
        matrix = csr_array(csr_array(dense) + u @ f)
        matrix.eliminate_zeros()
        return Csr(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data)


def _some(rows: Rows, begin: int, end: int) -> tuple[npt.NDArray[np.int64], Ids, Any]:
    """Where some rows begin and end, and their cells."""
    bounds = np.concatenate([np.zeros(1, np.int64), rows.ends.astype(np.int64)])[begin : end + 1]
    cells = slice(bounds[0], bounds[-1])
    return bounds - bounds[0], rows.ids[cells], rows.values[cells]
