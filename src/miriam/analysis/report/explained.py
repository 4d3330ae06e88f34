"""One sentence: its derivation, what its features add, and why it is not what it was."""

from __future__ import annotations

from collections.abc import Mapping

from miriam.analysis.report.alignment import alignment_svg
from miriam.analysis.report.content import TUNED, UNTUNED, Comparison, Report
from miriam.analysis.report.html import bar, code, number, signed, table
from miriam.analysis.weights import readable
from miriam.search import Derivation, Explanation

__all__ = ["explained"]

PARTS = 14  # features that are shown one by one


def explained(report: Report) -> str:
    """The derivation of a sentence, and what its features contributed."""
    comparison = report.comparison
    if comparison is None:
        return ""
    explanation = comparison.explained[TUNED]
    sentence = comparison.sentences[comparison.number - 1]
    parts = [
        f'<p class="lead">Sentence {sentence.number:,}. Each ribbon is a phrase that was '
        "translated in one go; the lines link words. Words stand in the order in which they are "
        "spoken, from the left or from above.</p>",
        _drawn(explanation.derivation),
        "<h3>What each feature adds to its score</h3>"
        '<p class="small">Value times weight. The share is of all that is added or taken away; '
        f"the score is {number(explanation.derivation.score, 3)}.</p>",
        _contributions(explanation),
    ]
    if sentence.changed:
        parts.append(_rivals(comparison, report.run.weights or {}))
    return "".join(parts)


def _contributions(explanation: Explanation) -> str:
    largest = max((abs(c.product) for c in explanation.contributions), default=1.0)
    rows = [
        [code(readable(c.name)), number(c.value, 3), number(c.weight, 4), number(c.product, 3),
         f"{c.share:.1%}", bar(c.product, largest)]
        for c in explanation.contributions[:PARTS]
    ]  # fmt: skip
    if rest := explanation.contributions[PARTS:]:
        product = sum(c.product for c in rest)
        rows.append([f"{len(rest):,} others", "", "", number(product, 3),
                     f"{sum(c.share for c in rest):.1%}", bar(product, largest)])  # fmt: skip
    return table(["feature", "value", "weight", "product", "share", ""], rows)


def _drawn(derivation: Derivation) -> str:
    both = (alignment_svg(derivation, column=column) for column in (False, True))
    return f'<div class="drawing">{"".join(both)}</div>'


def _rivals(comparison: Comparison, found: Mapping[str, float]) -> str:
    """Why the tuned weights prefer their translation to that of the untuned ones."""
    rival = comparison.explained[UNTUNED].derivation
    tuned, untuned = comparison.explained[TUNED].derivation.features, rival.features
    rows = [
        (name, change, found[name], change * found[name])
        for name in {*tuned, *untuned} & found.keys()
        if (change := tuned.get(name, 0.0) - untuned.get(name, 0.0)) and found[name]
    ]
    rows.sort(key=lambda row: (-abs(row[3]), row[0]))
    largest = abs(rows[0][3]) if rows else 1.0
    cells = [
        [code(readable(name)), signed(change, 3), number(weight, 4), signed(product, 3),
         bar(product, largest)]
        for name, change, weight, product in rows[:PARTS]
    ]  # fmt: skip
    total = sum(row[3] for row in rows)
    return (
        "<h3>Why the translation changed</h3>"
        f'<p class="lead">Untuned it was:</p>{_drawn(rival)}'
        '<p class="small">By the tuned weights the new translation is better than this one by '
        f"{number(total, 3)}, because of:</p>"
        + table(["feature", "difference", "weight", "product", ""], cells)
    )
