"""What is to be translated: tokens, and what the caller knows better than the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from miriam.errors import InputError

__all__ = ["Forced", "Sentence"]

MAX_WORDS = 65_000
MAX_SPAN = 64  # words that one rule may translate; the decoder's window


@dataclass(frozen=True)
class Forced:
    """A translation of the words [begin, end) that the caller gives."""

    begin: int
    end: int
    target: tuple[str, ...]
    exclusive: bool = True  # no other translation may touch these words


@dataclass(frozen=True)
class Sentence:
    """Tokens with markup.

    A wall at position i: what is before it is translated before what is after it. A zone [b, e) is
    translated in one go. `prefix` is how the translation must begin, `reference` what it must be.
    `domains` are the kinds of text it is from, as the model calls them.

    >>> Sentence(("das", "ist", "NUM"), forced=(Forced(2, 3, ("42",)),)).forced[0].target
    ('42',)
    """

    tokens: tuple[str, ...]
    forced: tuple[Forced, ...] = ()
    walls: tuple[int, ...] = ()
    zones: tuple[tuple[int, int], ...] = ()
    prefix: tuple[str, ...] = ()
    reference: tuple[str, ...] | None = None
    domains: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        length = len(self.tokens)
        if length > MAX_WORDS:
            raise InputError(
                f"a sentence of {length} words; the decoder takes at most {MAX_WORDS}, so divide it"
            )
        spans = [(f.begin, f.end) for f in self.forced] + list(self.zones)
        for begin, end in spans:
            if not 0 <= begin < end <= length:
                raise InputError(
                    f"markup of words {begin} to {end} in a sentence of {length} words"
                )
        for forced in self.forced:
            if forced.end - forced.begin > MAX_SPAN:
                raise InputError(
                    f"a translation of {forced.end - forced.begin} words; at most {MAX_SPAN} can "
                    "be translated at once, so divide it"
                )
        for wall in self.walls:
            if not 0 <= wall <= length:
                raise InputError(f"a wall at {wall} in a sentence of {length} words")
        if self.prefix and self.reference is not None:
            raise InputError("a sentence with both a target prefix and a reference; give one")
        self._refuse_contradictions()

    def _refuse_contradictions(self) -> None:
        exclusive = sorted({(f.begin, f.end) for f in self.forced if f.exclusive})
        for (b1, e1), (b2, e2) in combinations(exclusive, 2):
            if b2 < e1 and b1 < e2:
                raise InputError(
                    f"two exclusive translations, of words {b1} to {e1} and {b2} to {e2}, overlap"
                )
        for (b1, e1), (b2, e2) in combinations(sorted(self.zones), 2):
            if b1 < b2 < e1 < e2:
                raise InputError(f"the zones {b1} to {e1} and {b2} to {e2} cross")
        for begin, end in exclusive:
            crossed = [w for w in self.walls if begin < w < end]
            crossed += [b for b, e in self.zones if b < end and begin < e and not (
                (b <= begin and end <= e) or (begin <= b and e <= end))]  # fmt: skip
            if crossed:
                raise InputError(
                    f"the translation of words {begin} to {end} crosses the wall or zone at "
                    f"{crossed[0]}"
                )

    def wall_scopes(self) -> list[tuple[int, int, int]]:
        """Each wall with the words that it parts: those of the smallest zone around it, or all."""
        scopes = []
        for wall in self.walls:
            around = [(e - b, b, e) for b, e in self.zones if b < wall < e]
            _, begin, end = min(around, default=(0, 0, len(self.tokens)))
            scopes.append((begin, wall, end))
        return scopes


def as_sentence(source: Sentence | str | Sequence[str]) -> Sentence:
    """Tokens, or a line of them, as a sentence without markup."""
    if isinstance(source, Sentence):
        return source
    return Sentence(tuple(source.split() if isinstance(source, str) else source))
