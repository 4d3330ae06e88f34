"""`miriam export`: tables as text, for people and other tools."""

from __future__ import annotations

from typing import Literal

import click

from miriam.cli.command import Command


@click.command(cls=Command)
@click.argument("directory")
@click.option("--format", "notation", type=click.Choice(["moses", "cdec"]), default="moses",
              show_default=True, help="moses: a phrase table and reordering tables, or a rule "
              "table; cdec: a grammar of hierarchical rules.")  # fmt: skip
@click.option("--out", required=True, help="The folder to write to.")
@click.option("--text", metavar="FILE",
              help="With cdec: a grammar for each of these sentences instead.")  # fmt: skip
@click.option("--max-span", type=click.IntRange(min=1), metavar="N",
              help="With --text: of the rules those that cover N words at most.")  # fmt: skip
def command(
    directory: str, notation: Literal["moses", "cdec"], out: str, text: str | None,
    max_span: int | None,
) -> None:  # fmt: skip
    """Write a rule table as text.

    \b
    miriam export de-en --format moses --out de-en.moses
    miriam export de-en.hier --format cdec --text test.de --out test.grammars
    """  # noqa: D301
    import sys

    from miriam.cli.show import show_progress
    from miriam.errors import ConfigError
    from miriam.rules.grammar_export import export_grammar, export_sentence_grammars
    from miriam.rules.moses_export import export_moses
    from miriam.rules.table import RuleTable
    from miriam.text.files import read_lines

    if text and notation != "cdec":
        raise ConfigError("grammars of single sentences are cdec's; give --format cdec too")
    table = RuleTable.open(directory)
    with show_progress() as report:
        if text:
            lines = list(read_lines(text))
            path = export_sentence_grammars(table, out, lines, max_span=max_span, report=report)
            message = f"{len(lines):,} grammars, for {path}"
        else:
            paths = (
                [export_grammar(table, out, notation=notation, report=report)]
                if table.hierarchical or notation == "cdec"
                else export_moses(table, out, report=report)
            )
            message = f"{len(table):,} rules in " + ", ".join(map(str, paths))
    print(message, file=sys.stderr)
