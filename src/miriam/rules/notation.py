"""How Moses and cdec write hierarchical rules: from their notations to ours, and back.

Ours has the reserved words [X,1] and [X,2] on both sides, numbered as they come on the source side.
What reads theirs raises `ValueError` with a message that lacks the place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from miriam.rules.gaps import GAPS, rule_fault

__all__ = [
    "PROBABILITIES",
    "cdec_features",
    "cdec_names",
    "cdec_side",
    "cdec_sides",
    "is_cdec",
    "moses_side",
    "moses_sides",
]

MOSES_GAP, LABEL = "[X][X]", "[X]"
BRACKETED = re.compile(r"\[[^\s\[\]]+\](\[[^\s\[\]]+\])?")
CDEC_LABEL = r"[A-Z][A-Z0-9_:=/\\+]*"
CDEC_SOURCE = re.compile(rf"\[({CDEC_LABEL})(?:,(\d+))?\]")
CDEC_TARGET = re.compile(rf"\[(?:({CDEC_LABEL}),)?(\d+)\]")
PROBABILITIES = {
    "phi(f|e)": ("FgivenE", "FGivenECoherent", "FgivenECoherent"),
    "lex(f|e)": ("LexFgivenE", "MaxLexFgivenE", "MaxLexFGivenE"),
    "phi(e|f)": ("EgivenF", "EGivenFCoherent", "EgivenFCoherent"),
    "lex(e|f)": ("LexEgivenF", "MaxLexEgivenF", "MaxLexEGivenF"),
}
"""What cdec's extractors call our columns; they give them as -log10."""
COLUMNS = {theirs: ours for ours, names in PROBABILITIES.items() for theirs in names}

Points = list[tuple[int, int]]


def is_cdec(line: str) -> bool:
    """Whether a rule is written as for cdec: its left-hand side comes first.

    >>> is_cdec("[X] ||| der [X,1] ||| the [1] ||| EgivenF=0.3")
    True
    """
    return bool(re.match(r"\s*\[[^\s\[\]]*\]\s*\|\|\|", line))


def moses_sides(source: str, target: str, points: Points) -> tuple[list[str], list[str], Points]:
    """Both sides in our notation, and the links between words.

    >>> moses_sides("[X][X] der [X][X] [X]", "a [X][X] [X][X] [X]", [(0, 2), (1, 0), (2, 1)])
    (['[X,1]', 'der', '[X,2]'], ['a', '[X,2]', '[X,1]'], [(1, 0)])
    """
    sides = [source.split(), target.split()]
    for side in sides:
        if not side or side[-1] != LABEL:
            last = side[-1] if side else "nothing"
            raise ValueError(f"a side that ends in {last}, where the non-terminal {LABEL} must be")
        side.pop()
        for word in side:
            if word != MOSES_GAP and BRACKETED.fullmatch(word):
                raise ValueError(_unknown(word, MOSES_GAP))
    gaps, others = ([i for i, w in enumerate(side) if w == MOSES_GAP] for side in sides)
    _refuse_many(gaps)
    inner = [(i, j) for i, j in points if i in gaps or j in others]
    if not inner and len(gaps) == len(others) == 1:
        inner = [(gaps[0], others[0])]
    if sorted(i for i, _ in inner) != gaps or sorted(j for _, j in inner) != others:
        raise ValueError("the gaps do not pair up: the alignment must link each to one other")
    for number, i in enumerate(gaps):
        sides[0][i] = GAPS[number]
    for i, j in inner:
        sides[1][j] = sides[0][i]
    _refuse_faults(*sides)
    return sides[0], sides[1], [point for point in points if point not in inner]


def cdec_sides(label: str, source: str, target: str) -> tuple[list[str], list[str]]:
    """Both sides in our notation.

    >>> cdec_sides("[X]", "[X,1] der [X]", "[2] the [X,1]")
    (['[X,1]', 'der', '[X,2]'], ['[X,2]', 'the', '[X,1]'])
    """
    if label != LABEL:
        raise ValueError(_unknown(label, LABEL))
    sides = [source.split(), target.split()]
    gaps: list[str] = []
    for i, word in enumerate(sides[0]):
        if match := CDEC_SOURCE.fullmatch(word):
            if match[1] != "X":
                raise ValueError(_unknown(word, "[X,1] and [X,2]"))
            gaps.append(f"[X,{match[2] or len(gaps) + 1}]")
            sides[0][i] = gaps[-1]
    _refuse_many(gaps)
    for j, word in enumerate(sides[1]):
        if match := CDEC_TARGET.fullmatch(word):
            if match[1] not in (None, "X") or f"[X,{match[2]}]" not in GAPS:
                raise ValueError(_unknown(word, "[1] and [2]"))
            sides[1][j] = f"[X,{match[2]}]"
    _refuse_faults(*sides)
    return sides[0], sides[1]


def cdec_features(text: str) -> dict[str, float]:
    """The features of a rule by the names of our columns; numbers without names have a place.

    >>> cdec_features("EgivenF=1 Glue=2")
    {'phi(e|f)': -2.302585092994046, 'Glue': 2.0}
    >>> cdec_features("0.5 1")
    {'score0': 0.5, 'score1': 1.0}
    """
    features: dict[str, float] = {}
    for number, item in enumerate(text.split()):
        name, equals, value = item.rpartition("=")
        name = name if equals else f"score{number}"
        column = COLUMNS.get(name, name)
        try:
            score = float(value)
        except ValueError:
            score = math.nan
        if not name or not math.isfinite(score):
            raise ValueError(f"expected features such as EgivenF=0.3, found {item!r}")
        if column in features or "." in column:
            raise ValueError(f"the feature {name} twice, or with a dot in its name")
        features[column] = -score * math.log(10) if name in COLUMNS else score
    return features


def moses_side(side: str) -> str:
    """A side of ours as Moses writes it; words that look like something else are escaped.

    >>> moses_side("der [X,1] [3]")
    'der [X][X] &#91;3&#93; [X]'
    """
    return " ".join([*(MOSES_GAP if w in GAPS else _escaped(w) for w in side.split()), LABEL])


def cdec_side(side: str, *, target: bool) -> str:
    """A side of ours as cdec writes it.

    >>> cdec_side("the [X,1]", target=True)
    'the [1]'
    """
    gaps = {gap: gap.replace("X,", "") if target else gap for gap in GAPS}
    return " ".join(gaps.get(word) or _escaped(word) for word in side.split())


def cdec_names(columns: Iterable[str]) -> dict[str, float]:
    """What cdec calls our columns, and what each value is multiplied with.

    >>> cdec_names(["phi(e|f)", "Other"])
    {'EgivenF': -0.43429448190325176, 'Other': 1.0}
    """
    return {
        PROBABILITIES[column][0] if column in PROBABILITIES else column: (
            -1 / math.log(10) if column in PROBABILITIES else 1.0
        )
        for column in columns
    }


def _escaped(word: str) -> str:
    if word.startswith("[") and word.endswith("]"):
        word = word.replace("[", "&#91;").replace("]", "&#93;")
    return word.replace("|||", "&#124;" * 3)


def _unknown(symbol: str, known: str) -> str:
    return (
        f"the non-terminal {symbol} is not known, only {known} are; "
        "write brackets in words as &#91; and &#93;"
    )


def _refuse_many(gaps: Sequence[object]) -> None:
    if len(gaps) > len(GAPS):
        raise ValueError(f"a rule with {len(gaps)} gaps, of which {len(GAPS)} are taken at most")


def _refuse_faults(source: Sequence[str], target: Sequence[str]) -> None:
    if fault := rule_fault(source, target):
        raise ValueError(fault)
