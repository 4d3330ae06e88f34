"""Learning on n-best lists."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

import miriam._core.lexicon

class Factored:
    """The candidates of one sentence, factored."""

    def __init__(
        self,
        dense: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        uses: tuple[
            Annotated[
                NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
            Annotated[
                NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
            Annotated[
                NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
        ],
        pieces: tuple[
            Annotated[
                NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
            Annotated[
                NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
            Annotated[
                NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
        ],
        candidates: tuple[int, int],
        wanted: tuple[int, int],
    ) -> None:
        """Of a batch: these candidates, and the pieces of their sentence."""

    def __len__(self) -> int: ...
    def ids(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The features, ascending."""

    def scores(
        self,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The score of each candidate."""

    def gradient(
        self,
        coefficients: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        The sum of the candidates times their coefficients, counted from the first one.
        """

class Candidates:
    """The candidates of one sentence as rows of features."""

    def __init__(
        self,
        offsets: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        columns: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        values: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        width: int,
    ) -> None: ...
    def scores(
        self,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The score of each row, for a weight a column."""

    def gradient(
        self,
        coefficients: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        The sum of the rows times their coefficients, counted from the first row.
        """

def number(
    ids: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple[
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
]:
    """The different ids, ascending, and where each id stands among them."""

def parse_moses(
    block: bytes, first_line: int, names: miriam._core.lexicon.Vocabulary
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
]:
    """
    Lines of an n-best file: sentence, begin and end of the text, total; features.
    """

def envelopes(
    offsets: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    intercepts: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    slopes: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    threads: int,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
]:
    """
    The best candidates along a line: the first ones, then where which gives way to which.
    """

def combine(
    columns: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    direction: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    threads: int,
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The columns times the direction, summed: a number for each candidate."""
