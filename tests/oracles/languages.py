"""Made-up pairs of languages whose true word alignment is known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Pair = tuple[list[str], list[str], set[tuple[int, int]]]  # source, target, links
Rng = np.random.Generator


def lexicon(rng: Rng, words: int) -> list[tuple[list[str], np.ndarray]]:
    """For each source word its translations and their probabilities; some are shared."""
    entries = []
    for word in range(words):
        count = int(rng.integers(1, 5))
        options = [f"t{word}.{k}" for k in range(count)]
        if rng.random() < 0.3:
            options[0] = f"t{rng.integers(words)}.0"  # a translation of another word as well
        entries.append((options, rng.dirichlet(np.full(count, 0.7))))
    return entries


def sentence(rng: Rng, words: int, length: int) -> list[int]:
    """Words by Zipf's law: the frequent ones often occur twice in a sentence."""
    ranks = np.arange(1, words + 1)
    weights = 1.0 / (ranks + 2.0)
    return [int(w) for w in rng.choice(words, length, p=weights / weights.sum())]


def translate(rng: Rng, entry: tuple[list[str], np.ndarray]) -> str:
    options, weights = entry
    return str(rng.choice(options, p=weights))


def hidden_markov(rng: Rng, pairs: int, words: int = 1000) -> list[Pair]:
    """Each target word is spurious, or translates a source word near the last one's."""
    entries = lexicon(rng, words)
    rows: list[Pair] = []
    for _ in range(pairs):
        source = sentence(rng, words, int(rng.integers(4, 25)))
        target: list[str] = []
        links: set[tuple[int, int]] = set()
        position = -1
        for _ in range(max(1, len(source) + int(rng.integers(-3, 4)))):
            if rng.random() < 0.12:
                target.append(f"x{int(rng.zipf(1.6)) % 20}")
                continue
            distances = np.arange(len(source)) - position
            weights = np.where(
                distances > 0, 0.5 ** (distances - 1.0), 0.1 * 0.6 ** (-1.0 * distances)
            )
            position = int(rng.choice(len(source), p=weights / weights.sum()))
            links.add((position, len(target)))
            target.append(translate(rng, entries[source[position]]))
        rows.append(([f"s{w}" for w in source], target, links))
    return rows


def blocks(rng: Rng, pairs: int, words: int = 1000) -> list[Pair]:
    """Blocks change places, words become none, one, two or three, others are put in between.

    No HMM: reordering is recursive, a word's fertility is its own, and spurious words stand by
    their left neighbour.
    """
    entries = lexicon(rng, words)
    fertility = rng.choice(4, words, p=[0.06, 0.72, 0.17, 0.05])
    spurious = rng.random(words) < 0.1
    rows: list[Pair] = []
    for _ in range(pairs):
        source = sentence(rng, words, int(rng.integers(4, 25)))
        target: list[str] = []
        links: set[tuple[int, int]] = set()
        for position in reorder(rng, 0, len(source)):
            word = source[position]
            for k in range(fertility[word]):
                links.add((position, len(target)))
                target.append(translate(rng, entries[word]) + "'" * k)
            if spurious[word] and rng.random() < 0.7:
                target.append(f"x{word % 7}")
        if target:
            rows.append(([f"s{w}" for w in source], target, links))
    return rows


def reorder(rng: Rng, begin: int, end: int) -> list[int]:
    """The positions of a span in their new order: halves of halves, swapped now and then."""
    if end - begin <= 1:
        return list(range(begin, end))
    middle = int(rng.integers(begin + 1, end))
    halves = [reorder(rng, begin, middle), reorder(rng, middle, end)]
    swapped = rng.random() < (0.3 if end - begin <= 6 else 0.12)
    first, second = reversed(halves) if swapped else halves
    return first + second


GENERATORS: dict[str, Callable[[Rng, int], list[Pair]]] = {
    "hidden_markov": hidden_markov,
    "blocks": blocks,
}
