"""Hierarchical translation by definition: all derivations, each scored from beginning to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

GAPS = ("[X,1]", "[X,2]")


@dataclass(frozen=True)
class Rule:
    """Both sides, with gaps, and the logs of the scores."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    scores: tuple[float, ...] = ()
    unknown: bool = False


@dataclass(frozen=True)
class Tree:
    """A rule over the words [begin, end), and what fills its gaps in source order."""

    begin: int
    end: int
    rule: Rule
    parts: tuple[Tree, ...] = ()

    @property
    def target(self) -> tuple[str, ...]:
        """The words that it makes."""
        words: list[str] = []
        for word in self.rule.target:
            words += self.parts[GAPS.index(word)].target if word in GAPS else [word]
        return tuple(words)

    @property
    def rules(self) -> list[tuple[int, int, Rule]]:
        """Its rules with their spans, each before those in its gaps."""
        inner = [rule for part in self.parts for rule in part.rules]
        return [(self.begin, self.end, self.rule), *inner]


Derivation = tuple[Tree, ...]  # glued together, in order


def matches(
    symbols: Sequence[str], sentence: Sequence[str], begin: int, end: int
) -> Iterator[tuple[tuple[int, int], ...]]:
    """The ways in which a source side covers [begin, end): the spans of its gaps."""
    if not symbols:
        if begin == end:
            yield ()
        return
    if symbols[0] in GAPS:
        for middle in range(begin + 1, end + 1):
            for rest in matches(symbols[1:], sentence, middle, end):
                yield ((begin, middle), *rest)
    elif begin < end and sentence[begin] == symbols[0]:
        yield from matches(symbols[1:], sentence, begin + 1, end)


Allowed = Callable[[Tree], bool]


def trees(
    rules: Sequence[Rule], sentence: Sequence[str], begin: int, end: int, *, max_span: int
) -> Iterator[Tree]:
    """Every tree over [begin, end)."""
    if end - begin > max_span:
        return
    for rule in rules:
        for spans in matches(rule.source, sentence, begin, end):
            for parts in _fillings(rules, sentence, spans, max_span):
                yield Tree(begin, end, rule, parts)


def _fillings(
    rules: Sequence[Rule], sentence: Sequence[str], spans: Sequence[tuple[int, int]], max_span: int
) -> Iterator[tuple[Tree, ...]]:
    if not spans:
        yield ()
        return
    for first in trees(rules, sentence, *spans[0], max_span=max_span):
        for rest in _fillings(rules, sentence, spans[1:], max_span):
            yield (first, *rest)


def derivations(
    rules: Sequence[Rule], sentence: Sequence[str], *, max_span: int, begin: int = 0
) -> Iterator[Derivation]:
    """Every way to glue trees together."""
    if begin == len(sentence):
        yield ()
        return
    for end in range(begin + 1, len(sentence) + 1):
        for first in trees(rules, sentence, begin, end, max_span=max_span):
            for rest in derivations(rules, sentence, max_span=max_span, begin=end):
                yield (first, *rest)


def features(
    derivation: Derivation, columns: Sequence[str], lm: Callable[[str], float]
) -> dict[str, float]:
    """The dense features of a derivation, by the names of a decoder whose table is `TM`."""
    rules = [rule for tree in derivation for _, _, rule in tree.rules]
    words = [word for tree in derivation for word in tree.target]
    values = {f"TM:{name}": sum(r.scores[i] for r in rules if r.scores)
              for i, name in enumerate(columns)}  # fmt: skip
    return values | {
        "LM": lm(" ".join(words)),
        "Glue": -float(max(0, len(derivation) - 1)),
        "WordPenalty": -float(len(words)),
        "RulePenalty": float(len(rules)),
        "UnknownWord": -float(sum(rule.unknown for rule in rules)),
    }
