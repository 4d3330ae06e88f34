"""A derivation: how a translation was put together, and what each feature thinks of it."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import msgspec
import numpy as np
import numpy.typing as npt

from miriam.features.table import Features
from miriam.search.tree import PhraseUse, Tree, grow

__all__ = ["Contribution", "Derivation", "Explanation", "PhraseUse"]


@dataclass(frozen=True)
class Contribution:
    """What a feature adds to a score: value times weight, and its share of all that is added."""

    name: str
    value: float
    weight: float
    share: float

    @property
    def product(self) -> float:
        """Value times weight."""
        return self.value * self.weight


@dataclass(frozen=True)
class Derivation:
    """A translation with its rules and its score.

    Phrases come in target order; a rule with gaps comes before those in its gaps, which follow in
    source order.
    """

    source: tuple[str, ...]
    phrases: tuple[PhraseUse, ...]
    score: float
    load: Callable[[], tuple[Features, npt.NDArray[np.float64], npt.NDArray[np.int32],
                             npt.NDArray[np.float64]]]  # fmt: skip

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """The rules that fill no gap, with what fills theirs."""
        return grow(self.phrases)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words of the translation."""
        return tuple(word for tree in self.trees for word, _ in tree.words())

    def __str__(self) -> str:
        return " ".join(self.tokens)

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """The links between words, in target order."""
        aligned = [links for tree in self.trees for _, links in tree.words()]
        return tuple((i, j) for j, links in enumerate(aligned) for i in sorted(links))

    def outline(self) -> Iterator[tuple[int, PhraseUse]]:
        """The rules, and how deep in the gaps of others each is."""
        for tree in self.trees:
            yield from tree.outline()

    @cached_property
    def features(self) -> dict[str, float]:
        """The values of the features that are not zero, by name."""
        features, _, ids, values = self.load()
        return {features.name(i): v for i, v in zip(ids.tolist(), values.tolist(), strict=True)}

    def explain(self) -> Explanation:
        """What made this translation win: its phrases, and each feature's part in the score."""
        features, weights, ids, values = self.load()
        known = np.where(ids < len(weights), weights[np.minimum(ids, len(weights) - 1)], 0.0)
        total = float(np.abs(known * values).sum()) or 1.0
        rows = [
            Contribution(features.name(i), v, w, abs(v * w) / total)
            for i, v, w in zip(ids.tolist(), values.tolist(), known.tolist(), strict=True)
        ]
        return Explanation(self, tuple(sorted(rows, key=lambda row: -row.share)))


@dataclass(frozen=True)
class Explanation:
    """A derivation for a person: `print` it, or take it as JSON or HTML."""

    derivation: Derivation
    contributions: tuple[Contribution, ...]

    def __str__(self) -> str:
        d = self.derivation
        lines = [
            f"source       {' '.join(d.source)}",
            f"translation  {d}",
            f"score        {d.score:.4f}",
        ]
        lines += ["", "phrases, and the links between their words"]
        rows = [
            (f"[{p.begin}, {p.end})",
             f"{'  ' * depth}{' '.join(p.source)}  →  {' '.join(p.target)}", _links(p))
            for depth, p in d.outline()
        ]  # fmt: skip
        width = max((len(sides) for _, sides, _ in rows), default=0)
        lines += [f"  {span:<9} {sides:<{width}}  {links}".rstrip() for span, sides, links in rows]
        lines += [
            "",
            f"  {'feature':<32} {'value':>10} {'weight':>10} {'product':>10} {'share':>6}",
        ]
        lines += [
            f"  {c.name:<32} {c.value:>10.4f} {c.weight:>10.4f} {c.product:>10.4f} {c.share:>6.1%}"
            for c in self.contributions
        ]
        return "\n".join(lines)

    def json(self) -> str:
        """For a program."""
        d = self.derivation
        phrases = [
            {"span": [p.begin, p.end], "source": " ".join(p.source), "target": " ".join(p.target),
             "links": p.links}
            for p in d.phrases
        ]  # fmt: skip
        features = [
            {"name": c.name, "value": c.value, "weight": c.weight, "product": c.product,
             "share": c.share}
            for c in self.contributions
        ]  # fmt: skip
        tree = {"source": " ".join(d.source), "translation": str(d), "score": d.score,
                "alignment": d.alignment, "phrases": phrases, "features": features}  # fmt: skip
        return msgspec.json.encode(tree).decode()

    def _repr_html_(self) -> str:
        """For a notebook."""
        return self.html()

    def html(self) -> str:
        """For a browser: two tables, to be put into a page."""
        d = self.derivation

        def table(head: list[str], rows: list[list[str]]) -> str:
            cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
            body = "".join(
                "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
                for row in rows
            )
            return f"<table><tr>{cells}</tr>{body}</table>"

        phrases = [
            [f"{p.begin}–{p.end}", " ".join(p.source), " ".join(p.target), _links(p)]
            for p in d.phrases
        ]
        features = [
            [c.name, f"{c.value:.4f}", f"{c.weight:.4f}", f"{c.product:.4f}", f"{c.share:.1%}"]
            for c in self.contributions
        ]
        return (
            f"<section><p>{html.escape(str(d))}</p>"
            + table(["span", "source", "target", "links"], phrases)
            + table(["feature", "value", "weight", "product", "share"], features)
            + "</section>"
        )


def _links(phrase: PhraseUse) -> str:
    """The links of a phrase, as source-target places within it."""
    return " ".join(f"{i}-{j}" for i, j in sorted(phrase.links))
