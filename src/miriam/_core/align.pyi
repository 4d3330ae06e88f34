"""Word alignments."""

import enum
from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import miriam._core

def parse_links(
    text: bytes,
    source_ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    target_ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    first: int,
    name: str,
) -> tuple[
    Annotated[NDArray[numpy.uint32], dict(shape=(None, 2))],
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
]:
    """
    The links that lines of Pharaoh format give to the sentence pairs from `first` on.
    """

def format_links(
    points: Annotated[
        NDArray[numpy.uint32], dict(shape=(None, 2), order="C", device="cpu", writable=False)
    ],
    ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> bytes:
    """Lines of Pharaoh format, one a sentence pair."""

class Symmetrisation(enum.Enum):
    """How two directions become one alignment."""

    INTERSECTION = 0

    UNION = 1

    GROW = 2

    GROW_DIAG = 3

    GROW_DIAG_FINAL = 4

    GROW_DIAG_FINAL_AND = 5

def symmetrise(
    forward: Annotated[
        NDArray[numpy.uint32], dict(shape=(None, 2), order="C", device="cpu", writable=False)
    ],
    forward_ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    reverse: Annotated[
        NDArray[numpy.uint32], dict(shape=(None, 2), order="C", device="cpu", writable=False)
    ],
    reverse_ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    how: Symmetrisation,
) -> tuple[
    Annotated[NDArray[numpy.uint32], dict(shape=(None, 2))],
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
]:
    """One alignment from those of both directions."""

class Uniform:
    """IBM 1: all given words are alike."""

    def __init__(self) -> None: ...

class Diagonal:
    """IBM 2 with a diagonal prior."""

    def __init__(self, tension: float, null: float) -> None: ...
    @property
    def tension(self) -> float: ...
    @property
    def null(self) -> float: ...

class Jumps:
    """An HMM: the weight of a jump from the last given word."""

    def __init__(self, weights: Sequence[float], null: float) -> None: ...
    @property
    def weights(self) -> list[float]: ...
    @property
    def null(self) -> float: ...

class Bitext:
    """Word ids of both sides of a bitext."""

    def __init__(
        self,
        source_ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        source_ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        target_ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        target_ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...

class Training:
    """EM for the translations of both directions."""

    def __init__(
        self, bitext: Bitext, words: tuple[int, int], threads: int, progress: miriam._core.Progress
    ) -> None: ...
    def expect(
        self,
        forward: Uniform | Diagonal | Jumps,
        reverse: Uniform | Diagonal | Jumps,
        agree: bool,
        threads: int,
        progress: miriam._core.Progress,
    ) -> list[list[float]]:
        """
        Count posteriors; the statistics of both position models, log-likelihood first.
        """

    def maximise(self, alpha: float, threads: int) -> None:
        """Turn the counts into probabilities."""

    def table(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.float32], dict(shape=(None, 2))],
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
    ]:
        """The arrays row_ends, targets, translations, target_null, source_null."""

class Aligner:
    """A trained translation table and its position models."""

    def __init__(
        self,
        table: tuple[
            Annotated[
                NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
            Annotated[
                NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
            Annotated[
                NDArray[numpy.float32],
                dict(shape=(None, 2), order="C", device="cpu", writable=False),
            ],
            Annotated[
                NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
            Annotated[
                NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
        ],
        forward: Uniform | Diagonal | Jumps,
        reverse: Uniform | Diagonal | Jumps,
    ) -> None: ...
    def best(
        self, bitext: Bitext, threads: int, progress: miriam._core.Progress
    ) -> tuple[
        tuple[
            Annotated[NDArray[numpy.uint32], dict(shape=(None, 2))],
            Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        ],
        tuple[
            Annotated[NDArray[numpy.uint32], dict(shape=(None, 2))],
            Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        ],
    ]:
        """The best links of each direction, by Viterbi."""

    def likely(
        self, bitext: Bitext, threshold: float, threads: int, progress: miriam._core.Progress
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None, 2))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    ]:
        """
        The links whose posteriors, the mean of both directions, reach the threshold.
        """
