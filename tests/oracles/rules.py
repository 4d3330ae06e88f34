"""Phrase rules by definition: every span is tried, every sum is written out."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

Link = tuple[int, int]
Words = tuple[str, ...]
Span = tuple[int, int, int, int]  # first and last source word, first and last target word
NULL = None
MONOTONE, SWAP, LEFT, RIGHT = range(4)


@dataclass(frozen=True)
class Pair:
    """An aligned sentence pair."""

    source: Words
    target: Words
    links: frozenset[Link]
    domain: str = ""


@dataclass
class Rule:
    """What is counted of a phrase pair."""

    count: int = 0
    links: Counter[frozenset[Link]] = field(default_factory=Counter)
    previous: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    next: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    domains: set[str] = field(default_factory=set)


def spans(pair: Pair, limit: int) -> Iterator[Span]:
    """The consistent pairs of spans of at most `limit` words: links inside, none leads out."""
    for f1, e1 in product(range(len(pair.source)), range(len(pair.target))):
        for f2 in range(f1, min(f1 + limit, len(pair.source))):
            for e2 in range(e1, min(e1 + limit, len(pair.target))):
                inside = [(f1 <= f <= f2, e1 <= e <= e2) for f, e in pair.links]
                if (True, True) in inside and all(a == b for a, b in inside):
                    yield f1, f2, e1, e2


def orientations(span: Span, pair: Pair, blocks: Iterable[Span], kind: str) -> tuple[int, int]:
    """The orientations with the previous and the next block, as Moses learns them.

    `kind` is wbe (`blocks` do not matter), phrase (blocks of bounded length), hier (of any length)
    or symmetric (of any length, by the definition of Galley and Manning).
    """
    if kind == "symmetric":
        return symmetric(span, pair, blocks)
    f1, f2, e1, e2 = span
    last = len(pair.source) - 1
    links = {*pair.links, (-1, -1), (last + 1, len(pair.target))}
    if kind == "wbe":
        lefts = rights = set(pair.links)
        corners = False
    else:
        # Where blocks that end in a target word begin and end on the source side.
        lefts = {(f1, e2) for f1, _, _, e2 in blocks}
        rights = {(f2, e2) for _, f2, _, e2 in blocks}
        corners = True

    def decide(
        mono: Link, swap: Link, mono_blocks: set[Link], swap_blocks: set[Link],
        beyond_mono: Iterable[int], beyond_swap: Iterable[int],
    ) -> int:  # fmt: skip
        row = mono[1]
        if mono in links and swap not in links:
            return MONOTONE
        if corners and mono in mono_blocks:
            return MONOTONE
        if swap in links and mono not in links:
            return SWAP
        if corners and swap in swap_blocks:
            return SWAP
        if any((f, row) in mono_blocks for f in beyond_mono):
            return RIGHT
        if any((f, row) in swap_blocks for f in beyond_swap):
            return LEFT
        return RIGHT

    previous = decide(
        (f1 - 1, e1 - 1), (f2 + 1, e1 - 1), rights, lefts,
        range(f1 - 1), range(f2 + 2, last),
    )  # fmt: skip
    following = decide(
        (f2 + 1, e2 + 1), (f1 - 1, e2 + 1), lefts, rights,
        range(f2 + 2, last + 1), range(f1 - 1),
    )  # fmt: skip
    return previous, following


def symmetric(span: Span, pair: Pair, blocks: Iterable[Span]) -> tuple[int, int]:
    """The orientations by definition: which block touches the span, and where; both is neither."""
    f1, f2, e1, e2 = span
    blocks = [*blocks, (-1, -1, -1, -1), (len(pair.source),) * 2 + (len(pair.target),) * 2]
    before = [(a1, a2) for a1, a2, _, b2 in blocks if b2 == e1 - 1]
    after = [(a1, a2) for a1, a2, b1, _ in blocks if b1 == e2 + 1]

    def decide(mono: bool, swap: bool, left: bool) -> int:
        if mono != swap:
            return MONOTONE if mono else SWAP
        return LEFT if left else RIGHT

    return (
        decide(
            any(a2 == f1 - 1 for _, a2 in before),
            any(a1 == f2 + 1 for a1, _ in before),
            any(a1 > f2 for a1, _ in before if a1 < len(pair.source)),
        ),
        decide(
            any(a1 == f2 + 1 for a1, _ in after),
            any(a2 == f1 - 1 for _, a2 in after),
            any(0 <= a2 < f1 for _, a2 in after),
        ),
    )


def extract(
    corpus: Sequence[Pair], max_length: int = 7, kinds: Sequence[str] = ()
) -> dict[tuple[Words, Words], Rule]:
    """All rules of a corpus with their counts."""
    rules: dict[tuple[Words, Words], Rule] = defaultdict(Rule)
    for pair in corpus:
        longest = len(pair.source) + len(pair.target) if set(kinds) - {"wbe", "phrase"} else 0
        everything = list(spans(pair, max(longest, max_length)))
        extracted = [s for s in everything if s[1] - s[0] < max_length and s[3] - s[2] < max_length]
        for f1, f2, e1, e2 in extracted:
            rule = rules[pair.source[f1 : f2 + 1], pair.target[e1 : e2 + 1]]
            rule.count += 1
            rule.links[frozenset((f - f1, e - e1) for f, e in pair.links if f1 <= f <= f2)] += 1
            if pair.domain:
                rule.domains.add(pair.domain)
            for kind in kinds:
                blocks = extracted if kind == "phrase" else everything
                previous, following = orientations((f1, f2, e1, e2), pair, blocks, kind)
                rule.previous[kind][previous] += 1
                rule.next[kind][following] += 1
    return rules


class Lexicon:
    """w(e|f) and w(f|e): relative frequencies of links; words without links are linked to NULL."""

    def __init__(self, corpus: Sequence[Pair]) -> None:
        self.counts: Counter[tuple[str | None, str | None]] = Counter()
        for pair in corpus:
            for f, e in pair.links:
                self.counts[pair.source[f], pair.target[e]] += 1
            for f, word in enumerate(pair.source):
                self.counts[word, NULL] += all(f != i for i, _ in pair.links)
            for e, word in enumerate(pair.target):
                self.counts[NULL, word] += all(e != j for _, j in pair.links)
        self.source: Counter[str | None] = Counter()
        self.target: Counter[str | None] = Counter()
        for (source, target), n in self.counts.items():
            self.source[source] += n
            self.target[target] += n

    def w_target(self, e: str | None, f: str | None) -> Fraction:
        return Fraction(self.counts[f, e], self.source[f])

    def w_source(self, f: str | None, e: str | None) -> Fraction:
        return Fraction(self.counts[f, e], self.target[e])

    def weights(self, source: Words, target: Words, links: frozenset[Link]) -> tuple[float, float]:
        """lex(f|e) and lex(e|f): Koehn, Och and Marcu 2003, equation 4."""
        forward = backward = 1.0
        for i, f in enumerate(source):
            linked: list[str | None] = [target[b] for a, b in links if a == i]
            linked = linked or [NULL]
            backward *= float(sum(self.w_source(f, e) for e in linked) / len(linked))
        for j, e in enumerate(target):
            other: list[str | None] = [source[a] for a, b in links if b == j]
            other = other or [NULL]
            forward *= float(sum(self.w_target(e, f) for f in other) / len(other))
        return backward, forward


def smoothed(counts: Counter[int], classes: int, smoothing: float = 0.5) -> list[float]:
    """ln of the smoothed relative frequencies; of three classes, left and right are one."""
    numbers = [counts[i] for i in range(4)]
    if classes == 3:
        numbers = [numbers[0], numbers[1], numbers[2] + numbers[3]]
    total = sum(numbers) + smoothing * classes
    return [math.log((n + smoothing) / total) for n in numbers]


def best_links(rule: Rule) -> list[frozenset[Link]]:
    """The most frequent sets of links."""
    most = max(rule.links.values())
    return [links for links, n in rule.links.items() if n == most]


def sentences_with(phrase: Words, sentences: Sequence[Words]) -> set[int]:
    """The numbers of the sentences that contain a phrase."""
    n = len(phrase)
    return {
        number
        for number, words in enumerate(sentences)
        if any(words[i : i + n] == phrase for i in range(len(words) - n + 1))
    }
