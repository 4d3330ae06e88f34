"""`miriam rules import`: a rule table from text grammars."""

from __future__ import annotations

import click

from miriam.cli.command import Command, on_bad_option


@click.command(cls=Command)
@click.argument("grammars", nargs=-1, required=True, metavar="GRAMMAR...")
@click.option("--out", required=True, help="The folder to write the rule table to.")
@click.option("--unescape", is_flag=True, help="Turn Moses' escapes into characters (&apos;).")
@on_bad_option
def command(grammars: tuple[str, ...], out: str, unescape: bool, on_bad: str) -> None:
    """Read hierarchical rules as Moses or cdec write them; several files make one table.

    \b
    miriam rules import rule-table.gz --out de-en.hier
    miriam rules import grammars/grammar.*.gz --out de-en.hier
    """  # noqa: D301
    import sys

    from miriam.cli.show import show_progress
    from miriam.rules.grammar_import import import_grammar
    from miriam.text.files import BadLines

    bad = BadLines(skip=on_bad == "skip")
    with show_progress() as report:
        table = import_grammar(grammars, out, unescape=unescape, bad=bad, report=report)
    message = f"{len(table):,} rules of {table.source_count:,} source phrases in {out}"
    if bad.count:
        message += f"; {bad.count:,} lines could not be used and were left out"
    print(message, file=sys.stderr)
