"""Sentence-level metrics by their formulas, on lists of tokens."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cache

Tokens = Sequence[Hashable]


def ngrams(tokens: Tokens, n: int) -> Counter[tuple[Hashable, ...]]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def bleu_stats(candidate: Tokens, references: Sequence[Tokens], *, shortest: bool) -> list[int]:
    """Length, reference length, clipped matches of 1- to 4-grams, totals (Papineni, 2002)."""
    matches, totals = [], []
    for n in range(1, 5):
        most: Counter[tuple[Hashable, ...]] = Counter()
        for reference in references:
            most |= ngrams(reference, n)
        matches.append((ngrams(candidate, n) & most).total())
        totals.append(ngrams(candidate, n).total())
    lengths = sorted(len(reference) for reference in references)
    closest = min(lengths, key=lambda length: (abs(length - len(candidate)), length))
    return [len(candidate), lengths[0] if shortest else closest, *matches, *totals]


def bleu_plus_one(
    candidate: Tokens,
    references: Sequence[Tokens],
    *,
    smooth_unigrams: bool,
    smooth_length: bool,
    shortest: bool,
    scale: bool,
) -> float:
    """Lin and Och (2004); Nakov et al. (2012) for the two ways to smooth more."""
    length, reference, *counts = bleu_stats(candidate, references, shortest=shortest)
    if length == 0:
        return 0.0
    logs = 0.0
    for n in range(1, 5):
        plus = 1 if n > 1 or smooth_unigrams else 0
        precision = (counts[n - 1] + plus) / (counts[3 + n] + plus)
        if precision == 0:
            return 0.0
        logs += math.log(precision) / 4
    penalty = min(0.0, 1 - (reference + smooth_length) / length)
    return math.exp(penalty + logs) * (min(map(len, references)) if scale else 1)


def edit_distance(a: Tokens, b: Tokens) -> int:
    """Insertions, deletions and substitutions (Levenshtein, 1966), by definition."""

    @cache
    def distance(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return i + j
        return min(
            distance(i - 1, j) + 1,
            distance(i, j - 1) + 1,
            distance(i - 1, j - 1) + (a[i - 1] != b[j - 1]),
        )

    return distance(len(a), len(b))


def error_stats(candidate: Tokens, references: Sequence[Tokens]) -> list[int]:
    """Edits and length of the reference with the lowest rate; of equals, with fewest edits."""

    def rate(edits: int, length: int) -> float:
        return edits / length if length else (math.inf if edits else 0.0)

    pairs = [(edit_distance(candidate, reference), len(reference)) for reference in references]
    return [*min(pairs, key=lambda pair: (rate(*pair), pair[0]))]


def chrf_stats(candidate: str, references: Sequence[str], order: int, beta: float) -> list[int]:
    """Per order n-grams of candidate, best reference and both (Popović, 2015)."""
    best: list[int] = []
    for text in references:
        stats: list[int] = []
        for n in range(1, order + 1):
            ours = ngrams("".join(candidate.split()), n)
            theirs = ngrams("".join(text.split()), n)
            stats += [ours.total() if theirs else 0, theirs.total(), (ours & theirs).total()]
        if not best or chrf(stats, beta) > chrf(best, beta):
            best = stats
    return best


def chrf(stats: Sequence[float], beta: float) -> float:
    """F_beta of mean precision and mean recall, over the orders that both sides have."""
    triples = [stats[i : i + 3] for i in range(0, len(stats), 3) if stats[i] and stats[i + 1]]
    if not triples:
        return 0.0
    precision = sum(both / ours for ours, _, both in triples) / len(triples)
    recall = sum(both / theirs for _, theirs, both in triples) / len(triples)
    if precision + recall == 0:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
