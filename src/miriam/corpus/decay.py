"""Feature-decay selection: the lines of a large text that say most about a small one.

Biçici and Yuret (2011): features are the n-grams of the small text, each worth less with every line
that has it already; the best line by worth for its length is chosen next (`native/corpus/decay.hh`
has the formula).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from miriam._core.corpus import OTHER_WORD, choose_by_decay
from miriam.progress import Report, run_native, silent

__all__ = ["Chosen", "choose", "labels"]

LONGEST = 5  # words of an n-gram


class Chosen(NamedTuple):
    """Lines in the order of the choice, counted from 0, and what each scored then."""

    lines: npt.NDArray[np.uint32]
    scores: npt.NDArray[np.float64]


def choose(
    pool: Iterable[str],
    text: Iterable[str],
    count: int,
    *,
    longest: int = LONGEST,
    report: Report = silent,
) -> Chosen:
    """At most `count` lines of tokens of the pool; fewer if no other has a word of the text.

    >>> choose(["a cat", "the dog barks", "a dog", "cats"], ["the dog"], 5).lines.tolist()
    [1, 2]
    """
    numbers: dict[str, int] = {}
    wanted = _lines((numbers.setdefault(w, len(numbers)) for w in line.split()) for line in text)
    found = _lines((numbers.get(w, OTHER_WORD) for w in line.split()) for line in pool)
    task = partial(choose_by_decay, *found, *wanted, longest, count)
    return Chosen(*run_native(task, step="choosing lines", report=report))


def _lines(
    rows: Iterable[Iterable[int]],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
    """Rows one after another, and where each ends."""
    ends: list[int] = []

    def words() -> Iterator[int]:
        total = 0
        for row in rows:
            for word in row:
                total += 1
                yield word
            ends.append(total)

    items = np.fromiter(words(), np.uint32)
    return items, np.array(ends, np.uint64)


def labels(count: int, chosen: Mapping[str, npt.NDArray[np.uint32]]) -> Iterator[str]:
    """The labels of each of `count` lines: the domains that it was chosen for, with blanks between.

    >>> list(labels(3, {"law": np.array([2, 0]), "news": np.array([2])}))
    ['law', '', 'law news']
    """
    found: list[list[str]] = [[] for _ in range(count)]
    for name, lines in chosen.items():
        for line in lines.tolist():
            found[line].append(name)
    return map(" ".join, found)
