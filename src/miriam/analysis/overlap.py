"""Which features several weight vectors share (Green et al., 2013, Table 6)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import msgspec
import numpy as np

from miriam.analysis.weights import active, sides_of

__all__ = ["Overlap", "Shared", "overlaps"]


class Shared(msgspec.Struct, frozen=True, kw_only=True):
    """A feature that both have, and its weights."""

    name: str
    first: float
    second: float


class Overlap(msgspec.Struct, frozen=True, kw_only=True):
    """The features of two weight vectors, A and B, that are not zero."""

    first: str
    second: str
    a: int
    b: int
    both: int
    same_sign: int  # of those that both have
    words_a: float | None  # mean source words of the rules of A; none if they are no rules
    words_b: float | None
    words_both: float | None
    heaviest: tuple[Shared, ...]  # by the smaller of the two weights


def overlaps(
    weights: Mapping[str, Mapping[str, float]], template: str, *, heaviest: int = 10
) -> list[Overlap]:
    """What each two of several weight vectors have in common, of one template.

    >>> tune = {"PT:ein-hund>a-dog": 0.5, "PT:hund>dog": 0.25, "LM": 1.0}
    >>> test = {"PT:hund>dog": 0.125, "PT:mann>man": 0.0}
    >>> found = overlaps({"tune": tune, "test": test}, "PT")[0]
    >>> found.a, found.b, found.both, found.words_a, found.words_both
    (2, 1, 1, 1.5, 1.0)
    """
    names = {which: active(vector, template) for which, vector in weights.items()}
    words = {which: _mean_words(there) for which, there in names.items()}
    found = []
    for first, second in combinations(weights, 2):
        a, b, both = names[first], names[second], names[first] & names[second]
        pairs = [
            Shared(name=name, first=weights[first][name], second=weights[second][name])
            for name in both
        ]
        pairs.sort(key=lambda pair: (-min(abs(pair.first), abs(pair.second)), pair.name))
        found.append(Overlap(
            first=first, second=second, a=len(a), b=len(b), both=len(both),
            same_sign=sum(pair.first * pair.second > 0 for pair in pairs),
            words_a=words[first], words_b=words[second], words_both=_mean_words(both),
            heaviest=tuple(pairs[:heaviest]),
        ))  # fmt: skip
    return found


def _mean_words(names: frozenset[str]) -> float | None:
    lengths = [len(sides.source) for name in names if (sides := sides_of(name))]
    return float(np.mean(lengths)) if lengths else None
