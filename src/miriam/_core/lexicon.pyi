"""Words and their ids."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

import miriam._core

class Vocabulary:
    """Words numbered in the order in which they came."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def add(self, word: str) -> int:
        """The word's id, a new one if it is new."""

    def find(self, word: str) -> int | None:
        """The word's id, or None."""

    def word(self, id: int) -> str:
        """The word with this id."""

    def encode(
        self, text: bytes
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    ]:
        """The ids of lines of tokens, and where each line ends; words are added."""

    def arrays(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    ]:
        """The arrays that a MappedVocabulary is made of: text, ends, slots."""

class MappedVocabulary:
    """A vocabulary over arrays, fixed."""

    def __init__(
        self,
        text: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        slots: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def __len__(self) -> int: ...
    def find(self, word: str) -> int | None:
        """The word's id, or None."""

    def word(self, id: int) -> str:
        """The word with this id."""

    def encode(
        self, text: bytes
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    ]:
        """
        The ids of lines of tokens (2**32 - 1: not there), and where each line ends.
        """

class Exchange:
    """Word classes that improve as words move between them."""

    def __init__(
        self,
        ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        words: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        first: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        threads: int,
    ) -> None:
        """
        From a text, the word as which each of its ids is predicted, and each word's class.
        """

    def objective(self) -> float:
        """The one-sided objective, from the counts."""

    def improve(
        self,
        order: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        batch: int,
        threads: int,
        progress: miriam._core.Progress,
    ) -> int:
        """Go through the words in this order; how many changed their class."""

    def classes(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """The class of each word."""
