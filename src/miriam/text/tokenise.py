"""What every tokeniser can do, and which there are.

A tokeniser's settings are a struct tagged by `kind`, so that a TOML file can choose one and a model
can keep the one it was trained with; `build` makes it. The union is the registry: a new tokeniser
is a file of its own and a line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from miriam.text.arabic import Arabic
from miriam.text.chinese import Jieba
from miriam.text.exact import Characters, Whitespace
from miriam.text.moses import Moses

__all__ = ["AnyTokeniser", "Tokeniser"]


class Tokeniser(Protocol):
    """From text to tokens and back.

    Tokens are never empty and hold no white space. A placeholder is one token. Every string is
    accepted; text is expected in the form that `normalise` gives it. `detokenise` gives the text
    back exactly for `whitespace` and `characters`, and for the others where the tokens tell.

    >>> def count(text: str, settings: AnyTokeniser) -> int:
    ...     return len(settings.build().tokenise(text))
    >>> count("It rains.", Whitespace()), count("It rains.", Characters())
    (2, 9)
    """

    def tokenise(self, text: str) -> list[str]:
        """The tokens of a text."""
        ...

    def detokenise(self, tokens: Sequence[str]) -> str:
        """The text of tokens."""
        ...


AnyTokeniser: TypeAlias = Whitespace | Characters | Moses | Jieba | Arabic
"""The settings of any tokeniser."""
