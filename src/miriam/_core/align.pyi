"""Word alignments."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

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
