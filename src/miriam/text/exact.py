"""Tokenisers whose way back is exact for any string: `whitespace` and `characters`.

Both show what a list of tokens cannot: U+2581 (`▁`) is a blank to `characters`, and the nothing
between two blanks to `whitespace`; `␛`, a code in hexadecimal digits and `;` are any other white
space, and a `▁` or `␛` of the text itself.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence

from miriam.config import Config
from miriam.text.placeholders import split_around

__all__ = ["Characters", "CharactersTokeniser", "Whitespace", "WhitespaceTokeniser"]

BLANK = "▁"
_TO_SHOW = re.compile(r"[^\S ]|[▁␛]")
_SHOWN = re.compile("␛([0-9a-f]{1,6});")
_SYMBOL = re.compile(r"␛[0-9a-f]+;|.", re.DOTALL)


def _show(text: str) -> str:
    """The text with codes for all white space but blanks, and for the two signs."""
    return _TO_SHOW.sub(lambda found: f"␛{ord(found[0]):x};", text)


def _hide(text: str) -> str:
    """The text whose codes are characters again; a code of no character stays."""
    return _SHOWN.sub(_character, text) if "␛" in text else text


def _character(shown: re.Match[str]) -> str:
    code = int(shown[1], 16)
    return chr(code) if code <= sys.maxunicode else shown[0]


class Whitespace(Config, frozen=True, kw_only=True, tag="whitespace", tag_field="kind"):
    """Words are what stands between blanks: for text that is already tokenised."""

    def build(self) -> WhitespaceTokeniser:
        """The tokeniser."""
        return WhitespaceTokeniser()


class WhitespaceTokeniser:
    """Splits at every blank; where that leaves an empty token, the token is `▁`.

    >>> tokeniser = WhitespaceTokeniser()
    >>> tokeniser.tokenise("two  blanks ")
    ['two', '▁', 'blanks', '▁']
    >>> tokeniser.detokenise(['two', '▁', 'blanks', '▁'])
    'two  blanks '
    """

    def tokenise(self, text: str) -> list[str]:
        """The tokens of a text."""
        return [token or BLANK for token in _show(text).split(" ")] if text else []

    def detokenise(self, tokens: Sequence[str]) -> str:
        """The text of tokens."""
        return _hide(" ".join("" if token == BLANK else token for token in tokens))


def _symbols(text: str) -> Iterable[str]:
    """The characters of a text, all visible."""
    shown = _show(text).replace(" ", BLANK)
    return _SYMBOL.findall(shown) if "␛" in shown else shown


class Characters(Config, frozen=True, kw_only=True, tag="characters", tag_field="kind"):
    """Every character is a token: for spelling normalisation and transliteration."""

    def build(self) -> CharactersTokeniser:
        """The tokeniser."""
        return CharactersTokeniser()


class CharactersTokeniser:
    """Splits into characters (code points), blanks visible; a placeholder stays whole.

    >>> tokeniser = CharactersTokeniser()
    >>> tokeniser.tokenise("to a ⟦tag1⟧")
    ['t', 'o', '▁', 'a', '▁', '⟦tag1⟧']
    >>> tokeniser.detokenise(['t', 'o', '▁', 'a'])
    'to a'
    """

    def tokenise(self, text: str) -> list[str]:
        """The tokens of a text."""
        return split_around(text, _symbols)

    def detokenise(self, tokens: Sequence[str]) -> str:
        """The text of tokens."""
        return _hide("".join(tokens).replace(BLANK, " "))
