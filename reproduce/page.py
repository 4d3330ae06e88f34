"""Writes docs/reproduction.md: `reproduction.md` with the figures that have been measured.

In it stands `{{figure:form @ data::name}}` for a figure of a row of `experiments/tuning_sets.py`,
the mean over its seeds (form: as in Python, .2f if left out; data: bible-aside if left out), and
`{{table EXPERIMENT}}` for all tables of another experiment, as `run.py` has written them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

from experiments import tuning_sets
from rows import RESULTS, Results

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent / "docs"
FIELD = re.compile(r"\{\{([^{}]+)\}\}")
MISSING = "–"


def main() -> None:
    lookup = measured(Results(RESULTS / "tuning_sets.jsonl"))
    template = (HERE / "reproduction.md").read_text(encoding="utf-8")
    page = filled(template, lookup, lambda name: tables(DOCS / "results" / f"{name}.md", name))
    (DOCS / "reproduction.md").write_text(page, encoding="utf-8")


def filled(
    template: str, lookup: Callable[[str, str, str], float | None], table: Callable[[str], str]
) -> str:
    """The template with each field filled."""

    def fill(match: re.Match[str]) -> str:
        field = match[1].strip()
        if field.startswith("table "):
            return table(field.removeprefix("table "))
        what, _, of = field.partition(" @ ")
        figure, _, form = what.partition(":")
        data, _, name = of.rpartition("::")
        value = lookup(data or "bible-aside", name, figure)
        return MISSING if value is None else format(value, form or ".2f")

    return FIELD.sub(fill, template)


def measured(results: Results) -> Callable[[str, str, str], float | None]:
    """Means over seeds of the figures of the rows there are; a name that is no row is refused."""
    rows = list(tuning_sets.rows())
    known = {(row.data, row.name) for row in rows}
    found = {(data, name): some for data, name, some in results.by_system(rows)}

    def lookup(data: str, name: str, figure: str) -> float | None:
        if (data, name) not in known:
            raise SystemExit(f"reproduction.md: {data}::{name} is no row of tuning_sets")
        values = [_find(results.figures(row), figure) for row in found.get((data, name), [])]
        numbers = [float(value) for value in values if value is not None]
        return fmean(numbers) if numbers else None

    return lookup


def _find(figures: Any, path: str) -> Any:
    for part in path.split("."):
        figures = figures.get(part) if isinstance(figures, dict) else None
    return figures


def tables(page: Path, name: str) -> str:
    """The tables of a page of results, with what is said of them."""
    if not page.exists():
        return "Not yet measured."
    text = re.sub(r"^# .*\n+", "", page.read_text(encoding="utf-8").strip())
    text = re.sub(r"^## (.*)$", r"**\1**", text, flags=re.MULTILINE)
    text = re.sub(r"\]\(([\w-]+\.md)\)", r"](results/\1)", text)  # to pages beside it
    return f"{text}\n\n[The same on a page of its own](results/{name}.md)"


if __name__ == "__main__":
    main()
