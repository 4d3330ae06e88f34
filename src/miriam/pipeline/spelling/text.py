"""Running text in and out: words are normalised, and all between them stays as it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from miriam.features.spelling import PairCounts
from miriam.pipeline.spelling.pairs import EDGE, shown

__all__ = ["Piece", "Splitter"]

_CHUNK = re.compile(r"(\s+)")


class Piece(NamedTuple):
    """A part of a line: a word or several, or what stands between words."""

    text: str
    is_word: bool


class Splitter:
    """Parts lines into words and what is between them.

    What has white space about it and is known whole (`be:te`) is a word. Otherwise signs before and
    after it are none of it. Several words that are known as one (`zu sammen`) are one.

    >>> splitter = Splitter(PairCounts([("zu▁sammen", "zusammen"), ("fl.", "Gulden")]), lower=True)
    >>> [piece.text for piece in splitter.split("(Zu sammen,  3 fl.)") if piece.is_word]
    ['Zu sammen', '3', 'fl']
    >>> [piece.text for piece in splitter.split("3 fl. zahlt")]
    ['3', ' ', 'fl.', ' ', 'zahlt']
    """

    def __init__(self, known: PairCounts, *, lower: bool) -> None:
        self.known, self.lower = known, lower
        several = [word for word in known.words if EDGE in word]
        self.longest = 1 + max((word.count(EDGE) for word in several), default=0)

    def split(self, line: str) -> list[Piece]:
        """The pieces of a line, which together are the line."""
        pieces = [p for chunk in _CHUNK.split(line) if chunk for p in self._chunk(chunk)]
        return list(self._joined(pieces)) if self.longest > 1 else pieces

    def _known(self, text: str) -> bool:
        key = shown(text)
        return (key.lower() if self.lower else key) in self.known

    def _chunk(self, chunk: str) -> list[Piece]:
        """The signs before a word, the word, and the signs after it."""
        if chunk.isspace():
            return [Piece(chunk, False)]
        if self._known(chunk):
            return [Piece(chunk, True)]
        begin, end = 0, len(chunk)
        while begin < end and not _of_word(chunk[begin]):
            begin += 1
        while end > begin and not _of_word(chunk[end - 1]):
            end -= 1
        parts = [(chunk[:begin], False), (chunk[begin:end], True), (chunk[end:], False)]
        return [Piece(text, is_word) for text, is_word in parts if text]

    def _joined(self, pieces: Sequence[Piece]) -> Iterator[Piece]:
        """The pieces, where several words that are known as one have become one, the longest."""
        begin = 0
        while begin < len(pieces):
            end = self._end_of_known(pieces, begin)
            text = "".join(piece.text for piece in pieces[begin:end])
            yield Piece(text, pieces[begin].is_word)
            begin = end

    def _end_of_known(self, pieces: Sequence[Piece], begin: int) -> int:
        for words in range(self.longest, 1, -1):
            end = begin + 2 * words - 1  # words with one blank between them
            some = pieces[begin:end]
            text = "".join(piece.text for piece in some)
            if len(some) == 2 * words - 1 and _are_words(some) and self._known(text):
                return end
        return begin + 1


def _are_words(pieces: Sequence[Piece]) -> bool:
    return all(p.is_word for p in pieces[::2]) and all(p.text == " " for p in pieces[1::2])


def _of_word(character: str) -> bool:
    """Whether a character is a letter or a digit, or a mark above or below one."""
    return character.isalnum() or unicodedata.category(character).startswith("M")
