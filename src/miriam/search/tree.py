"""Rules at work, and the trees that they make where some fill the gaps of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["PhraseUse", "Tree", "grow"]


@dataclass(frozen=True)
class PhraseUse:
    """A rule at work: it translates the source words [begin, end).

    Of a rule with gaps, both sides have [X,1] and [X,2] where other rules fill them.
    """

    rule: int
    begin: int
    end: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[tuple[int, int], ...]  # within the phrase
    gaps: tuple[tuple[int, int], ...] = ()  # their places on both sides, in source order


@dataclass(frozen=True)
class Tree:
    """A rule, and the trees in its gaps in source order."""

    rule: PhraseUse
    parts: tuple[Tree, ...]

    def words(self) -> Iterator[tuple[str, list[int]]]:
        """The target words, each with the places of the source words it is linked to."""
        source = self._source_places()
        part_at = {
            target: part for (_, target), part in zip(self.rule.gaps, self.parts, strict=True)
        }
        for place, word in enumerate(self.rule.target):
            if part := part_at.get(place):
                yield from part.words()
            else:
                yield word, [source[i] for i, j in self.rule.links if j == place]

    def _source_places(self) -> list[int]:
        """Where in the sentence each symbol of the source side begins."""
        ends = {
            source: part.rule.end
            for (source, _), part in zip(self.rule.gaps, self.parts, strict=True)
        }
        places = []
        at = self.rule.begin
        for symbol in range(len(self.rule.source)):
            places.append(at)
            at = ends.get(symbol, at + 1)
        return places

    def outline(self, depth: int = 0) -> Iterator[tuple[int, PhraseUse]]:
        """The rules, each before those in its gaps, and how deep they are."""
        yield depth, self.rule
        for part in self.parts:
            yield from part.outline(depth + 1)


def grow(uses: Sequence[PhraseUse]) -> tuple[Tree, ...]:
    """The trees of rules that come each before those in its gaps.

    >>> inner = PhraseUse(0, 1, 2, ("hund",), ("dog",), ((0, 0),))
    >>> outer = PhraseUse(1, 0, 2, ("der", "[X,1]"), ("[X,1]", "the"), ((0, 1),), gaps=((1, 0),))
    >>> (tree,) = grow([outer, inner])
    >>> list(tree.words())
    [('dog', [1]), ('the', [0])]
    """
    rest = list(reversed(uses))

    def next_tree() -> Tree:
        rule = rest.pop()
        return Tree(rule, tuple(next_tree() for _ in rule.gaps))

    trees = []
    while rest:
        trees.append(next_tree())
    return tuple(trees)
