"""n-best lists written out as rows of features: from files, and accumulated over rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from miriam._core import tune as core
from miriam.features.nbest import Csr, Names, NBest
from miriam.tune.losses.loss import Array
from miriam.tune.table import Ids

__all__ = ["Accumulated", "Candidates", "RowList", "ranked"]


class RowList:
    """An n-best list of sparse rows.

    >>> from miriam.lexicon.vocabulary import Vocabulary
    >>> nbest = RowList.of([{"LM": -1.0, "PT:a>b": 1.0}, {"LM": -2.0}], Vocabulary())
    >>> nbest.scores(np.array([0.5, 0.25])).tolist()
    [-0.25, -1.0]
    >>> nbest.gradient(np.array([1.0, -1.0])).tolist()
    [1.0, 1.0]
    """

    def __init__(self, offsets: npt.NDArray[np.int64], ids: Ids, values: Array) -> None:
        """Rows by the ids of features, each at most once a row."""
        self._ids, columns = core.number(ids)
        self._csr = Csr(offsets, columns, values)
        self._core = core.Candidates(offsets, columns, values, len(self._ids))

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, float]], names: Names) -> RowList:
        """A list of candidates whose features are given by name."""
        ids = [names.add(name) for row in rows for name in row]
        return cls(
            np.cumsum([0, *map(len, rows)], dtype=np.int64),
            np.array(ids, dtype=np.int32),
            np.array([value for row in rows for value in row.values()], dtype=np.float64),
        )

    @property
    def ids(self) -> Ids:
        """The features of the list, ascending."""
        return self._ids

    def __len__(self) -> int:
        return len(self._csr.offsets) - 1

    def scores(self, weights: Array) -> Array:
        """The model scores, for the weights of `ids`."""
        return self._core.scores(weights)

    def gradient(self, coefficients: Array) -> Array:
        """Φᵀc, exactly 0 for features that are constant over the list."""
        return self._core.gradient(coefficients)

    def csr(self) -> Csr:
        """The rows."""
        return self._csr


class Candidates(NamedTuple):
    """The candidates of one sentence: their texts and their features."""

    sentence: int
    texts: list[str]
    nbest: NBest
    totals: Array  # the scores that came with them, NaN where there is none


class Accumulated:
    """The candidates of one sentence over rounds; one with known text and features is not new.

    >>> from miriam.lexicon.vocabulary import Vocabulary
    >>> nbest = RowList.of([{"LM": -1.0}], Vocabulary())
    >>> known = Accumulated(0)
    >>> [len(known.add(Candidates(0, ["a dog"], nbest, np.zeros(1))).texts) for _ in range(2)]
    [1, 0]
    """

    def __init__(self, sentence: int) -> None:
        self.sentence = sentence
        self.texts: list[str] = []
        self.totals: list[float] = []
        self.ids: list[Ids] = []
        self.values: list[Array] = []
        self.seen: set[tuple[str, bytes, bytes]] = set()

    def add(self, candidates: Candidates) -> Candidates:
        """Take up a list; those of it that are new."""
        before = len(self.texts)
        offsets, columns, cells = candidates.nbest.csr()
        features = candidates.nbest.ids[columns]
        for i, text in enumerate(candidates.texts):
            row = slice(offsets[i], offsets[i + 1])
            order = np.argsort(features[row])
            key = (text, features[row][order].tobytes(), cells[row][order].tobytes())
            if key not in self.seen:
                self.seen.add(key)
                self.texts.append(text)
                self.totals.append(float(candidates.totals[i]))
                self.ids.append(features[row])
                self.values.append(cells[row])
        return self._since(before)

    def candidates(self) -> Candidates:
        """All of them."""
        return self._since(0)

    def _since(self, first: int) -> Candidates:
        ids, values = self.ids[first:], self.values[first:]
        nbest = RowList(
            np.cumsum([0, *map(len, ids)], dtype=np.int64),
            np.concatenate([np.empty(0, np.int32), *ids]),
            np.concatenate([np.empty(0), *values]),
        )
        totals = np.array(self.totals[first:])
        return Candidates(self.sentence, self.texts[first:], nbest, totals)


def ranked(candidates: Candidates, totals: Array) -> Candidates:
    """The candidates with other scores, the best first; equal ones keep their order."""
    order = np.argsort(-totals, kind="stable")
    offsets, columns, values = candidates.nbest.csr()
    sizes = np.diff(offsets)[order]
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    # Each row's cells, from where they lay to where they go.
    cells = np.arange(starts[-1]) + np.repeat(offsets[:-1][order] - starts[:-1], sizes)
    nbest = RowList(starts, candidates.nbest.ids[columns[cells]], values[cells])
    texts = [candidates.texts[i] for i in order]
    return Candidates(candidates.sentence, texts, nbest, totals[order])
