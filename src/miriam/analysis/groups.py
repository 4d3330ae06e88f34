"""Scores of parts of a corpus: sentences by their length, words by their frequency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from miriam.metrics import Metric, Stats

__all__ = ["Groups", "by_frequency", "by_length"]

LENGTHS = (1, 6, 11, 16, 21, 26, 31, 41, 51)  # the first of each group
FREQUENCIES = (0, 1, 2, 6, 21, 101, 1001)


@dataclass(frozen=True)
class Groups:
    """What each system scores in each group that has something in it."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    scores: Mapping[str, tuple[float, ...]]


def by_length(metric: Metric, stats: Mapping[str, Stats], lengths: Sequence[int]) -> Groups:
    """The corpus score of sentences by length; `stats` are each system's, `[sentences, k]`.

    >>> from miriam.metrics import Wer
    >>> stats = {"ours": np.array([[1.0, 4.0], [0.0, 5.0], [2.0, 8.0]])}
    >>> by_length(Wer(), stats, [4, 5, 8])
    Groups(names=('1–5', '6–10'), sizes=(2, 1), scores={'ours': (11.11111111111111, 25.0)})
    """
    group = np.searchsorted(LENGTHS, np.asarray(lengths), side="right") - 1
    there = [g for g in range(len(LENGTHS)) if (group == g).any()]
    return Groups(
        tuple(_range(LENGTHS, g) for g in there),
        tuple(int((group == g).sum()) for g in there),
        {
            name: tuple(float(metric.score(rows[group == g].sum(axis=0))) for g in there)
            for name, rows in stats.items()
        },
    )


def by_frequency(
    systems: Mapping[str, Sequence[Sequence[str]]],
    references: Sequence[Sequence[Sequence[str]]],
    frequency: Callable[[str], int],
) -> Groups:
    """How well words are found, by how often training has seen them: F₁ in percent.

    A word of a translation is right as often as one reference has it; the share of right words is
    the precision. The recall is the same of each reference, and of several the mean.
    `references[i]` are those of sentence i.

    >>> counts = {"a": 500, "dog": 3}
    >>> by_frequency({"ours": [["a", "cat"]]}, [[["a", "dog"]]], lambda w: counts.get(w, 0))
    Groups(names=('0', '2–5', '101–1000'), sizes=(0, 1, 1), scores={'ours': (0.0, 0.0, 100.0)})
    """
    known: dict[str, int] = {}

    def group(word: str) -> int:
        if word not in known:
            known[word] = int(np.searchsorted(FREQUENCIES, frequency(word), side="right")) - 1
        return known[word]

    tables = {
        name: _word_table(sentences, references, group) for name, sentences in systems.items()
    }
    present = sum(table[:, :2].sum(axis=1) for table in tables.values())
    there = [g for g in range(len(FREQUENCIES)) if np.asarray(present)[g]]
    sizes = next(iter(tables.values()))[:, 1] / max(1, len(references[0]) if references else 1)
    return Groups(
        tuple(_range(FREQUENCIES, g) for g in there),
        tuple(round(float(sizes[g])) for g in there),
        {name: tuple(_f1(table[g]) for g in there) for name, table in tables.items()},
    )


def _word_table(
    sentences: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    group: Callable[[str], int],
) -> np.ndarray:
    """By group: words produced, words of all references, right ones, those found of references."""
    table = np.zeros((len(FREQUENCIES), 4))
    for words, known in zip(sentences, references, strict=True):
        produced = Counter(words)
        wanted = [Counter(reference) for reference in known]
        for word, count in produced.items():
            best = max((counter[word] for counter in wanted), default=0)
            table[group(word), [0, 2]] += count, min(count, best)
        for counter in wanted:
            for word, count in counter.items():
                table[group(word), [1, 3]] += count, min(count, produced[word])
    return table


def _f1(row: np.ndarray) -> float:
    produced, wanted, right, found = row.tolist()
    precision = right / produced if produced else 0.0
    recall = found / wanted if wanted else 0.0
    return 200 * precision * recall / (precision + recall) if precision + recall else 0.0


def _range(starts: Sequence[int], group: int) -> str:
    first = starts[group]
    if group + 1 == len(starts):
        return f"≥ {first}"
    last = starts[group + 1] - 1
    return str(first) if first == last else f"{first}–{last}"
