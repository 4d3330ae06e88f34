"""Sentence-level scores of candidates."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

class BleuReferences:
    """
    The references of one sentence, word ids, prepared for BLEU's statistics of candidates.
    """

    def __init__(
        self,
        ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        reference_length: str = "closest",
    ) -> None: ...
    def stats(
        self,
        ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        A row for each candidate: length, reference length, matches of 1- to 4-grams, totals.
        """

    @property
    def shortest(self) -> int:
        """The shortest reference's length."""

class ChrfReferences:
    """
    The references of one sentence, code points, prepared for chrF's statistics of candidates.
    """

    def __init__(
        self,
        ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        order: int = 6,
        beta: float = 2.0,
    ) -> None: ...
    def stats(
        self,
        ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        A row for each candidate: n-grams of it, of the best reference, of both, for each n.
        """

    def scores(
        self,
        stats: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """ChrF of each row of statistics, in percent."""

class EditReferences:
    """
    The references of one sentence, ids, prepared for edit distances from candidates.
    """

    def __init__(
        self,
        ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def stats(
        self,
        ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """A row for each candidate: edits, and the closest reference's length."""
