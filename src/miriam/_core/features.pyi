"""Features and their ids."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import miriam._core.lexicon

def find_cliques(
    source_ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    target_ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    link_ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    links: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple[
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
]:
    """
    The clique of each source word and of each target word (-1: none), and each one's rule.
    """

def collect(
    count: int,
    rows: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    ids: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    values: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple[
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
]:
    """
    Cells brought into rows: where each ends, ascending ids, each once, and values.
    """

class FeatureTable:
    """Dense ids of features: of a family and a key."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def intern(
        self,
        family: int,
        keys: Annotated[
            NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
        members: int = 1,
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The ids of keys, one a row; new ones for new keys, `members` in a row for each.
        """

    def intern_rows(
        self,
        family: int,
        items: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        members: int = 1,
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The same for keys of different lengths: their items, and where each ends.
        """

    def find(
        self,
        family: int,
        keys: Annotated[
            NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The same, and -1 for unknown keys."""

    def key(self, id: int) -> tuple[list[int], int]:
        """The family and key of an id, and which of the key's members it is."""

    def strides(
        self,
        ids: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """How far apart the copies of ids are; 0: there are none."""

BEGIN: int = 4294967293

END: int = 4294967294

def escape(text: str) -> str:
    """A text as it stands in a feature's name."""

class Words:
    """Words by number: a vocabulary's, and behind them new ones."""

    def __init__(self, known: miriam._core.lexicon.MappedVocabulary) -> None: ...
    def __len__(self) -> int: ...
    def word(self, id: int) -> str:
        """The word with this number."""

    def add(self, word: str) -> int:
        """The word's number, the next one if it is new."""

class Names:
    """How the features of families are called."""

    def __init__(
        self, table: FeatureTable, source: Words, target: Words, domains: Sequence[str]
    ) -> None: ...
    def add(
        self, family: int, prefix: str, layout: str, members: Sequence[str], copied: bool
    ) -> None:
        """A family; see native/features/names.hh for layouts."""

    def name(self, id: int) -> str:
        """The name of a feature."""

    def id(self, name: str) -> int:
        """
        The feature of a name, a new one if it is new; -1: no family has such a name.
        """

    def read_weights(
        self, text: bytes
    ) -> tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        list[tuple[int, str]],
    ]:
        """
        The features and weights of lines of both, and the (number, text) of other lines.
        """

class EditFeatures:
    """Features of the edits between words."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def add(
        self,
        name: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> int:
        """The number of a feature, its name in code points."""

    def names(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    ]:
        """The names, in code points, and where each ends."""

    def rows(
        self,
        sources: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        source_ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        candidate_ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        candidates: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        word_ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        grow: bool,
    ) -> tuple[
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    ]:
        """
        The distance of each candidate from its source, and its features: ends and numbers.
        """
