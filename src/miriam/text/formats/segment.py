"""A segment of a translation file as one line of text."""

from __future__ import annotations

import re

__all__ = ["one_line"]

_BREAKS = "\0\t\n\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"
_RUN = re.compile(f"[ {_BREAKS}]+")
_BREAK = re.compile(f"[{_BREAKS}]")


def one_line(text: str) -> str:
    r"""The text without the characters at which a line or a column would end.

    A run of blanks that holds one of them becomes a single blank; other blanks stay, but for those
    at both ends.

    >>> one_line(" first\n    second  third\t")
    'first second  third'
    """
    if _BREAK.search(text):
        text = _RUN.sub(lambda run: " " if _BREAK.search(run[0]) else run[0], text)
    return text.strip(" ")
