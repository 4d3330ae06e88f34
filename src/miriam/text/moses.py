"""Tokens by Moses' rules, through sacremoses, which this makes fast.

sacremoses rewrites a sentence some thirty times. But what becomes of a word depends only on the
word, on whether it opens the sentence, and on what kind of word follows; so each word is rewritten
once in each of these contexts, and remembered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from miriam.config import Config, nearest
from miriam.errors import ConfigError, MissingExtraError
from miriam.text.detokenise import detokenise
from miriam.text.placeholders import split_around

__all__ = ["Moses", "MosesTokeniser"]

CACHED_WORDS = 1 << 16
LONGEST_CACHED = 64  # characters
_CONTROL = re.compile("[\0-\x1f]")  # what Moses removes, after it has made blanks of white space
_BEFORE_MATTERS, _AFTER_MATTERS = "',", "'."  # to the rules for these, at the ends of a word


class Moses(Config, frozen=True, kw_only=True, tag="moses", tag_field="kind"):
    """The rules of Moses' tokeniser for a language, without escapes such as `&apos;`."""

    language: str = "en"

    def build(self) -> MosesTokeniser:
        """The tokeniser."""
        return MosesTokeniser(self.language)


class MosesTokeniser:
    """Splits off punctuation and clitics as Moses does; the way back is our own.

    >>> tokeniser = MosesTokeniser("en")
    >>> tokens = tokeniser.tokenise("I don't know, Dr. No (5%).")
    >>> tokens
    ['I', 'don', "'t", 'know', ',', 'Dr.', 'No', '(', '5', '%', ')', '.']
    >>> tokeniser.detokenise(tokens)
    "I don't know, Dr. No (5%)."
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._rules = _rules(language)
        self._lower = frozenset(self._rules.IsLower)
        self._remembered = lru_cache(CACHED_WORDS)(self._word)

    def tokenise(self, text: str) -> list[str]:
        """The tokens of a text."""
        if _CONTROL.search(text):
            text = _CONTROL.sub("", " ".join(text.split()))
        words = text.split()
        tokens: list[str] = []
        for place, word in enumerate(words):
            if word.isascii():  # what most words are: letters, and perhaps a comma
                if word.isalnum():
                    tokens.append(word)
                    continue
                if word[-1] in ",;:!?" and word[:-1].isalnum():
                    tokens += (word[:-1], word[-1])
                    continue
            before = "" if place == 0 and word[0] in _BEFORE_MATTERS else "A "
            after = (
                self._context(words[place + 1 : place + 2]) if word[-1] in _AFTER_MATTERS else "A"
            )
            recall = self._remembered if len(word) <= LONGEST_CACHED else self._word
            tokens += recall(before, word, after)
        return tokens

    def detokenise(self, tokens: Sequence[str]) -> str:
        """The text of tokens."""
        return detokenise(tokens, self.language)

    def _context(self, following: list[str]) -> str:
        """A word that the rules cannot tell from the one that follows."""
        if not following:
            return ""
        first = following[0][0]
        return "a" if first in self._lower else "1" if first in "0123456789" else "A"

    def _word(self, before: str, word: str, after: str) -> list[str]:
        """The tokens of a word between two others."""

        def split(piece: str) -> list[str]:
            # sacremoses would take its own sign for several full stops for these.
            if not piece or "DOTMULTI" in piece:
                return [piece] if piece else []
            tokens = self._rules.tokenize(f"{before}{piece} {after}", escape=False)
            return list(tokens[bool(before) : len(tokens) - bool(after)])

        return split_around(word, split)


def _rules(language: str) -> Any:
    """The tokeniser of sacremoses for a language it knows."""
    try:
        from sacremoses.corpus import NonbreakingPrefixes
        from sacremoses.tokenize import MosesTokenizer
    except ImportError:
        raise MissingExtraError("sacremoses", extra="moses", purpose="Moses' rules") from None
    known = set(NonbreakingPrefixes().available_langs.values())
    if language not in known:
        raise ConfigError(
            f"Moses has no rules for the language {language!r}; {nearest(language, known)}"
        )
    rules = MosesTokenizer(language)
    # Its own two make a set of all the world's letters for every word that ends in a full stop.
    lower, alpha = frozenset(rules.IsLower), frozenset(rules.IsAlpha)
    rules.islower = lower.issuperset
    rules.isanyalpha = lambda text: not alpha.isdisjoint(text)
    return rules
