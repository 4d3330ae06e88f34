"""Alignment models by the book: every alignment of a sentence pair enumerated, sets for links."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import digamma

FLOOR = 1e-7  # the least probability of a translation

Words = Sequence[int]
# prior(j, sentence pair's alignment so far, I, J): probability of a_j = 0 (NULL), 1 … I
PathProbability = Callable[[Sequence[int], int], float]


def uniform(path: Sequence[int], given: int) -> float:
    """IBM 1: the probability of an alignment, NULL being position 0."""
    return float((given + 1) ** -len(path))


def diagonal(tension: float, null: float) -> PathProbability:
    """Dyer, Chahuneau and Smith (2013), equation 1."""

    def probability(path: Sequence[int], given: int) -> float:
        result = 1.0
        for j, position in enumerate(path, 1):
            if position == 0:
                result *= null
                continue
            weights = [
                math.exp(-tension * abs(i / given - j / len(path))) for i in range(1, given + 1)
            ]
            result *= (1 - null) * weights[position - 1] / sum(weights)
        return result

    return probability


def jumps(weights: Sequence[float], null: float) -> PathProbability:
    """The HMM: jumps from the last position that was not NULL, the start being position 0."""
    window = len(weights) // 2

    def weight(distance: int) -> float:
        return weights[window + max(-window, min(window, distance))]

    def probability(path: Sequence[int], given: int) -> float:
        result, last = 1.0, 0
        for position in path:
            if position == 0:
                result *= null
                continue
            total = sum(weight(i - last) for i in range(1, given + 1))
            result *= (1 - null) * weight(position - last) / total
            last = position
        return result

    return probability


@dataclass
class Translations:
    """Probabilities of one direction; given word None is NULL."""

    observed_words: int
    t: dict[tuple[int | None, int], float] | None = None  # before EM: all alike

    def __call__(self, given: int | None, observed: int) -> float:
        if self.t is None:
            return 1 / self.observed_words
        return max(FLOOR, self.t.get((given, observed), 0.0))


def paths(
    given: Words, observed: Words, translations: Translations, prior: PathProbability
) -> dict[tuple[int, ...], float]:
    """All alignments of a sentence pair and their joint probabilities with the observed words."""
    words = [None, *given]
    return {
        path: prior(path, len(given))
        * math.prod(translations(words[i], f) for i, f in zip(path, observed, strict=True))
        for path in itertools.product(range(len(given) + 1), repeat=len(observed))
    }


def posteriors(joint: dict[tuple[int, ...], float], given: int, observed: int) -> np.ndarray:
    """P(a_j = i), [observed, 1 + given]."""
    result = np.zeros((observed, given + 1))
    for path, probability in joint.items():
        for j, i in enumerate(path):
            result[j, i] += probability
    return result / sum(joint.values())


Bitext = list[tuple[list[int], list[int]]]


@dataclass
class Em:
    """Both directions of a model over a bitext: one `step` is an iteration of EM."""

    bitext: Bitext
    forward: Translations
    reverse: Translations
    agree: bool = False
    alpha: float = 0.0

    def step(self, forward: PathProbability, reverse: PathProbability) -> tuple[float, float]:
        """Reestimate the translations; the log-likelihoods before that."""
        counts: list[defaultdict[tuple[int | None, int], float]] = [
            defaultdict(float), defaultdict(float),
        ]  # fmt: skip
        likelihoods = [0.0, 0.0]
        for source, target in self.bitext:
            if not source or not target:
                continue
            first = paths(source, target, self.forward, forward)
            second = paths(target, source, self.reverse, reverse)
            likelihoods[0] += math.log(sum(first.values()))
            likelihoods[1] += math.log(sum(second.values()))
            p = posteriors(first, len(source), len(target))
            q = posteriors(second, len(target), len(source))
            both = p[:, 1:] * q[:, 1:].T if self.agree else None
            _count(counts[0], source, target, p, both)
            _count(counts[1], target, source, q, None if both is None else both.T)
        _estimate(self.forward, counts[0], self._seen(forward=True), self.alpha)
        _estimate(self.reverse, counts[1], self._seen(forward=False), self.alpha)
        return likelihoods[0], likelihoods[1]

    def _seen(self, *, forward: bool) -> dict[int | None, set[int]]:
        """The words that each given word meets; NULL meets all."""
        seen: dict[int | None, set[int]] = defaultdict(set)
        for source, target in self.bitext:
            given, observed = (source, target) if forward else (target, source)
            for word in given:
                seen[word].update(observed)
        seen[None] = set(range((self.forward if forward else self.reverse).observed_words))
        return seen


def _count(
    counts: defaultdict[tuple[int | None, int], float],
    given: Words,
    observed: Words,
    own: np.ndarray,
    shared: np.ndarray | None,
) -> None:
    """NULL is counted by the direction's own posteriors, links by the shared ones if any."""
    for j, f in enumerate(observed):
        counts[None, f] += own[j, 0]
        for i, e in enumerate(given):
            counts[e, f] += own[j, i + 1] if shared is None else shared[j, i]


