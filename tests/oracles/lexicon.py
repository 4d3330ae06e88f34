"""The one-sided class model by definition: its objective, and every single move of a word."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

START = "<s>"
RARE = "<unk>"


def zero(word: str) -> str:
    return "".join("0" if letter.isdecimal() else letter for letter in word)


def pairs(lines: Sequence[str], clip: int, zero_digits: bool) -> list[tuple[str, str]]:
    """A history and the word that is predicted after it, for each token."""
    text = [[zero(w) if zero_digits else w for w in line.split()] for line in lines]
    counts = Counter(word for line in text for word in line)
    return [
        (history, RARE if counts[word] < clip else word)
        for line in text
        for history, word in zip([START, *line], line, strict=False)
    ]


def objective(found: Sequence[tuple[str, str]], classes: Mapping[str, object]) -> float:
    """Sum of N(h,c) ln N(h,c) over histories and classes, less sum of N(c) ln N(c)."""
    together = Counter((history, classes[word]) for history, word in found)
    alone = Counter(classes[word] for _, word in found)
    return sum(n * math.log(n) for n in together.values()) - sum(
        n * math.log(n) for n in alone.values()
    )


def moves(classes: Mapping[str, int], word: str) -> Iterator[dict[str, int]]:
    """The classes after each move of a word that empties no class, and as they are."""
    yield dict(classes)
    if list(classes.values()).count(classes[word]) > 1:
        for number in set(classes.values()) - {classes[word]}:
            yield {**classes, word: number}
