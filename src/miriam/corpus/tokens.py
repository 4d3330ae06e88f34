"""What can be told of token lines without splitting them: a call or two of `str` for each line."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["count_tokens", "has_long_token", "squeeze", "squeeze_lines"]


def squeeze(line: str) -> str:
    r"""The line with its tokens separated by single blanks: tabs and further blanks are gone.

    Other spaces, such as the no-break space, are parts of tokens.

    >>> squeeze("  a\tb  c ")
    'a b c'
    """
    return " ".join(filter(None, line.replace("\t", " ").split(" ")))


def squeeze_lines(lines: Sequence[str]) -> Sequence[str]:
    """The lines squeezed; most often all of them are so already, and one look shows it.

    >>> squeeze_lines(["a b", " a  b"])
    ['a b', 'a b']
    """
    # Joined by single blanks they have two in a row where a line has one too many, or is empty.
    text = " ".join(["", *lines, ""])
    return [squeeze(line) for line in lines] if "  " in text or "\t" in text else lines


def count_tokens(line: str) -> int:
    """The number of tokens of a squeezed line.

    >>> count_tokens("a b c"), count_tokens("")
    (3, 0)
    """
    return line.count(" ") + 1 if line else 0


def has_long_token(line: str, limit: int) -> bool:
    """Whether a token has more than `limit` characters.

    From blank to blank in strides of the limit: a stretch of limit + 1 characters without a blank
    is such a token.

    >>> has_long_token("ein Donaudampfschiff", 15), has_long_token("ein Donaudampfschiff", 16)
    (True, False)
    """
    start = 0
    while len(line) - start > limit:
        blank = line.rfind(" ", start, start + limit + 1)
        if blank < 0:
            return True
        start = blank + 1
    return False
