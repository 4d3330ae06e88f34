"""Scored translation rules."""

import enum
from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import miriam._core

class Reordering(enum.Enum):
    """What a neighbour must be to orient a phrase pair."""

    WORD = 0

    PHRASE = 1

    HIERARCHICAL = 2

    SYMMETRIC = 3

MAX_WORDS: int = 4000

MAX_PHRASE_WORDS: int = 15

PARTITION_BITS: int = 10

class Shard:
    """Aligned sentence pairs, as arrays."""

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
        points: Annotated[
            NDArray[numpy.uint32], dict(shape=(None, 2), order="C", device="cpu", writable=False)
        ],
        link_ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        domains: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def __len__(self) -> int: ...

MAX_GAPS: int = 2

class GapOptions:
    """The limits of rules with gaps."""

    def __init__(
        self, max_symbols: int, max_gaps: int, adjacent: bool, tight: bool, least_links: int
    ) -> None: ...

def extract(
    shard: Shard,
    begin: int,
    max_length: int,
    reorderings: Sequence[Reordering],
    gaps: GapOptions | None,
    max_bytes: int,
    progress: miriam._core.Progress,
) -> tuple[int, dict[str, Any]]:
    """
    How many sentences were taken until their records filled `max_bytes`, and the arrays.
    """

def add_counts(
    keys: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    counts: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    more_keys: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    more_counts: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple[
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
]:
    """The sum of two tables of counts sorted by key."""

class LexicalTable:
    """Word translation probabilities from counts."""

    def __init__(
        self,
        keys: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        counts: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def word(self, source: int, target: int) -> tuple[float, float]:
        """w(source|target) and w(target|source); 2**32 - 1 is the empty word."""

def merge_targets(
    buffers: Sequence[
        Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
    ],
) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """The target records of several buffers, sorted, equal ones added up."""

def target_columns(
    reduced: Annotated[
        NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    gaps: bool,
) -> tuple[
    Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
]:
    """The words, ends and counts of reduced target records."""

class RulePartition:
    """The rule records of one partition."""

    def __init__(
        self,
        buffers: Sequence[
            Annotated[
                NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
            ]
        ],
    ) -> None: ...
    def join(
        self,
        targets: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """Take the totals from reduced target records, given in order."""

    def finish(
        self,
        lexical: LexicalTable,
        classes: Sequence[int],
        smoothing: float,
        gaps: bool,
        progress: miriam._core.Progress,
    ) -> dict[str, Any]:
        """The scored rules, as arrays."""

def hash_phrases(
    words: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """The hash of each phrase."""

def group_phrases(
    words: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple[
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
]:
    """
    The order of the phrases by hash, and where each group of equal ones begins in it.
    """

def bucket_count(phrases: int) -> int:
    """How many buckets so many phrases need."""

def make_buckets(
    hashes: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    first: int,
    begin: int,
    end: int,
    total: int,
) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """Some of the buckets of the hash table of phrases sorted by hash."""

class Table:
    """A rule table over arrays, for look-up."""

    def __init__(
        self,
        buckets: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        heads: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        source_words: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        target_ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        target_words: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        link_ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        link_points: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        targets: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        links: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        scores: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def find(
        self,
        words: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """
        The number of each source phrase, or how many there are if it has no rules.
        """

    def gather(
        self,
        rows: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    ]:
        """
        Source words, target words and links (source * 256 + target) of rules, with their ends.
        """

def match_sources(
    table: Table,
    words: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    ends: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    gaps: Sequence[int],
    max_symbols: int,
    max_span: int,
    progress: miriam._core.Progress,
) -> tuple[
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
]:
    """
    The numbers of the source phrases that match each sentence, and where those of each end.
    """

def count_sentences(
    table: Table,
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
    progress: miriam._core.Progress,
) -> tuple[
    Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
]:
    """
    In how many sentence pairs each source phrase, target phrase and rule is seen.
    """

def negative_log_p(
    sentences: int,
    source: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    target: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    both: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """-ln p of Fisher's exact test for each rule."""
