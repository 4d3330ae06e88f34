"""Arabic: spelling made uniform, and punctuation split off.

Writers of Arabic use hamza and the dots of final yeh as they please, and vowel marks seldom; a
small corpus cannot afford each spelling as a word of its own. This is the usual normalisation of
Arabic as a source language; where Arabic is the target, `uniform = false` keeps the spelling.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from miriam.config import Config
from miriam.text.detokenise import detokenise
from miriam.text.placeholders import split_around

__all__ = ["Arabic", "ArabicTokeniser", "uniform_arabic"]

_LETTERS = str.maketrans({**dict.fromkeys("أإآٱٲٳ", "ا"), "ى": "ي", "ی": "ي", "ک": "ك"})
# Tatweel; vowel signs, shadda, sukun, maddah and hamza, dagger alef; honorifics, Koranic signs.
_MARKS = re.compile(
    "[\u0640\u064b-\u065f\u0670\u0610-\u061a\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]"
)
_TOKEN = re.compile(
    r"\d+(?:[.,٫٬:/]\d+)*"  # numbers, in any digits
    r"|[^\W\d_][\w\u0610-\u061a\u064b-\u065f\u0670]*(?:['’-]\w+|(?<=\d)[.,٫٬]\d+)*"  # words
    r"|\.{2,}|\S"
)


class Arabic(Config, frozen=True, kw_only=True, tag="arabic", tag_field="kind"):
    """Arabic words and punctuation."""

    uniform: bool = True  # one alef, one yeh; no tatweel, no vowel marks

    def build(self) -> ArabicTokeniser:
        """The tokeniser."""
        return ArabicTokeniser(uniform=self.uniform)


def uniform_arabic(text: str) -> str:
    """The text with one form of alef, of yeh and of kaf, without tatweel and vowel marks.

    >>> uniform_arabic("إِلَى الـقُرى")
    'الي القري'
    """
    return _MARKS.sub("", text).translate(_LETTERS)


class ArabicTokeniser:
    """Splits off punctuation, in a uniform spelling unless told otherwise.

    >>> tokeniser = ArabicTokeniser()
    >>> tokeniser.tokenise("أين الكتاب؟")
    ['اين', 'الكتاب', '؟']
    >>> tokeniser.detokenise(['اين', 'الكتاب', '؟'])
    'اين الكتاب؟'
    """

    def __init__(self, *, uniform: bool = True) -> None:
        self.uniform = uniform

    def tokenise(self, text: str) -> list[str]:
        """The tokens of a text."""
        return split_around(uniform_arabic(text) if self.uniform else text, _TOKEN.findall)

    def detokenise(self, tokens: Sequence[str]) -> str:
        """The text of tokens."""
        return detokenise(tokens, "ar")
