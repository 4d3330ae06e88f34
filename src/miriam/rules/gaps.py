"""The reserved words that stand for gaps in hierarchical rules, and tables that have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from miriam.lexicon.vocabulary import Vocabulary

__all__ = ["GAPS", "HIERARCHICAL", "add_gaps", "is_hierarchical", "rule_fault"]

GAPS = ("[X,1]", "[X,2]")
HIERARCHICAL = {"kind_of_rules": "hierarchical"}  # what the header of such a table says


def add_gaps(*vocabularies: Vocabulary) -> None:
    """Make the gaps words of vocabularies: of empty ones the first."""
    for words in vocabularies:
        for gap in GAPS:
            words.add(gap)


def is_hierarchical(metadata: Mapping[str, str]) -> bool:
    """Whether the header of a table says that its rules have gaps."""
    return HIERARCHICAL.items() <= metadata.items()


def rule_fault(source: Sequence[str], target: Sequence[str]) -> str:
    """What is wrong with the sides of a rule; nothing if it is sound.

    >>> rule_fault("[X,1] der [X,2]".split(), "the [X,2] [X,1]".split())
    ''
    >>> rule_fault(["der", "[X,1]"], ["the"])
    'the gaps do not pair up: [X,1] of the source, none of the target'
    >>> rule_fault(["[X,1]"], ["the", "[X,1]"])
    'a source side that is but a gap, so the rule could be applied for ever'
    """
    gaps = [word for word in source if word in GAPS]
    others = [word for word in target if word in GAPS]
    if sorted(gaps) != sorted(others) or len(set(gaps)) != len(gaps):
        sides = (f"{' '.join(side) or 'none'}" for side in (gaps, others))
        return "the gaps do not pair up: {} of the source, {} of the target".format(*sides)
    if tuple(gaps) != GAPS[: len(gaps)]:
        return f"the gaps of the source are not in order: {' '.join(gaps)}"
    if not source:
        return "a source side without words and gaps"
    if len(source) == len(gaps) == 1:
        return "a source side that is but a gap, so the rule could be applied for ever"
    return ""
