"""The corpus room by definition: one pair at a time, sets of strings, no hashes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from miriam.corpus.bitext import Pair
from miriam.corpus.clean import Cleaning


def tokens(line: str) -> list[str]:
    """The tokens of a line: what stands between blanks and tabs."""
    return [token for token in line.replace("\t", " ").split(" ") if token]


def clean_obvious(pairs: Sequence[Pair], settings: Cleaning) -> tuple[list[Pair], Counter[str]]:
    """The pairs that are kept, and how many were dropped for which reason."""
    kept: list[Pair] = []
    dropped = Counter[str]()
    for pair in pairs:
        source, target = tokens(pair.source), tokens(pair.target)
        clean = Pair(" ".join(source), " ".join(target), pair.domain)
        lengths = sorted([len(source), len(target)])
        if lengths[0] == 0:
            dropped["empty"] += 1
        elif lengths[0] < settings.min_length:
            dropped["short"] += 1
        elif lengths[1] > settings.max_length:
            dropped["long"] += 1
        elif lengths[1] / lengths[0] > settings.max_ratio:
            dropped["ratio"] += 1
        elif any(len(token) > settings.max_token for token in source + target):
            dropped["token"] += 1
        elif settings.deduplicate and clean[:2] in [other[:2] for other in kept]:
            dropped["duplicate"] += 1
        else:
            kept.append(clean)
    return kept, dropped


def components_obvious(pairs: Sequence[tuple[object, object]]) -> set[frozenset[int]]:
    """The sets of pairs that are linked by common sources or targets."""
    groups = [{i} for i in range(len(pairs))]
    for i, (source, target) in enumerate(pairs):
        for j in range(i):
            if source == pairs[j][0] or target == pairs[j][1]:
                one = next(group for group in groups if i in group)
                other = next(group for group in groups if j in group)
                if one is not other:
                    groups.remove(other)
                    one |= other
    return set(map(frozenset, groups))


def decay_obvious(
    pool: Sequence[str], text: Sequence[str], count: int, longest: int
) -> list[tuple[int, float]]:
    """Feature-decay selection, with every line scored anew before each choice."""

    def ngrams(line: str) -> Counter[tuple[str, ...]]:
        w = line.split()
        return Counter(
            tuple(w[i : i + n]) for n in range(1, longest + 1) for i in range(len(w) - n + 1)
        )

    features = {f for line in text for f in ngrams(line)}
    words = sum(len(line.split()) for line in pool)
    of_line = [{f: n for f, n in ngrams(line).items() if f in features} for line in pool]
    totals = sum((Counter(of) for of in of_line), Counter[tuple[str, ...]]())
    had = Counter[tuple[str, ...]]()
    chosen: list[tuple[int, float]] = []
    while len(chosen) < count:
        scores = [
            sum(math.log(words / totals[f]) / (1 + had[f]) * n for f, n in of.items())
            / max(len(line.split()), 1)
            for line, of in zip(pool, of_line, strict=True)
        ]
        left = [i for i in range(len(pool)) if i not in dict(chosen) and scores[i] > 0]
        if not left:
            break
        best = max(left, key=lambda i: scores[i])
        chosen.append((best, scores[best]))
        had.update(of_line[best])
    return chosen
