"""`miriam rules filter`: a smaller rule table."""

from __future__ import annotations

import click

from miriam.cli.command import Command, ManyOption


@click.command(cls=Command)
@click.argument("directory")
@click.option("--out", required=True, help="The folder to write the smaller table to.")
@click.option("--text", cls=ManyOption, help="Keep the rules that these source sentences can use.")
@click.option("--max-span", type=click.IntRange(min=1), metavar="N",
              help="Of rules with gaps, those that cover N words of it at most.")  # fmt: skip
@click.option("--best", "kept", type=click.IntRange(min=1), metavar="K",
              help="Keep the K best rules of each source phrase, by --score.")  # fmt: skip
@click.option("--score", default="phi(e|f)", show_default=True, help="What --best goes by.")
def command(
    directory: str, out: str, text: tuple[str, ...], max_span: int | None, kept: int | None,
    score: str,
) -> None:  # fmt: skip
    """Keep some rules of a table: those that a text can use, the best of each source phrase.

    Scores and counts stay what they were.

    \b
    miriam rules filter de-en.hier --text test.de --best 20 --out small
    """  # noqa: D301
    import sys
    from pathlib import Path

    import numpy as np

    from miriam.cli.show import show_progress
    from miriam.errors import ConfigError
    from miriam.rules.filters import best, for_text, write_filtered
    from miriam.rules.table import TABLE_NAME, RuleTable
    from miriam.text.files import read_lines

    if not text and kept is None:
        raise ConfigError("nothing to filter by; give --text or --best")
    table = RuleTable.open(directory)
    keep = np.ones(len(table), np.bool_)
    with show_progress() as report:
        if text:
            lines = (line for path in text for line in read_lines(path))
            keep &= for_text(table, lines, max_span=max_span, report=report)
        if kept is not None:
            keep &= best(table, kept, score=score)
        Path(out).mkdir(parents=True, exist_ok=True)
        small = write_filtered(table, keep, Path(out) / TABLE_NAME)
    print(f"{len(small):,} of {len(table):,} rules in {out}", file=sys.stderr)
