"""Tokenisers whose way back is exact for any string: `whitespace` and `characters`.

Both show what a list of tokens cannot: U+2581 (`▁`) is a blank to `characters`, and the nothing
between two blanks to `whitespace`; `␛`, a code in hexadecimal digits and `;` are any other white
space, and a `▁` or `␛` of the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from miriam.config import Config
from miriam.text.placeholders import split_at_placeholders

__all__ = ["Characters", "CharactersTokeniser", "Whitespace", "WhitespaceTokeniser"]

BLANK = "▁"
_TO_SHOW = re.compile(r"[\s▁␛]")
_SHOWN = re.compile("▁|␛([0-9a-f]+);")
_SYMBOL = re.compile(r"␛[0-9a-f]+;|.", re.DOTALL)


def _show(text: str) -> str:
    """The text with visible signs for its white space."""
    return _TO_SHOW.sub(lambda m: BLANK if m[0] == " " else f"␛{ord(m[0]):x};", text)


def _hide(text: str) -> str:
    """The text whose white space `_show` has shown; other uses of the signs stay."""
    return _SHOWN.sub(lambda m: " " if m[0] == BLANK else _character(m[0], m[1]), text)


def _character(shown: str, code: str) -> str:
    """The character of this code, if there is one: a translator may write any nonsense."""
    return chr(int(code, 16)) if len(code) <= 6 and int(code, 16) < 0x110000 else shown


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
        return [_show(token) or BLANK for token in text.split(" ")] if text else []

    def detokenise(self, tokens: Sequence[str]) -> str:
        """The text of tokens."""
        return " ".join("" if token == BLANK else _hide(token) for token in tokens)


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
        tokens: list[str] = []
        for number, piece in enumerate(split_at_placeholders(text)):
            tokens += [piece] if number % 2 else _SYMBOL.findall(_show(piece))
        return tokens

    def detokenise(self, tokens: Sequence[str]) -> str:
        """The text of tokens."""
        return _hide("".join(tokens))
