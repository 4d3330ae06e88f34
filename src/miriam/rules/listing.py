"""The rules of a table in the order of their text, for files of text.

Lines are sorted as `LC_ALL=C sort` sorts them, which Moses' own tools expect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from miriam.lexicon.vocabulary import MappedVocabulary
from miriam.progress import Report
from miriam.rules.table import RuleTable

__all__ = ["Line", "Rows", "Texts", "listed", "text_order", "texts_of"]

BLOCK_SOURCES = 10_000

Line: TypeAlias = tuple[str, str]
"""A line, behind what it is sorted by among those of its source phrase."""


@dataclass(frozen=True)
class Texts:
    """Phrases and links as text, by number."""

    sources: list[str]
    targets: list[str]
    links: list[str]


@dataclass(frozen=True)
class Rows:
    """Some rules: the numbers of their parts, scores, and counts of e, of f, of both."""

    sources: list[int]
    targets: list[int]
    links: list[int]
    scores: npt.NDArray[np.float64]  # natural logs
    counts: list[list[float]]


def texts_of(table: RuleTable) -> Texts:
    """The texts of a table's parts."""
    arrays = table.container
    return Texts(
        _phrases(table.source_words, arrays["source.words"], table.heads[1:, 0]),
        _phrases(table.target_words, arrays["target.words"], arrays["target.ends"]),
        _links(arrays["link.points"], arrays["link.ends"]),
    )


def text_order(sources: Sequence[str]) -> list[int]:
    """The numbers of the source phrases in the order of their lines."""
    return sorted(range(len(sources)), key=lambda i: f"{sources[i]} |||".encode())


def _phrases(words: MappedVocabulary, ids: np.ndarray, ends: np.ndarray) -> list[str]:
    names = [words.word(number) for number in range(len(words))]
    flat, texts, begin = ids.tolist(), [], 0
    for end in ends.tolist():
        texts.append(" ".join([names[i] for i in flat[begin:end]]))
        begin = end
    return texts


def _links(points: np.ndarray, ends: np.ndarray) -> list[str]:
    flat, texts, begin = points.tolist(), [], 0
    for end in ends.tolist():
        texts.append(" ".join(f"{flat[i]}-{flat[i + 1]}" for i in range(begin, end, 2)))
        begin = end
    return texts


def listed(
    table: RuleTable,
    order: Sequence[int],
    lines_of: Callable[[Rows], list[Line]],
    *,
    step: str,
    report: Report,
) -> Iterator[list[bytes]]:
    """For each source phrase, in this order, its lines; those of some at a time are in memory."""
    begins = table.heads[:, 1].astype(np.int64)
    for start in range(0, len(order), BLOCK_SOURCES):
        report(step, start, len(order))
        numbers = np.array(order[start : start + BLOCK_SOURCES])
        sizes = begins[numbers + 1] - begins[numbers]
        last = np.cumsum(sizes)
        rows = np.repeat(begins[numbers] - last + sizes, sizes) + np.arange(last[-1])
        lines = [
            (key.encode(), line.encode() + b"\n")
            for key, line in lines_of(_rows(table, np.repeat(numbers, sizes), rows))
        ]
        for begin, end in pairwise([0, *last.tolist()]):
            yield [line for _, line in sorted(lines[begin:end])]
    report(step, len(order), len(order))


def _rows(table: RuleTable, sources: np.ndarray, rows: np.ndarray) -> Rows:
    arrays = table.container
    targets = arrays["rule.target"][rows]
    counts = np.stack(
        [arrays["target.counts"][targets], arrays["source.counts"][sources],
         arrays["rule.count"][rows]], axis=1,
    )  # fmt: skip
    return Rows(
        sources.tolist(),
        targets.tolist(),
        arrays["rule.links"][rows].tolist(),
        table.scores[rows].astype(np.float64),
        counts.tolist(),
    )
