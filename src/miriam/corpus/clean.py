"""Cleaning of a bitext: pairs that would only harm are dropped, and counted by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from miriam.config import Config
from miriam.corpus.bitext import Pair, blocks
from miriam.corpus.duplicates import Seen, hash_texts
from miriam.corpus.tokens import count_tokens, has_long_token, squeeze_lines
from miriam.errors import ConfigError

__all__ = ["REASONS", "Cleaning", "clean"]

# Why a pair is dropped, in the order in which it is looked for: the first that holds is counted.
REASONS = ("empty", "short", "long", "ratio", "token", "duplicate")
KEEP = -1


class Cleaning(Config, frozen=True, kw_only=True):
    """Which pairs are kept; the lengths are in tokens and hold for both sides."""

    min_length: Annotated[int, Meta(ge=1)] = 1
    max_length: Annotated[int, Meta(ge=1)] = 100
    max_ratio: Annotated[float, Meta(ge=1)] = 9.0  # of the longer side to the shorter one
    max_token: Annotated[int, Meta(ge=1)] = 100  # characters
    deduplicate: bool = True  # keep only the first of pairs with the same source and target

    def __post_init__(self) -> None:
        if self.max_length < self.min_length:
            raise ConfigError(
                f"max_length = {self.max_length} is below min_length = {self.min_length}, "
                "and no pair would be left; raise the one or lower the other"
            )


def clean(
    pairs: Iterable[Pair], settings: Cleaning, dropped: Counter[str] | None = None
) -> Iterator[Pair]:
    """The pairs to keep, as a stream, tokens separated by single blanks; `dropped` counts the rest.

    >>> dropped = Counter()
    >>> pairs = [Pair("a  b", "A B", "news"), Pair("a b", "A B"), Pair("a", " ")]
    >>> list(clean(pairs, Cleaning(), dropped))
    [Pair(source='a b', target='A B', domain='news')]
    >>> dropped == {"empty": 1, "duplicate": 1}
    True
    """
    seen = Seen()
    for block in blocks(pairs):
        source_column, target_column, domains = zip(*block, strict=True)
        sources, targets = squeeze_lines(source_column), squeeze_lines(target_column)
        reasons = _reasons(sources, targets, settings)
        if settings.deduplicate:
            fit = np.flatnonzero(reasons == KEEP)
            # No line holds a NUL, so different pairs make different texts.
            fresh = seen.add(hash_texts([f"{sources[i]}\0{targets[i]}" for i in fit.tolist()]))
            reasons[fit[~fresh]] = REASONS.index("duplicate")
        if dropped is not None:
            dropped.update(REASONS[i] for i in reasons.tolist() if i != KEEP)
        yield from compress(map(Pair, sources, targets, domains), (reasons == KEEP).tolist())


def _reasons(
    sources: Sequence[str], targets: Sequence[str], settings: Cleaning
) -> NDArray[np.int64]:
    """For each pair the first of `REASONS` that holds for it alone, as an index, or `KEEP`."""
    source = np.array([count_tokens(line) for line in sources])
    target = np.array([count_tokens(line) for line in targets])
    shorter, longer = np.minimum(source, target), np.maximum(source, target)
    limit = settings.max_token
    token = [
        has_long_token(source, limit) or has_long_token(target, limit)
        for source, target in zip(sources, targets, strict=True)
    ]
    holds = {
        "empty": shorter == 0,
        "short": shorter < settings.min_length,
        "long": longer > settings.max_length,
        "ratio": longer > settings.max_ratio * shorter,
        "token": np.array(token),
    }
    return np.select(list(holds.values()), [REASONS.index(name) for name in holds], KEEP)