def _estimate(
    translations: Translations,
    counts: dict[tuple[int | None, int], float],
    seen: dict[int | None, set[int]],
    alpha: float,
) -> None:
    totals: dict[int | None, float] = defaultdict(float)
    for (given, _), count in counts.items():
        totals[given] += count
    translations.t = {}
    for (given, observed), count in counts.items():
        if alpha > 0:
            total = digamma(totals[given] + alpha * len(seen[given]))
            translations.t[given, observed] = math.exp(digamma(count + alpha) - total)
        else:
            translations.t[given, observed] = count / totals[given] if totals[given] else 0.0


def jump_statistics(
    joint: dict[tuple[int, ...], float], weights: Sequence[float], given: int
) -> tuple[np.ndarray, np.ndarray]:
    """Expected jumps of each weight, and what they would be if all weights were one, over Z."""
    window = len(weights) // 2
    taken, expected = np.zeros(len(weights)), np.zeros(len(weights))
    total = sum(joint.values())

    def bin_of(distance: int) -> int:
        return window + max(-window, min(window, distance))

    for path, probability in joint.items():
        last = 0
        for position in filter(None, path):
            bins = [bin_of(i - last) for i in range(1, given + 1)]
            z = sum(weights[b] for b in bins)
            taken[bin_of(position - last)] += probability / total
            for b in bins:
                expected[b] += probability / total / z
            last = position
    return taken, expected


def forward_backward(
    translation: np.ndarray, weights: Sequence[float], null: float
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """The HMM by matrices: log-likelihood, posteriors and jump statistics of a sentence pair.

    `translation` is [observed, 1 + given], NULL first; states are positions 0 … I, each once for
    words that are translated there and once for NULL.
    """
    observed, given = translation.shape[0], translation.shape[1] - 1
    window = len(weights) // 2
    distance = np.arange(given + 1)[None, :] - np.arange(given + 1)[:, None]
    bins = window + np.clip(distance, -window, window)
    jump = np.asarray(weights)[bins]
    jump[:, 0] = 0.0
    z = jump.sum(axis=1)
    jump = (1 - null) * jump / z[:, None]
    alpha = np.zeros((observed + 1, 2, given + 1))  # after j words; 0: translated here, 1: NULL
    alpha[0, 1, 0] = 1.0
    beta = np.ones((observed + 1, given + 1))
    stay = null * translation[:, 0]
    for j in range(observed):
        state = alpha[j].sum(axis=0)
        alpha[j + 1] = (state @ jump) * translation[j], stay[j] * state
        alpha[j + 1, 0, 0] = 0.0
    for j in reversed(range(observed)):
        beta[j] = jump @ (translation[j] * beta[j + 1]) + stay[j] * beta[j + 1]
    total = alpha[-1].sum()
    gamma = alpha[1:] * beta[1:, None] / total
    result = gamma[:, 0].copy()
    result[:, 0] = gamma[:, 1].sum(axis=1)
    edges = np.zeros_like(jump)
    for j in range(observed):
        edges += alpha[j].sum(axis=0)[:, None] * jump * (translation[j] * beta[j + 1]) / total
    taken = np.bincount(bins[:, 1:].ravel(), edges[:, 1:].ravel(), minlength=len(weights))
    left = np.repeat(edges.sum(axis=1) / z, given)
    expected = np.bincount(bins[:, 1:].ravel(), left, minlength=len(weights))
    return math.log(total), result, taken, expected


Set = set[tuple[int, int]]


def symmetrise(forward: Set, reverse: Set, how: str) -> Set:
    """Koehn, Och and Marcu (2003) with sets: GROW-DIAG and FINAL as Moses documents them."""
    union = forward | reverse
    links = forward & reverse
    if how == "union":
        return union
    if how == "intersection":
        return links

    def aligned(source: int | None = None, target: int | None = None) -> bool:
        return any(i == source or j == target for i, j in links)

    steps = [(0, -1), (-1, 0), (0, 1), (1, 0)]  # source, target
    if how != "grow":
        steps += [(-1, -1), (1, -1), (-1, 1), (1, 1)]
    sources, targets = (
        range(max((i for i, _ in union), default=-1) + 1),
        range(max((j for _, j in union), default=-1) + 1),
    )
    added = True
    while added:
        added = False
        for j, i in itertools.product(targets, sources):
            if (i, j) not in links:
                continue
            for down, right in steps:
                new = (i + down, j + right)
                if new in union and not (aligned(source=new[0]) and aligned(target=new[1])):
                    links.add(new)
                    added = True
    if how.startswith("grow-diag-final"):
        for side in (forward, reverse):
            for i, j in sorted(side, key=lambda link: (link[1], link[0])):
                free = (not aligned(source=i), not aligned(target=j))
                if all(free) if how.endswith("and") else any(free):
                    links.add((i, j))
    return links


def error_rate(found: Sequence[Set], gold: Sequence[Set]) -> float:
    """The alignment error rate (Och and Ney 2003) where all links of the gold are sure."""
    shared = sum(len(a & b) for a, b in zip(found, gold, strict=True))
    return 1 - 2 * shared / (sum(map(len, found)) + sum(map(len, gold)))
