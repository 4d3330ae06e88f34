"""`miriam report`: a page on what a run has changed, and why."""

from __future__ import annotations

import click

from miriam.cli.command import Command, threads_option
from miriam.cli.reports import gather_report, report_options

__all__ = ["command"]


@click.command(cls=Command)
@report_options
@click.option("--explain", type=click.IntRange(min=1), metavar="LINE",
              help="Draw this sentence.  [default: a short one that has gained most]")  # fmt: skip
@click.option("--out", required=True, metavar="F", help="The page to write, such as report.html.")
@threads_option
def command(
    folder: str, run: str | None, source: str | None, references: tuple[str, ...], tokens: bool,
    explain: int | None, out: str, threads: int,
) -> None:  # fmt: skip
    """Write a page on a run of training or tuning: DIR is a model, or the folder of a run.

    With --source, the text is translated with the tuned and with the untuned weights, and the page
    shows what differs and why; with --references, also what it is worth. The page is one file that
    needs no network.

    \b
    miriam report de-en --source test.de --references test.en --out report.html
    """  # noqa: D301
    from miriam.analysis.report.page import page
    from miriam.text.files import open_write

    report = gather_report(
        folder, run=run, source=source, references=references, tokens=tokens, explain=explain,
        threads=threads,
    )  # fmt: skip
    with open_write(out) as file:
        file.write(page(report).encode())
