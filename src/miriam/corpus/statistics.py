"""What a bitext is like: lines, tokens, types, lengths, duplicates, unknown words, domains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from miriam.corpus.bitext import Pair, blocks
from miriam.corpus.duplicates import Seen, hash_texts
from miriam.corpus.tokens import count_tokens, squeeze_lines
from miriam.errors import InputError

__all__ = ["Lengths", "SideStatistics", "Statistics", "statistics", "vocabulary"]

PERCENTILES = (0, 5, 25, 50, 75, 95, 99, 100)


class Lengths(msgspec.Struct, frozen=True, kw_only=True):
    """Sentence lengths in tokens."""

    mean: float
    percentiles: dict[int, int]  # p -> the least length that p % of the lines do not exceed


class SideStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """What one side is like."""

    tokens: int
    types: int
    distinct_lines: int
    empty_lines: int
    lengths: Lengths
    unknown_tokens: int | None = None  # not in the vocabulary given; None if none was given
    unknown_types: int | None = None


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """What a bitext is like."""

    pairs: int
    distinct_pairs: int
    tokens_ratio: Annotated[float, Meta(ge=0)]  # target tokens to one source token
    source: SideStatistics
    target: SideStatistics
    domains: dict[str, int]  # label -> pairs, by name


def statistics(
    pairs: Iterable[Pair],
    *,
    known_source: Set[str] | None = None,
    known_target: Set[str] | None = None,
) -> Statistics:
    """The statistics of a bitext; given known words, also how many others there are.

    >>> found = statistics([Pair("ein Hund", "a dog"), Pair("ein Hund", "the dog")])
    >>> found.pairs, found.source.distinct_lines, found.target.types
    (2, 1, 3)
    """
    seen, domains = Seen(), Counter[str]()
    source, target = _Side(), _Side()
    for block in blocks(pairs):
        sources = squeeze_lines([pair.source for pair in block])
        targets = squeeze_lines([pair.target for pair in block])
        source.add(sources)
        target.add(targets)
        seen.add(hash_texts(map("{}\0{}".format, sources, targets)))
        domains.update(pair.domain for pair in block)
    del domains[""]
    if not seen:
        raise InputError("no pair to count")
    return Statistics(
        pairs=source.lengths.total(),
        distinct_pairs=len(seen),
        tokens_ratio=target.tokens / max(source.tokens, 1),
        source=source.result(known_source),
        target=target.result(known_target),
        domains=dict(sorted(domains.items())),
    )


class _Side:
    """Counts of one side."""

    def __init__(self) -> None:
        self.words, self.lengths, self.seen = Counter[str](), Counter[int](), Seen()

    def add(self, lines: Sequence[str]) -> None:
        self.words.update(" ".join(filter(None, lines)).split(" "))
        self.lengths.update(map(count_tokens, lines))
        self.seen.add(hash_texts(lines))

    @property
    def tokens(self) -> int:
        return self.words.total() - self.words[""]

    def result(self, known: Set[str] | None) -> SideStatistics:
        del self.words[""]  # of blocks without a word
        unknown = None if known is None else {w: n for w, n in self.words.items() if w not in known}
        return SideStatistics(
            tokens=self.tokens,
            types=len(self.words),
            distinct_lines=len(self.seen),
            empty_lines=self.lengths[0],
            lengths=_lengths(self.lengths),
            unknown_tokens=None if unknown is None else sum(unknown.values()),
            unknown_types=None if unknown is None else len(unknown),
        )


def _lengths(counts: Counter[int]) -> Lengths:
    lengths = np.array(sorted(counts), dtype=np.int64)
    upto = np.cumsum([counts[length] for length in lengths.tolist()])
    total = counts.total()
    rank = np.searchsorted(upto, [max(p * total / 100, 1) for p in PERCENTILES])
    return Lengths(
        mean=sum(length * n for length, n in counts.items()) / total,
        percentiles=dict(zip(PERCENTILES, lengths[rank].tolist(), strict=True)),
    )


def vocabulary(lines: Iterable[str]) -> set[str]:
    """The words of token lines.

    >>> sorted(vocabulary(["a dog", "the dog"]))
    ['a', 'dog', 'the']
    """
    words: set[str] = set()
    for block in blocks(lines):
        words.update(" ".join(squeeze_lines(block)).split(" "))
    words.discard("")
    return words
