"""Rows of different lengths, one after another in a flat array."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

__all__ = ["Ragged"]


@dataclass(frozen=True)
class Ragged:
    """Rows of numbers: row i ends at `ends[i]` in `items`.

    >>> a = Ragged.of([[1, 2], [], [3]])
    >>> b = Ragged.of([[7], [8], [9]])
    >>> Ragged.join(a, b).rows()
    [[1, 2, 7], [8], [3, 9]]
    """

    items: npt.NDArray[np.uint32]
    ends: npt.NDArray[np.uint64]

    @classmethod
    def of(cls, rows: list[list[int]]) -> Ragged:
        """These rows."""
        items = np.array([item for row in rows for item in row], np.uint32)
        return cls(items, np.cumsum([len(row) for row in rows], dtype=np.uint64))

    @classmethod
    def sized(cls, items: npt.NDArray[np.uint32], lengths: npt.NDArray[np.int64]) -> Ragged:
        """Rows of these lengths."""
        return cls(items, np.cumsum(lengths, dtype=np.uint64))

    @classmethod
    def column(cls, items: npt.ArrayLike) -> Ragged:
        """Rows of one item each."""
        values = np.asarray(items).astype(np.uint32)
        return cls(values, np.arange(1, len(values) + 1, dtype=np.uint64))

    @classmethod
    def join(cls, *parts: Ragged) -> Ragged:
        """The rows of several, each put behind the one before."""
        total = np.sum([part.lengths for part in parts], axis=0)
        ends = np.cumsum(total, dtype=np.int64)
        items = np.empty(int(ends[-1]) if len(ends) else 0, np.uint32)
        next_ = ends - total
        for part in parts:
            items[np.arange(len(part.items)) + np.repeat(next_ - part.starts, part.lengths)] = (
                part.items
            )
            next_ = next_ + part.lengths
        return cls(items, ends.astype(np.uint64))

    def __len__(self) -> int:
        return len(self.ends)

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Of each row."""
        lengths: npt.NDArray[np.int64] = self.ends.astype(np.int64)
        lengths[1:] -= lengths[:-1].copy()
        return lengths

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """Where each row begins."""
        return self.ends.astype(np.int64) - self.lengths

    @cached_property
    def row_of(self) -> npt.NDArray[np.int64]:
        """The row of each item."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @property
    def place(self) -> npt.NDArray[np.int64]:
        """Of each item its place in its row."""
        return np.arange(len(self.items)) - np.repeat(self.starts, self.lengths)

    def with_lengths(self) -> Ragged:
        """Each row behind its length."""
        return Ragged.join(Ragged.column(self.lengths), self)

    def take(self, chosen: npt.NDArray[np.bool_]) -> Ragged:
        """Some of the rows."""
        return Ragged.sized(self.items[chosen[self.row_of]], self.lengths[chosen])

    def rows(self) -> list[list[int]]:
        """All rows, for those who read them one by one."""
        items = self.items.tolist()
        return [items[e - n : e] for e, n in zip(self.ends.tolist(), self.lengths, strict=True)]
