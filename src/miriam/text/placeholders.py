"""What must not be translated, protected by placeholders and put back: numbers, tags, addresses.

A placeholder is a word such as `⟦number1⟧`: its kind, and which of that kind it is in the sentence,
so that tables and language models learn `⟦number1⟧` where they would have seen a thousand numbers.
It stands between blanks; the blanks that were not in the text are remembered, and go when it is
restored. A `⟦` of the text itself becomes a placeholder too, so that the way back is exact.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

from miriam.config import Config

__all__ = [
    "Kind",
    "Placeholders",
    "Protected",
    "Restored",
    "Value",
    "is_placeholder",
    "protect",
    "restore",
    "split_around",
]

Kind = Literal["url", "email", "tag", "variable", "number"]

# Each kind, the first that matches wins. Nothing is tried for long in vain: repetitions are
# possessive, bounded, or end at a character that starts the pattern, and none starts within itself.
_PATTERNS: dict[Kind, str] = {
    "url": r"""(?<!\w)(?:(?:https?|ftp|file)://|www\.)[^\s<>"⟦]*[^\s<>"⟦.,;:!?'’”»()\[\]{}]""",
    "email": r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)++",
    "tag": r"""</?[A-Za-z][\w:.-]*+(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*+)?/?>|<!--[^<>]*-->"""
    r"|&(?:\#\d{1,7}|\#x[0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});",
    "variable": r"(?<!\d)%(?:\(\w+\)|\d+\$)?[-+\#0]*+(?:\d+|\*)?(?:\.(?:\d+|\*))?"
    r"(?:hh|h|ll|[lLqjzt])?[diouxXeEfFgGcrsaA]|%%|[%\#$]\{\w+\}|\{\{\s*[\w.]+\s*\}\}"
    r"|\{[\w.\[\]]*(?:![rsa])?(?::[^{}\s]*)?\}|\$[A-Za-z_]\w*",
    "number": r"(?:(?<![\w.])[-+−])?(?<!\w)(?<!\d[.,:/'’\u00a0\u202f٫٬-])"
    r"\d++(?:[.,:/'’\u00a0\u202f٫٬-]\d++)*+(?!\w)",
}
_TAG = re.compile(r"</?(?=[A-Za-z])")
_SYMBOL = "⟦"  # begins a placeholder, and nothing else in a protected text
_PLACEHOLDER = re.compile(f"⟦(?:symbol|{'|'.join(_PATTERNS)})[1-9][0-9]*⟧")
_SPLIT = re.compile(f"({_PLACEHOLDER.pattern})")


class Placeholders(Config, frozen=True, kw_only=True):
    """What is protected: the kinds of spans, all of them unless said otherwise."""

    kinds: tuple[Kind, ...] = tuple(_PATTERNS)


EVERYTHING = Placeholders()


class Value(NamedTuple):
    """What a placeholder stands for, and beside which characters it stood without a blank."""

    placeholder: str
    text: str
    left: str = ""  # the character before, if a blank was put between; else nothing
    right: str = ""


class Protected(NamedTuple):
    """A text with placeholders, and what they stand for in the order of the text."""

    text: str
    values: tuple[Value, ...]


class Restored(NamedTuple):
    """A text without placeholders, and which of them were not used exactly once."""

    text: str
    missing: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()  # in the text, but with no value: left as they are


def is_placeholder(token: str) -> bool:
    """Whether a token is a placeholder.

    >>> is_placeholder("⟦number1⟧"), is_placeholder("number1")
    (True, False)
    """
    return token.startswith(_SYMBOL) and _PLACEHOLDER.fullmatch(token) is not None


def split_around(text: str, split: Callable[[str], Iterable[str]]) -> list[str]:
    """The tokens of a text: placeholders, and what `split` makes of the text between them.

    >>> split_around("ab⟦tag1⟧c", list)
    ['a', 'b', '⟦tag1⟧', 'c']
    """
    if _SYMBOL not in text:
        return list(split(text))
    tokens: list[str] = []
    for number, piece in enumerate(_SPLIT.split(text)):
        tokens += [piece] if number % 2 else split(piece)
    return tokens


