"""Choosing sentences."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

import miriam._core

OTHER_WORD: int = 4294967295

def choose_by_decay(
    pool: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    pool_ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    text: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    text_ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    longest: int,
    count: int,
    progress: miriam._core.Progress,
) -> tuple[
    Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
]:
    """
    Lines of the pool by feature decay, in the order of the choice, and their scores then.
    """
