"""A derivation drawn as an alignment: its phrases as ribbons from source to target, and the links.

Drawn along a line of text for wide screens, and down a column for narrow ones. Words stand in the
order in which they are spoken, also in languages written from right to left.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from miriam.search import Derivation

__all__ = ["alignment_svg"]

TINTS = 6  # colours of phrases in the style sheet
FONT = 15.0
PAD, GAP, EDGE = 9.0, 5.0, 4.0
ROW = 30.0  # of a word in a column
Spans = list[tuple[float, float]]


@dataclass(frozen=True)
class Side:
    """Where the words of one side are: along the text, and across it."""

    words: Sequence[str]
    along: Spans
    across: tuple[float, float]

    def box(self, begin: int, end: int) -> tuple[float, float]:
        """Where the words [begin, end) are, along the text."""
        return self.along[begin][0], self.along[end - 1][1]


def alignment_svg(derivation: Derivation, *, column: bool = False) -> str:
    """The derivation as an `<svg>` element, along a line or, for narrow screens, down a column."""
    source, target = (_column if column else _line)(derivation.source, derivation.tokens)
    long = max([side.along[-1][1] for side in (source, target) if side.words], default=0.0) + EDGE
    deep = target.across[1] + EDGE
    width, height = (deep, long) if column else (long, deep)
    drawn = "".join(_draw(derivation, source, target, column=column))
    text = html.escape(f"{' '.join(derivation.source)} → {derivation}")
    return (
        f'<svg class="alignment {"column" if column else "line"}" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.1f} {height:.1f}" role="img" '
        f'aria-label="{text}">{drawn}</svg>'
    )


def _line(source: Sequence[str], target: Sequence[str]) -> tuple[Side, Side]:
    """Both sides from left to right, one below the other, each in the middle."""
    sizes = [[_width(word) + 2 * PAD for word in side] for side in (source, target)]
    longest = max(sum(row) + GAP * len(row) for row in sizes)
    spans = []
    for row in sizes:
        at, there = EDGE + (longest - sum(row) - GAP * len(row)) / 2, []
        for size in row:
            there.append((at, at + size))
            at += size + GAP
        spans.append(there)
    return Side(source, spans[0], (EDGE, 38.0)), Side(target, spans[1], (138.0, 172.0))


def _column(source: Sequence[str], target: Sequence[str]) -> tuple[Side, Side]:
    """Both sides from above to below, side by side."""
    wide = [max([_width(word) for word in side], default=0) + 2 * PAD for side in (source, target)]
    sides = []
    for side, across in (
        (source, (EDGE, EDGE + wide[0])),
        (target, (EDGE + wide[0] + 76, EDGE + wide[0] + 76 + wide[1])),
    ):
        spans = [(EDGE + i * (ROW + GAP), EDGE + i * (ROW + GAP) + ROW) for i in range(len(side))]
        sides.append(Side(side, spans, across))
    return sides[0], sides[1]


def _draw(derivation: Derivation, source: Side, target: Side, *, column: bool) -> Iterator[str]:
    def at(along: float, across: float) -> str:
        x, y = (across, along) if column else (along, across)
        return f"{x:.1f} {y:.1f}"

    start = 0
    top, bottom = source.across[1], target.across[0]
    for number, phrase in enumerate(derivation.phrases):
        a, b = source.box(phrase.begin, phrase.end)
        end = start + len(phrase.target)
        tint = f"t{number % TINTS}"
        words = html.escape(f"{' '.join(phrase.source)} → {' '.join(phrase.target)}")
        yield f'<g class="{tint}"><title>{words}</title>'
        yield _box(at, (a, b), source.across)
        if phrase.target:
            c, d = target.box(start, end)
            yield _ribbon(at, (a, b, top), (c, d, bottom))
            yield _box(at, (c, d), target.across)
        yield "</g>"
        start = end
    yield from (
        _link(at, (_middle(source.along[i]), top), (_middle(target.along[j]), bottom))
        for i, j in derivation.alignment
    )
    for side in (source, target):
        for word, span in zip(side.words, side.along, strict=True):
            x, y = at(_middle(span), _middle(side.across)).split()
            yield f'<text x="{x}" y="{float(y) + 5:.1f}">{html.escape(word)}</text>'


At = Callable[[float, float], str]


def _box(at: At, along: tuple[float, float], across: tuple[float, float]) -> str:
    (a, b), (c, d) = along, across
    return f'<path class="box" d="M{at(a, c)}L{at(b, c)}L{at(b, d)}L{at(a, d)}Z"/>'


def _ribbon(at: At, one: tuple[float, float, float], other: tuple[float, float, float]) -> str:
    (a, b, top), (c, d, bottom) = one, other
    half = (top + bottom) / 2
    return (
        f'<path class="ribbon" d="M{at(a, top)}C{at(a, half)} {at(c, half)} {at(c, bottom)}'
        f'L{at(d, bottom)}C{at(d, half)} {at(b, half)} {at(b, top)}Z"/>'
    )


def _link(at: At, one: tuple[float, float], other: tuple[float, float]) -> str:
    (a, top), (b, bottom) = one, other
    half = (top + bottom) / 2
    return f'<path class="link" d="M{at(a, top)}C{at(a, half)} {at(b, half)} {at(b, bottom)}"/>'


def _middle(span: tuple[float, float]) -> float:
    return (span[0] + span[1]) / 2


def _width(word: str) -> float:
    """About how wide a word is drawn."""
    return FONT * sum(map(_letter, word))


def _letter(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if letter in "iljtfr.,;:'!|()[]I":
        return 0.34
    return 0.88 if letter in "mwMW@%—⟦⟧" else 0.68 if letter.isupper() else 0.56
