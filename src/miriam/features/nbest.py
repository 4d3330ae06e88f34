"""The n-best list: what every learner sees, whoever made it.

A list is a matrix Φ of n candidates by m features, and `ids` says which features its columns are.
A loss sees scores and gold statistics and returns its derivative `c` with respect to each
candidate's score; the list turns `c` into the gradient Φᵀc. How Φ is stored is the list's own
affair: as rows, or factored into what candidates share.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["Csr", "NBest", "Names"]


class Csr(NamedTuple):
    """Rows of features: row i has `values[offsets[i]:offsets[i + 1]]` in these `columns`."""

    offsets: npt.NDArray[np.int64]  # [n + 1]
    columns: npt.NDArray[np.int32]  # positions in the list's `ids`, each at most once a row
    values: npt.NDArray[np.float64]


class NBest(Protocol):
    """The candidates of one sentence, for learning; weights and gradients go by column."""

    @property
    def ids(self) -> npt.NDArray[np.int32]:
        """The features of the list `[m]`: ascending, each once."""

    def __len__(self) -> int:
        """The number of candidates, n."""

    def scores(self, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The model scores Φw `[n]`, for the weights `[m]` of `ids`."""

    def gradient(self, coefficients: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Φᵀc `[m]` for coefficients c `[n]` that sum to 0, computed on φ(d) - φ(d₀).

        A feature that is constant over the list gives exactly 0, and so does one with
        |Φᵀc|ⱼ <= 1e-12 Σ |c_d (φ_dj - φ_0j)|: rounding must not become a step of full size.
        """

    def csr(self) -> Csr:
        """Φ written out, for those who need all of it: line search, files."""


class Names(Protocol):
    """The names of features by id, as a growing `lexicon.vocabulary.Vocabulary` has them."""

    def __len__(self) -> int:
        """How many there are."""

    def word(self, id: int) -> str:  # noqa: A002  # the vocabulary's own name for it
        """The name of a feature."""

    def add(self, word: str) -> int:
        """The id of a name, the next number if it is new."""
