"""n-best lists of a decoder, factored: candidate → rules and events → features.

Candidates share rules, and a rule has the same features wherever it is used. So Φ = D + U·F + E,
with the dense features D, how often each candidate uses each rule U, the features of each rule F,
and the features that fire between rules E. Φw and Φᵀc cost what these parts cost; written out, Φ
would cost as much as decoding.
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

ROUNDING = 1e-12  # as in native/tune/candidates.cc


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
        """Of each candidate: the rules it uses, and how often."""

    @property
    def rules(self) -> Rows:
        """Of each rule: its sparse features."""

    @property
    def events(self) -> Rows:
        """Of each candidate: the sparse features between its rules."""


def lists_of(batch: Batch) -> Iterator[FactoredList]:
    """The list of each sentence of a batch."""
    begin = 0
    for end in batch.sentence_ends.tolist():
        yield FactoredList(batch, begin, end)
        begin = end


class FactoredList:
    """The candidates [begin, end) of a batch as an n-best list."""

    def __init__(self, batch: Batch, begin: int, end: int) -> None:
        candidates = np.arange(begin, end)
        uses, events = _rows(batch.uses, candidates), _rows(batch.events, candidates)
        used, rule_positions = core.number(uses.columns)
        rules = _rows(batch.rules, used)
        self._dense = batch.dense[begin:end]
        dense_ids = np.arange(self._dense.shape[1], dtype=np.int32)
        all_ids = np.concatenate([dense_ids, rules.columns, events.columns])
        self._ids, columns = core.number(all_ids)
        parts = np.cumsum([len(dense_ids), len(rules.columns)])
        self._dense_columns, of_rules, of_events = np.split(columns, parts)
        self._uses = _Part(uses._replace(columns=rule_positions), len(used))
        self._rules = _Part(rules._replace(columns=of_rules), len(self._ids))
        self._events = _Part(events._replace(columns=of_events), len(self._ids))

    @property
    def ids(self) -> Ids:
        """The features of the list, ascending."""
        return self._ids

    def __len__(self) -> int:
        return len(self._dense)

    def scores(self, weights: Array) -> Array:
        """Dw + U(Fw) + Ew."""
        dense = np.einsum("ij,j->i", self._dense, weights[self._dense_columns])
        by_rule = self._uses.core.scores(self._rules.core.scores(weights))
        return np.asarray(dense + by_rule + self._events.core.scores(weights))

    def gradient(self, coefficients: Array) -> Array:
        """Φᵀc, exactly 0 for features that are constant over the list.

        Uᵀc says how much each rule counts, and Fᵀ what it brings. Where the rules of a feature
        cancel, what is left is compared with the sizes of what was added.
        """
        sizes = np.abs(coefficients)
        steps = self._dense - self._dense[0]
        total = self._events.core.gradient(coefficients)
        total[self._dense_columns] += np.einsum("ij,i->j", steps, coefficients)
        total += self._rules.transposed(self._uses.core.gradient(coefficients))
        mass = self._events.transposed(sizes, absolute=True)
        mass[self._dense_columns] += np.einsum("ij,i->j", np.abs(steps), sizes)
        mass += self._rules.transposed(self._uses.transposed(sizes, absolute=True), absolute=True)
        total[np.abs(total) <= ROUNDING * mass] = 0.0
        return total

    def csr(self) -> Csr:
        """Φ written out."""
        from scipy.sparse import csr_array

        shape = (len(self), len(self._ids))
        dense = np.zeros(shape)
        dense[:, self._dense_columns] = self._dense
        rules = self._uses.matrix() @ self._rules.matrix()
        matrix = csr_array(csr_array(dense) + rules + self._events.matrix())
        matrix.eliminate_zeros()
        return Csr(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data)


class _Part:
    """Rows of one factor."""

    def __init__(self, csr: Csr, width: int) -> None:
        self.csr, self.width = csr, width
        self.core = core.Candidates(*csr, width)
        self.row_of = np.repeat(np.arange(len(csr.offsets) - 1), np.diff(csr.offsets))

    def transposed(self, coefficients: Array, *, absolute: bool = False) -> Array:
        """The rows times their coefficients, summed by column."""
        values = np.abs(self.csr.values) if absolute else self.csr.values
        cells = coefficients[self.row_of] * values
        return np.asarray(np.bincount(self.csr.columns, cells, self.width), dtype=np.float64)

    def matrix(self) -> Any:
        """The rows for SciPy."""
        from scipy.sparse import csr_array

        offsets, columns, values = self.csr
        return csr_array((values, columns, offsets), shape=(len(offsets) - 1, self.width))


def _rows(rows: Rows, wanted: npt.NDArray[Any]) -> Csr:
    """Some rows, with ids for columns."""
    bounds = np.concatenate([np.zeros(1, np.int64), rows.ends.astype(np.int64)])
    starts = bounds[wanted]
    sizes = bounds[wanted + 1] - starts
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    cells = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], sizes)
    return Csr(offsets, rows.ids[cells], rows.values[cells])
