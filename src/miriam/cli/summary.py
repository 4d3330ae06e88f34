"""What a training took and reached, as tables for a person to read."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.table import Table

from miriam.analysis.run import Run
from miriam.cli.watching import duration, memory_size

__all__ = ["as_record", "print_summary"]


def as_record(run: Run) -> dict[str, Any]:
    """The same for a program."""
    return {"seconds": run.seconds, "timings": run.timings, "scores": run.scores}


def print_summary(run: Run) -> None:
    """A row for each step: time, memory, size of what it made; then a row for each score."""
    console = Console(markup=False, emoji=False, highlight=False)
    table = _table("step", ("time", "memory", "files"), "made")
    for t in run.timings:
        sizes = (memory_size(t.memory), memory_size(t.bytes))
        table.add_row(t.step, duration(t.seconds), *sizes, t.note)
    table.add_row("all", duration(run.seconds), style="bold")
    click.echo()
    console.print(table)
    if run.scores:
        tuned = any(s.untuned is not None for s in run.scores)
        scores = _table("scores", ("untuned", "tuned") if tuned else ("untuned",))
        for s in run.scores:
            before = [f"{s.untuned:.2f}"] if s.untuned is not None else []
            scores.add_row(f"{s.test}, {s.metric}", *before, f"{s.score:.2f}")
        console.print()
        console.print(scores)
    click.echo()


def _table(first: str, numbers: tuple[str, ...], last: str | None = None) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column(first)
    for title in numbers:
        table.add_column(title, justify="right", no_wrap=True)
    if last:
        table.add_column(last, overflow="fold")
    return table
