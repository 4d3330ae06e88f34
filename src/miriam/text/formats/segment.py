"""A segment of a translation file as one line of text."""

from __future__ import annotations

import re

from miriam.text.files import FORBIDDEN

__all__ = ["one_line"]

_BREAKS = "\t\n" + FORBIDDEN
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
