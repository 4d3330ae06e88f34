"""Hierarchical rules by definition (Chiang 2007, section 3.2): every way to take phrases out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from oracles.rules import Lexicon, Link, Pair, Span, Words, spans

GAPS = ("[X,1]", "[X,2]")


@dataclass(frozen=True)
class Limits:
    """Which rules there are."""

    max_length: int = 10
    max_symbols: int = 5
    max_gaps: int = 2
    adjacent: bool = False
    tight: bool = True
    least_links: int = 1


@dataclass
class Counts:
    """What is counted of a rule."""

    count: Fraction = Fraction(0)
    links: dict[frozenset[Link], Fraction] = field(default_factory=lambda: defaultdict(Fraction))


def initial(pair: Pair, limits: Limits) -> list[Span]:
    """The phrase pairs that rules are made of."""
    source, target = {f for f, _ in pair.links}, {e for _, e in pair.links}
    return [
        (f1, f2, e1, e2)
        for f1, f2, e1, e2 in spans(pair, limits.max_length)
        if not limits.tight or ({f1, f2} <= source and {e1, e2} <= target)
    ]


def rules_of(
    pair: Pair, whole: Span, phrases: Sequence[Span], limits: Limits
) -> Iterator[tuple[Words, Words, frozenset[Link]]]:
    """The rules of one phrase pair: source, target, and links between their places."""
    f1, f2, e1, e2 = whole
    inside = [
        (a1, a2, b1, b2)
        for a1, a2, b1, b2 in phrases
        if f1 <= a1 and a2 <= f2 and e1 <= b1 and b2 <= e2 and (a1, a2, b1, b2) != whole
    ]
    for number in range(limits.max_gaps + 1):
        for gaps in combinations(sorted(inside), number):
            sources = [{*range(a1, a2 + 1)} for a1, a2, _, _ in gaps]
            targets = [{*range(b1, b2 + 1)} for _, _, b1, b2 in gaps]
            if number == 2 and (sources[0] & sources[1] or targets[0] & targets[1]):
                continue
            if number == 2 and not limits.adjacent and gaps[0][1] + 1 == gaps[1][0]:
                continue
            # Each place of the rule: the words of the sentence that it covers.
            source = sorted(
                [*sources, *({f} for f in range(f1, f2 + 1) if not _in(f, sources))], key=min
            )
            target = sorted(
                [*targets, *({e} for e in range(e1, e2 + 1) if not _in(e, targets))], key=min
            )
            links = frozenset(
                (source.index({f}), target.index({e}))
                for f, e in pair.links
                if f1 <= f <= f2 and not _in(f, sources)
            )
            if len(source) <= limits.max_symbols and len(links) >= limits.least_links:
                yield (
                    _side(source, sources, pair.source),
                    _side(target, targets, pair.target),
                    links,
                )


def _in(word: int, gaps: Sequence[set[int]]) -> bool:
    return any(word in gap for gap in gaps)


def _side(places: Sequence[set[int]], gaps: Sequence[set[int]], words: Words) -> Words:
    return tuple(
        GAPS[next(i for i, gap in enumerate(gaps) if gap is place)]
        if any(gap is place for gap in gaps)
        else words[min(place)]
        for place in places
    )


def extract(corpus: Sequence[Pair], limits: Limits) -> dict[tuple[Words, Words], Counts]:
    """All rules of a corpus: each phrase pair's count of 1 is shared out over its rules."""
    counts: dict[tuple[Words, Words], Counts] = defaultdict(Counts)
    for pair in corpus:
        phrases = initial(pair, limits)
        for whole in phrases:
            rules = list(rules_of(pair, whole, phrases, limits))
            for source, target, links in rules:
                counts[source, target].count += Fraction(1, len(rules))
                counts[source, target].links[links] += Fraction(1, len(rules))
    return counts


def weights(
    lexicon: Lexicon, source: Words, target: Words, links: frozenset[Link]
) -> tuple[float, float]:
    """Lexical weights over the words of a rule, as if it had no gaps."""
    places = [[i for i, w in enumerate(side) if w not in GAPS] for side in (source, target)]
    return lexicon.weights(
        tuple(source[i] for i in places[0]),
        tuple(target[j] for j in places[1]),
        frozenset((places[0].index(i), places[1].index(j)) for i, j in links),
    )


def matches(side: Words, sentence: Words, max_span: int) -> bool:
    """Whether a source side covers some words of a sentence, at most so many."""

    def covers(symbols: Words, words: Words) -> bool:
        if not symbols or not words:
            return not symbols and not words
        if symbols[0] in GAPS:
            return any(covers(symbols[1:], words[n:]) for n in range(1, len(words) + 1))
        return symbols[0] == words[0] and covers(symbols[1:], words[1:])

    return any(
        covers(side, sentence[begin:end])
        for begin in range(len(sentence))
        for end in range(begin + 1, min(begin + max_span, len(sentence)) + 1)
    )
