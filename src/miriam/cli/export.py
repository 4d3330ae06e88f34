"""`miriam export`: tables as text, for people and other tools."""

from __future__ import annotations

import click

from miriam.cli.command import Command


@click.command(cls=Command)
@click.argument("directory")
@click.option("--format", type=click.Choice(["moses"]), default="moses", show_default=True,
              expose_value=False, help="moses: a phrase table and reordering tables.")  # fmt: skip
@click.option("--out", required=True, help="The folder to write to.")
def command(directory: str, out: str) -> None:
    """Write a rule table as text.

    \b
    miriam export de-en --format moses --out de-en.moses
    """  # noqa: D301
    import sys

    from miriam.cli.show import show_progress
    from miriam.rules.moses_export import export_moses
    from miriam.rules.table import RuleTable

    table = RuleTable.open(directory)
    with show_progress() as report:
        paths = export_moses(table, out, report=report)
    print(f"{len(table):,} rules in " + ", ".join(map(str, paths)), file=sys.stderr)