def protect(
    text: str, settings: Placeholders = EVERYTHING, *, known: Sequence[Value] | None = None
) -> Protected:
    """The text with a placeholder for every span that is not to be translated.

    With `known`, the values of a source sentence, its translation is protected for training: only
    what the source has too, under the source's placeholders.

    >>> source = protect("Pay 5 dollars to a@b.org.")
    >>> source.text
    'Pay ⟦number1⟧ dollars to ⟦email1⟧ .'
    >>> protect("An a@b.org zahlt man 5 Dollar in 3 Tagen.", known=source.values).text
    'An ⟦email1⟧ zahlt man ⟦number1⟧ Dollar in 3 Tagen.'
    """
    pieces: list[str] = []
    values: list[Value] = []
    end = 0
    for start, stop, placeholder in _spans(text, settings, known):
        before, after = text[max(start - 1, 0) : start].strip(" "), text[stop : stop + 1].strip(" ")
        pieces.append(text[end:start])
        if values and start == end:  # no text between two placeholders, but already a blank
            before = "⟧"
            values[-1] = values[-1]._replace(right=_SYMBOL)
        elif before:
            pieces.append(" ")
        pieces.append(f"{placeholder} " if after else placeholder)
        values.append(Value(placeholder, text[start:stop], before, after))
        end = stop
    return Protected("".join(pieces) + text[end:], tuple(values))


def _spans(
    text: str, settings: Placeholders, known: Sequence[Value] | None
) -> Iterator[tuple[int, int, str]]:
    """Where the spans begin and end, and their placeholders."""
    counts: Counter[str] = Counter()
    waiting: dict[str, list[str]] = {}  # of each known text the placeholders not yet used
    for value in reversed(known or ()):
        waiting.setdefault(value.text, []).append(value.placeholder)
        counts["symbol"] += value.text == _SYMBOL
    for match in _spans_pattern(settings.kinds).finditer(text):
        kind = str(match.lastgroup)
        if waiting.get(match[0]):
            yield *match.span(), waiting[match[0]].pop()
        elif known is None or kind == "symbol":
            counts[kind] += 1
            yield *match.span(), f"⟦{kind}{counts[kind]}⟧"


@cache
def _spans_pattern(kinds: tuple[Kind, ...]) -> re.Pattern[str]:
    """What matches a span of these kinds; the group that matched is named after the kind."""
    named = [f"(?P<{kind}>{pattern})" for kind, pattern in _PATTERNS.items() if kind in kinds]
    return re.compile("|".join([f"(?P<symbol>{_SYMBOL})", *named]))


def restore(text: str, values: Sequence[Value]) -> Restored:
    """The text with the values in the places of their placeholders, wherever these have moved.

    A blank that `protect` had put beside a placeholder goes if the same character is still there;
    for a tag, if there is a letter where a letter was, and always towards what the tag encloses.

    >>> restore("⟦email1⟧ bekommt ⟦number1⟧ $", protect("$5 to a@b.org").values)
    Restored(text='a@b.org bekommt 5 $', missing=(), repeated=(), unknown=())
    >>> restore("⟦number2⟧ Dollar", protect("5 dollars").values)[1:]
    (('⟦number1⟧',), (), ('⟦number2⟧',))
    """
    by_placeholder = {value.placeholder: value for value in values}
    uses: Counter[str] = Counter()
    pieces: list[str] = []
    end = 0
    for match in _PLACEHOLDER.finditer(text):
        uses[match[0]] += 1
        if value := by_placeholder.get(match[0]):
            start, stop = match.span()
            left, right = text[max(start - 2, 0) : start], text[stop : stop + 2]
            begin = start - _joins(value, value.left, left[::-1], inner="</")
            pieces += [text[end : max(begin, end)], value.text]
            end = stop + _joins(value, value.right, right, inner="<")
    return Restored(
        "".join(pieces) + text[end:],
        missing=tuple(name for name in by_placeholder if not uses[name]),
        repeated=tuple(name for name in by_placeholder if uses[name] > 1),
        unknown=tuple(name for name in uses if name not in by_placeholder),
    )


def _joins(value: Value, neighbour: str, beside: str, *, inner: str) -> bool:
    """Whether the blank beside a placeholder goes; `beside` are it and the character after it.

    Tags of the kind `inner` enclose what is on this side.
    """
    if not neighbour or len(beside) < 2 or beside[0] != " ":
        return False
    if value.placeholder.startswith("⟦tag"):
        kind = _TAG.match(value.text)
        if kind and kind[0] == inner and not value.text.endswith("/>"):
            return True
        if beside[1].isalnum() and neighbour.isalnum():
            return True
    return beside[1].casefold() == neighbour.casefold()
