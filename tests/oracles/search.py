"""Phrase-based translation by definition: all derivations, each scored from beginning to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Links = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Option:
    """A rule for the words [begin, end), with the logs of its scores."""

    begin: int
    end: int
    target: tuple[str, ...]
    scores: tuple[float, ...] = ()
    unknown: bool = False


Derivation = tuple[Option, ...]
Allowed = Callable[[frozenset[int], int, Option], bool]  # covered words, last end, the next phrase


def within_limit(limit: int | None, *, jumps: bool = False) -> Allowed:
    """Moses' reordering limit: a phrase that leaves a gap ends at most `limit` words past it."""

    def allowed(covered: frozenset[int], last_end: int, phrase: Option) -> bool:
        if limit is None:
            return True
        gap = min(set(range(len(covered) + 1)) - covered)
        near = phrase.begin == gap or phrase.end - gap <= limit
        return near and (not jumps or abs(last_end - phrase.begin) <= limit)

    return allowed


def derivations(words: int, options: Sequence[Option], allowed: Allowed) -> Iterator[Derivation]:
    """Every way to translate every word once."""

    def extend(done: Derivation, covered: frozenset[int]) -> Iterator[Derivation]:
        if len(covered) == words:
            yield done
        last_end = done[-1].end if done else 0
        for option in options:
            span = set(range(option.begin, option.end))
            if not span & covered and allowed(covered, last_end, option):
                yield from extend((*done, option), covered | span)

    yield from extend((), frozenset())


def event(previous: tuple[int, int] | None, begin: int, end: int) -> str:
    """How [begin, end) lies to a span before it, or to the start of the sentence."""
    if previous is None:
        return "monotone" if begin == 0 else "right"
    if begin == previous[1]:
        return "monotone"
    if end == previous[0]:
        return "swap"
    return "right" if begin > previous[1] else "left"


def blocks(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """A binary shift-reduce parser's stack behind these spans."""
    stack: list[tuple[int, int]] = []
    for span in spans:
        stack.append(span)
        while len(stack) > 1 and (stack[-2][1] == stack[-1][0] or stack[-1][1] == stack[-2][0]):
            right, left = stack.pop(), stack.pop()
            stack.append((min(left[0], right[0]), max(left[1], right[1])))
    return stack


def phrase_events(derivation: Derivation) -> list[str]:
    """Of each phrase, to the phrase before."""
    spans = [(p.begin, p.end) for p in derivation]
    return [event(spans[i - 1] if i else None, *span) for i, span in enumerate(spans)]


def block_events(derivation: Derivation) -> list[str]:
    """Of each phrase, to the block before."""
    spans = [(p.begin, p.end) for p in derivation]
    return [event(blocks(spans[:i])[-1] if i else None, *span) for i, span in enumerate(spans)]


def open_events(derivation: Derivation) -> list[str]:
    """Of each phrase but the first, as the phrase before sees it: gaps may still be filled."""
    found = []
    for i in range(1, len(derivation)):
        covered = {w for p in derivation[:i] for w in range(p.begin, p.end)}
        last, here = derivation[i - 1], derivation[i]
        if here.begin >= last.end:
            near = here.begin == last.end or last.end not in covered
            found.append("monotone" if near else "right")
        else:
            near = here.end == last.begin or last.begin - 1 not in covered
            found.append("swap" if near else "left")
    return found


def orientations(derivation: Derivation, columns: Mapping[str, int]) -> dict[str, float]:
    """The sum of each orientation column (such as `hier-mslr.next.left`) over a derivation."""
    totals = dict.fromkeys(columns, 0.0)
    for name, column in columns.items():
        model, direction, kind = name.split(".")
        by_block = model.startswith("hier")
        if direction == "previous":
            happened = (block_events if by_block else phrase_events)(derivation)
            scoring = derivation
        else:
            happened = open_events(derivation) if by_block else phrase_events(derivation)[1:]
            scoring = derivation[:-1]
        for phrase, what in zip(scoring, happened, strict=True):
            fires = what in ("left", "right") if kind == "discontinuous" else what == kind
            if fires and phrase.scores:
                totals[name] += phrase.scores[column]
    return totals


def features(
    derivation: Derivation, columns: Mapping[str, int], lm: Callable[[str], float]
) -> dict[str, float]:
    """The dense features of a derivation, by the names of a decoder whose table is `TM`."""
    jumps = [
        abs((derivation[i - 1].end if i else 0) - phrase.begin)
        for i, phrase in enumerate(derivation)
    ]
    words = [word for phrase in derivation for word in phrase.target]
    values = {
        "LM": lm(" ".join(words)),
        "LinearDistortion": -float(sum(jumps)),
        "WordPenalty": -float(len(words)),
        "PhrasePenalty": float(len(derivation)),
        "UnknownWord": -float(sum(phrase.unknown for phrase in derivation)),
    }
    turning = {name: column for name, column in columns.items() if "." in name}
    for name, column in columns.items():
        if name not in turning:
            values[f"TM:{name}"] = sum(p.scores[column] for p in derivation if p.scores)
    values |= {f"TM:{k}": v for k, v in orientations(derivation, turning).items()}
    return values


def score(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted sum."""
    return float(np.sum([values[name] * weights[name] for name in values]))
