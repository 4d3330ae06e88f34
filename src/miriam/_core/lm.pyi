"""Language models."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import miriam._core
import miriam._core.lexicon

class State:
    """The words of context that may still matter: a plain value."""

    @property
    def words(self) -> list[int]:
        """The newest first."""

    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class SpanState:
    """What may still matter of a span, on both its sides."""

    @property
    def right(self) -> State:
        """The state behind its last word."""

    def __eq__(self, other: object) -> bool: ...

class ArpaWriter:
    """The text of an ARPA file, piece by piece."""

    def next(self) -> bytes:
        """The next piece; an empty one at the end."""

class BuiltModel:
    """A model in memory, as the arrays of a Model."""

    @property
    def order(self) -> int: ...
    @property
    def counts(self) -> list[int]: ...
    @property
    def unigrams(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...
    @property
    def slots(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...
    @property
    def vocabulary(self) -> miriam._core.lexicon.Vocabulary: ...

class ArpaReader:
    """Reads an ARPA file block by block."""

    def __init__(self) -> None: ...
    def add(self, block: bytes) -> None:
        """Take up whole lines."""

    def finish(self) -> BuiltModel:
        """The model, after the last block."""

    @property
    def lacked_unknown(self) -> bool: ...

class Estimator:
    """Interpolated modified Kneser-Ney."""

    def __init__(
        self, order: int, thresholds: Sequence[int], memory: int, threads: int, folder: str
    ) -> None: ...
    def add(self, block: bytes, first_line: int) -> None:
        """Take up lines of tokens."""

    def keep_words(self, words: str) -> None:
        """Leave out of the model all words but these."""

    def keep_most_frequent(self, most: int) -> None:
        """Leave out of the model all words but so many."""

    def count(self, progress: miriam._core.Progress) -> None:
        """Count the n-grams of all orders."""

    def estimate(self, progress: miriam._core.Progress) -> None:
        """Estimate probabilities and back-off weights."""

    @property
    def words(self) -> int: ...
    @property
    def discounts(self) -> list[tuple[list[float], bool]]: ...
    @property
    def counts(self) -> list[int]: ...
    def arpa(self, threads: int) -> ArpaWriter:
        """The model as the text of an ARPA file."""

    def build(self, progress: miriam._core.Progress) -> BuiltModel:
        """The model as arrays."""

class Words:
    """The arrays of a vocabulary."""

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

class Model:
    """An n-gram model over arrays; natural logarithms."""

    def __init__(
        self,
        order: int,
        unigrams: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        slots: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    @property
    def order(self) -> int: ...
    def begin(self) -> State:
        """The state behind <s>."""

    def no_context(self) -> State:
        """The state behind nothing."""

    def score(self, state: State, word: int) -> tuple[float, State]:
        """The log probability of a word id, and the state behind it."""

    def score_span(
        self, parts: Sequence[int], spans: Sequence[tuple[float, SpanState]], begin: bool
    ) -> tuple[float, SpanState]:
        """
        The score and state of a span of words, and of spans where a part is negative.
        """

    def score_text(
        self,
        ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> tuple[
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    ]:
        """
        Of each word and </s>: its log probability, and the order of the n-gram found.
        """

    def arpa(self, words: Words, counts: Sequence[int], threads: int) -> ArpaWriter:
        """The model as the text of an ARPA file."""
