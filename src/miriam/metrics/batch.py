"""Sequences of ids, one after another in one array: what the native core compares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

__all__ = ["Batch", "WordIds", "characters"]


class Batch(NamedTuple):
    """Sequence `i` is `ids[offsets[i]:offsets[i + 1]]`."""

    ids: np.ndarray  # uint32
    offsets: np.ndarray  # int64, one more than there are sequences


class WordIds:
    """Gives equal words equal ids, for texts that have no vocabulary yet.

    >>> ids = WordIds()
    >>> ids(["a b a", "c"])
    Batch(ids=array([0, 1, 0, 2], dtype=uint32), offsets=array([0, 3, 4]))
    >>> ids(["c b"]).ids
    array([2, 1], dtype=uint32)
    """

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def __call__(self, texts: Iterable[str]) -> Batch:
        """The words of texts, as white space divides them."""
        lines = [text.split() for text in texts]
        ids = [self._ids.setdefault(word, len(self._ids)) for line in lines for word in line]
        return Batch(np.array(ids, dtype=np.uint32), _offsets(lines))


def characters(texts: Sequence[str]) -> Batch:
    """The code points of texts.

    >>> characters(["ab", "ü"]).ids
    array([ 97,  98, 252], dtype=uint32)
    """
    points = "".join(texts).encode("utf-32-le", errors="surrogatepass")
    return Batch(np.frombuffer(points, dtype="<u4"), _offsets(texts))


def _offsets(sequences: Iterable[Sequence[str]]) -> np.ndarray:
    return np.cumsum([0, *map(len, sequences)], dtype=np.int64)
