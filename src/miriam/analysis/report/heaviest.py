"""What weighs: the dense weights before and after, and the heaviest of each other template."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from miriam.analysis.report.content import Report
from miriam.analysis.report.html import bar, code, signed, table
from miriam.analysis.weights import Template, active, by_template, readable, template_of

__all__ = ["weights"]

HEAVIEST = 8  # features of a template
COMPARED = 40  # features before and after


def weights(report: Report) -> str:
    """The templates, the weights that were there before, and the heaviest of those that are new."""
    found, start = report.run.weights, report.run.untuned
    if not found:
        return ""
    rows = [
        [escape(t.name), f"{t.active:,}", f"{t.total:.3g}", f"{t.total / t.active:.3g}"]
        for t in by_template(found)
    ]
    parts = [table(["template", "active features", "sum of |w|", "mean |w|"], rows)]
    if start:
        parts.append("<h3>Before and after</h3>" + _before_after(start, found))
    known = {template_of(name) for name in active(start or {})}
    new = [t for t in by_template(found, heaviest=HEAVIEST) if t.name not in known]
    if new:
        cards = "".join(map(_card, new))
        parts.append(f"<h3>The heaviest of each template</h3><div class='cards'>{cards}</div>")
    return "".join(parts)


def _before_after(start: Mapping[str, float], found: Mapping[str, float]) -> str:
    rows = [(name, before, found.get(name, 0.0)) for name, before in start.items()]
    rows.sort(key=lambda row: (-abs(row[2]), row[0]))
    largest = max(max(abs(before), abs(after)) for _, before, after in rows)
    cells = [
        [code(readable(name)), _weight(before), _weight(after),
         bar(after, largest, before)]
        for name, before, after in rows[:COMPARED]
    ]  # fmt: skip
    note = '<p class="small">The tick is where the weight was before.</p>'
    return table(["feature", "before", "after", ""], cells) + note


def _card(template: Template) -> str:
    largest = abs(template.heaviest[0][1])
    rows = "".join(
        f"<tr><td>{code(readable(name).partition(':')[2].strip() or name)}</td>"
        f"<td>{_weight(weight)}</td><td>{bar(weight, largest)}</td></tr>"
        for name, weight in template.heaviest
    )
    count = f"{template.active:,} active"
    title = f"<h4>{escape(template.name)} <small>{count}</small></h4>"
    return f'<div class="card">{title}<table>{rows}</table></div>'


def _weight(value: float) -> str:
    return signed(value, 4)
