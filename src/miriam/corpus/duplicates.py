"""Which texts were met before: 128-bit hashes in an open-addressing table of NumPy words.

Texts are told apart by their hashes: among a billion texts, two share one with a probability below
1e-20. A text costs 21 to 43 bytes, whatever its length, and half as much again for the moment in
which the table grows; a Python set of digests costs 100.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

__all__ = ["Seen", "hash_texts"]

Hashes = NDArray[np.uint64]  # [texts, 2]


def hash_texts(texts: Iterable[str]) -> Hashes:
    """One row of two 64-bit words for each text; the second word is odd.

    >>> a, b, c = hash_texts(["ein Hund", "eine Katze", "ein Hund"])
    >>> (a == b).all(), (a == c).all()
    (np.False_, np.True_)
    """
    digests = b"".join([blake2b(text.encode(), digest_size=16).digest() for text in texts])
    hashes = np.frombuffer(digests, dtype="<u8").reshape(-1, 2).astype(np.uint64)
    hashes[:, 1] |= 1
    return hashes


class Seen:
    """A set of hashes that grows in batches.

    The first word of a hash says at which slot it is looked for, the second one how far it is to
    the next: being odd, it leads to every slot of a table whose size is a power of two, and it
    tells a hash from a slot that is empty, which is zero.

    >>> seen = Seen()
    >>> seen.add(hash_texts(["a", "b", "a"])).tolist()
    [True, True, False]
    >>> seen.add(hash_texts(["b", "c"])).tolist()
    [False, True]
    >>> len(seen)
    3
    """

    def __init__(self) -> None:
        self._table: Hashes = np.zeros((1 << 12, 2), dtype=np.uint64)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, hashes: Hashes) -> NDArray[np.bool_]:
        """Add hashes; for each, whether it was not there before (of equal ones, the first)."""
        while self._count + len(hashes) > len(self._table) * 3 // 4:
            self._grow()
        fresh = self._insert(hashes)
        self._count += int(fresh.sum())
        return fresh

    def _insert(self, hashes: Hashes) -> NDArray[np.bool_]:
        """All hashes at once, one slot further in each round, until each has found its place."""
        table, mask = self._table, np.uint64(len(self._table) - 1)
        fresh = np.zeros(len(hashes), dtype=np.bool_)
        waiting, slots = np.arange(len(hashes)), hashes[:, 0] & mask
        while len(waiting):
            empty = table[slots, 1] == 0
            # Of those that meet at an empty slot the first gets it, and the others see it taken.
            _, first = np.unique(slots[empty], return_index=True)
            winners = np.flatnonzero(empty)[first]
            table[slots[winners]] = hashes[waiting[winners]]
            fresh[waiting[winners]] = True
            elsewhere = (table[slots] != hashes[waiting]).any(axis=1)
            waiting, slots = waiting[elsewhere], slots[elsewhere]
            slots = (slots + hashes[waiting, 1]) & mask
        return fresh

    def _grow(self) -> None:
        old = self._table
        self._table = np.zeros((2 * len(old), 2), dtype=np.uint64)
        for start in range(0, len(old), 1 << 16):
            piece = old[start : start + (1 << 16)]
            self._insert(piece[piece[:, 1] != 0])
