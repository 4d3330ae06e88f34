"""`miriam plot`: the charts of a run as pictures."""

from __future__ import annotations

from pathlib import Path

import click

from miriam.cli.command import Command, threads_option
from miriam.cli.reports import gather_report, report_options
from miriam.errors import InputError

__all__ = ["command"]


@click.command(cls=Command)
@report_options
@click.option("--out", required=True, metavar="FOLDER", help="Where the pictures go.")
@click.option("--format", "form", type=click.Choice(["png", "svg"]), default="png",
              show_default=True, help="Of the pictures.")  # fmt: skip
@threads_option
def command(
    folder: str, run: str | None, source: str | None, references: tuple[str, ...], tokens: bool,
    out: str, form: str, threads: int,
) -> None:  # fmt: skip
    """Draw the charts of `miriam report`, each as a file; it needs Matplotlib (the extra `plots`).

    \b
    miriam plot de-en --source test.de --references test.en --out pictures --format svg
    """  # noqa: D301
    from miriam.analysis.curves import learning_curves, timing_chart
    from miriam.analysis.pictures import draw

    report = gather_report(
        folder, run=run, source=source, references=references, tokens=tokens, threads=threads
    )
    charts = [*learning_curves(report.run), timing_chart(report.run)]
    if report.comparison:
        charts += report.comparison.charts
    there = [chart for chart in charts if chart]
    if not there:
        raise InputError("the run has no log and no timings to draw", path=report.run.folder)
    where = Path(out)
    where.mkdir(parents=True, exist_ok=True)
    for chart in there:
        draw([chart], where / f"{chart.name}.{form}")
        click.echo(where / f"{chart.name}.{form}")
