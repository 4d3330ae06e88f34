"""Which words tuning sets prefer, and the rules learnt from them (Green et al., 2013, Table 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from miriam.analysis.weights import active, sides_of

__all__ = ["Preference", "Term", "TuningSet", "preferences", "terms_of"]


class TuningSet(msgspec.Struct, frozen=True, kw_only=True):
    """A tuning set: the target text, all references of it, and the weights learnt from it."""

    name: str
    lines: Sequence[str]
    weights: Mapping[str, float]


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """A word, or several: how often each text has it, and in how many weighted rules it is."""

    term: str
    tokens: tuple[int, ...]
    rules: tuple[int, ...]


class Preference(msgspec.Struct, frozen=True, kw_only=True):
    """A source phrase whose best target is not the same everywhere; none: no rule weighs > 0."""

    source: str
    targets: tuple[str | None, ...]
    weights: tuple[float, ...]


def terms_of(sets: Sequence[TuningSet], terms: Iterable[str], template: str) -> list[Term]:
    """How often each tuning set has each term, as tokens and in rules whose weight is not zero.

    >>> ours = TuningSet(name="ours", lines=["the program", "a program"],
    ...                  weights={"PT:x>program": 0.5, "PT:y-x>this-program": -0.5, "PT:z>it": 1})
    >>> terms_of([ours], ["program", "this program"], "PT")
    [Term(term='program', tokens=(2,), rules=(2,)), Term(term='this program', tokens=(0,), rules=(1,))]
    """  # noqa: E501
    lines = [[line.split() for line in one.lines] for one in sets]
    targets = [
        [sides.target for name in active(one.weights, template) if (sides := sides_of(name))]
        for one in sets
    ]
    found = []
    for term in terms:
        wanted = term.split()
        tokens = tuple(sum(_count(line, wanted) for line in text) for text in lines)
        rules = tuple(sum(_count(words, wanted) > 0 for words in some) for some in targets)
        found.append(Term(term=term, tokens=tokens, rules=rules))
    return found


def preferences(sets: Sequence[TuningSet], template: str, *, limit: int = 20) -> list[Preference]:
    """The source phrases for which different tuning sets prefer different targets.

    What a set prefers is the target of the largest weight above zero. Those come first whose
    weights, of the sets that prefer something, are largest even for the least.

    >>> vectors = [{"PT:x>program": 0.5, "PT:y>it": 1.0}, {"PT:x>programme": 0.25, "PT:y>it": 0.5}]
    >>> sets = [TuningSet(name=str(i), lines=[], weights=w) for i, w in enumerate(vectors)]
    >>> [preference.targets for preference in preferences(sets, "PT")]
    [('program', 'programme')]
    """
    best = [_best_targets(one.weights, template) for one in sets]
    found = []
    for source in dict.fromkeys(source for of_set in best for source in of_set):
        choices = [of_set.get(source) for of_set in best]
        if len({choice[0] for choice in choices if choice}) > 1:
            found.append(Preference(
                source=" ".join(source),
                targets=tuple(choice and " ".join(choice[0]) for choice in choices),
                weights=tuple(choice[1] if choice else 0.0 for choice in choices),
            ))  # fmt: skip
    found.sort(key=lambda row: (-min(w for w in row.weights if w > 0), row.source))
    return found[:limit]


Words = tuple[str, ...]


def _best_targets(
    weights: Mapping[str, float], template: str
) -> dict[Words, tuple[Words, float]]:  # fmt: skip
    best: dict[Words, tuple[Words, float]] = {}
    for name in sorted(active(weights, template)):
        sides, weight = sides_of(name), weights[name]
        if sides and weight > best.get(sides.source, ((), 0.0))[1]:
            best[sides.source] = (sides.target, weight)
    return best


def _count(words: Sequence[str], wanted: Sequence[str]) -> int:
    """How often words stand one after the other."""
    size = len(wanted)
    return sum(list(words[i : i + size]) == wanted for i in range(len(words) - size + 1))
