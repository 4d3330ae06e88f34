"""Pieces of HTML that sections share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["bar", "code", "duration", "number", "signed", "table"]

MINUTE = 60  # seconds


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, words: bool = False) -> str:
    """A table of cells that are HTML; figures stand to the right, `words` to the left."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    kind = ' class="words"' if words else ""
    return (
        f'<div class="scroll"><table{kind}><thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def bar(value: float, largest: float, before: float | None = None) -> str:
    """A bar to the right or to the left of the middle, and a tick where the value was before."""
    share = 50 * abs(value) / largest if largest else 0.0
    side = "left:50%" if value >= 0 else f"left:{50 - share:.1f}%"
    tick = ""
    if before is not None and largest:
        tick = f'<s style="left:{50 + 50 * before / largest:.1f}%"></s>'
    kind = "plus" if value >= 0 else "minus"
    return (
        f'<span class="bar"><i class="{kind}" style="{side};width:{share:.1f}%"></i>{tick}</span>'
    )


def code(name: str) -> str:
    """A name that may go on in a new line behind its marks.

    >>> code("TM:phi(e|f)")
    '<code>TM:<wbr>phi(e|<wbr>f)</code>'
    """
    pieces = re.split(r"(?<=[:.>|-])(?=[^:.>|-])", name)
    return f"<code>{'<wbr>'.join(map(escape, pieces))}</code>"


def duration(seconds: float) -> str:
    """How long something took, as people say it.

    >>> duration(1.26), duration(75), duration(7260)
    ('1.3 s', '1 min 15 s', '2 h 01 min')
    """
    if seconds < MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"


def number(value: float, digits: int) -> str:
    """A value with a true minus.

    >>> number(-0.25, 3), number(0.25, 1)
    ('\u22120.250', '0.2')
    """
    return f"{value:.{digits}f}".replace("-", "\u2212")


def signed(value: float, digits: int) -> str:
    """A value with its sign, a true minus.

    >>> signed(-0.25, 1), signed(0.25, 2)
    ('\u22120.2', '+0.25')
    """
    return f"{value:+.{digits}f}".replace("-", "\u2212")
