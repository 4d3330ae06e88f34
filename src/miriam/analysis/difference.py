"""What differs between two translations of a sentence, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

__all__ = ["Piece", "difference"]


class Piece(NamedTuple):
    """Words that both have (`first == second`), or what one has where the other has another."""

    first: tuple[str, ...]
    second: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether both have these words."""
        return self.first == self.second


def difference(first: Sequence[str], second: Sequence[str]) -> list[Piece]:
    """Two sentences as pieces that are the same or not, in order.

    >>> [tuple(piece) for piece in difference("the dog ran off".split(), "a dog ran".split())]
    [(('the',), ('a',)), (('dog', 'ran'), ('dog', 'ran')), (('off',), ())]
    """
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return [Piece(tuple(first[a:b]), tuple(second[c:d])) for _, a, b, c, d in matcher.get_opcodes()]
