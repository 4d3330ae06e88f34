"""Evaluations of systems, as a table for a person to read."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table

from miriam.metrics import Evaluation, Significance

__all__ = ["print_evaluations"]


def print_evaluations(evaluations: Sequence[Evaluation], tests: Significance | None) -> None:
    """A row for each metric and system; beneath, the signatures and what the tests were."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("metric")
    table.add_column("system", overflow="fold")
    for title in ["score", *(["95% interval", "p (AR)", "p (BS)"] if tests else [])]:
        table.add_column(title, justify="right", no_wrap=True)
    for e in evaluations:
        for system, v in e.systems.items():
            interval = "" if v.interval is None else f"{v.mean:.2f} ± {v.interval:.2f}"
            tested = [interval, _p(v.p_randomisation), _p(v.p_bootstrap)] if tests else []
            table.add_row(e.metric, system, f"{v.score:.2f}", *tested)
    Console(markup=False, emoji=False, highlight=False).print(table)
    click.echo()
    for signed in dict.fromkeys(f"{e.metric.partition(',')[0]}|{e.signature}" for e in evaluations):
        click.echo(signed)
    if tests:
        click.echo(
            f"* p < 0.05 against the first system, seed {tests.seed}\n"
            f"AR: paired approximate randomisation, {tests.trials:,} trials\n"
            f"BS: paired bootstrap, {tests.resamples:,} resamples"
        )


def _p(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}{'*' if value < 0.05 else ' '}"
