"""Factored lists against the matrix they stand for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune.factored import FactoredList, lists_of
from miriam.tune.grouping.groups import Groups
from miriam.tune.grouping.packing import Packing
from miriam.tune.losses.loss import Array

FEATURES = 12


class Rows(NamedTuple):
    ends: np.ndarray
    ids: np.ndarray
    values: Array

    @classmethod
    def of(cls, rows: list[dict[int, float]]) -> Rows:
        return cls(
            np.cumsum([len(row) for row in rows], dtype=np.uint64),
            np.array([j for row in rows for j in row], dtype=np.int32),
            np.array([v for row in rows for v in row.values()], dtype=np.float64),
        )

    def dense(self, columns: int) -> Array:
        matrix = np.zeros((len(self.ends), columns))
        begin = 0
        for i, end in enumerate(self.ends.tolist()):
            matrix[i, self.ids[begin:end]] = self.values[begin:end]
            begin = end
        return matrix


class Batch(NamedTuple):
    sentence_ends: np.ndarray
    dense: Array
    uses: Rows
    pieces: Rows
    piece_ends: np.ndarray

    def matrix(self) -> Array:
        matrix = self.uses.dense(len(self.pieces.ends)) @ self.pieces.dense(FEATURES)
        matrix[:, : self.dense.shape[1]] += self.dense
        return matrix


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    rng = np.random.default_rng(draw(st.integers(0, 100_000)))
    sizes = draw(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 6)), min_size=1, max_size=3))
    width = draw(st.integers(0, 2))

    def rows(count: int, begin: int, end: int) -> list[dict[int, float]]:
        return [
            {int(j): float(rng.integers(1, 4)) for j in np.unique(rng.integers(begin, end, 3))}
            for _ in range(count)
        ]

    candidates, pieces = np.cumsum(sizes, axis=0, dtype=np.uint64).T
    uses: list[dict[int, float]] = []
    for (n, k), last in zip(sizes, pieces.tolist(), strict=True):
        uses += rows(n, last - k, last)
    dense = rng.integers(0, 3, (len(uses), width)) / 10
    features = rows(int(pieces[-1]), width, FEATURES)
    return Batch(candidates.copy(), dense, Rows.of(uses), Rows.of(features), pieces.copy())


@settings(max_examples=150)
@given(batches(), st.integers(0, 1000))
def test_a_factored_list_is_its_matrix(batch: Batch, seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=FEATURES)
    begin = 0
    for nbest, end in zip(lists_of(batch), batch.sentence_ends.tolist(), strict=True):
        matrix = batch.matrix()[begin:end]
        assert len(nbest) == end - begin
        assert (np.diff(nbest.ids) > 0).all()
        unknown = np.setdiff1d(np.arange(FEATURES), nbest.ids)
        assert not matrix[:, unknown].any()
        local = matrix[:, nbest.ids]
        assert np.allclose(nbest.scores(weights[nbest.ids]), matrix @ weights)
        coefficients = rng.normal(size=len(matrix))
        coefficients -= coefficients.mean()
        gradient = nbest.gradient(coefficients)
        assert np.allclose(gradient, local.T @ coefficients, atol=1e-9)
        constant = (local == local[0]).all(axis=0)
        assert not gradient[constant].any(), "exactly 0"
        offsets, columns, values = nbest.csr()
        written = np.zeros_like(local)
        written[np.repeat(np.arange(len(local)), np.diff(offsets)), columns] = values
        assert np.allclose(written, local)
        begin = end


def test_a_feature_that_each_candidate_has_from_another_piece_is_constant() -> None:
    """Piece 0 and pieces 1 and 2 bring the same in sum; the parts cancel but for rounding."""
    pieces = Rows.of([{0: 0.3}, {0: 0.1}, {0: 0.2}])
    uses = Rows.of([{0: 1.0}, {1: 1.0, 2: 1.0}, {0: 1.0}])
    three = np.array([3], np.uint64)
    nbest = FactoredList(Batch(three, np.empty((3, 0)), uses, pieces, three), (0, 3), (0, 3))
    assert nbest.gradient(np.array([0.1, -0.3, 0.2])).tolist() == [0.0]


@settings(max_examples=40)
@given(batches(), st.integers(0, 1000))
def test_group_features_of_a_factored_list(batch: Batch, seed: int) -> None:
    """Features 4 to 7 and 8 to 11 have one size each; the others stay as they are."""
    names = Vocabulary()
    for j in range(FEATURES):
        names.add(f"PT:{j}" if j >= 4 else f"dense{j}")
    rng = np.random.default_rng(seed)
    signs = rng.choice([1.0, -1.0], FEATURES)
    weights = signs * np.where(np.arange(FEATURES) < 8, 0.5, 0.25)
    packing = Packing(Groups.of_ties(weights, ("PT:",), names), ("PT:",))
    for nbest in lists_of(batch):
        packed = packing.pack(nbest)
        vector = rng.normal(size=len(packing.names))
        scores = nbest.scores(packing.unpack(vector)[nbest.ids])
        assert np.allclose(packed.scores(vector[packed.ids]), scores, rtol=0, atol=1e-12)
