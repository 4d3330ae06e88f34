"""`miriam corpus clean`: a bitext without the pairs that would harm."""

from __future__ import annotations

from typing import Any

import click

from miriam.cli.command import Command, json_option, on_bad_option
from miriam.cli.corpus import columns, input_options, output_options, print_table, refuse_same
from miriam.errors import ConfigError

__all__ = ["command"]

COUNT = click.IntRange(min=1)


@click.command("clean", cls=Command)
@input_options
@output_options
@click.option("--min-length", type=COUNT, default=1, show_default=True, help="Tokens of a side.")
@click.option("--max-length", type=COUNT, default=100, show_default=True, help="Tokens of a side.")
@click.option(
    "--max-ratio",
    type=click.FloatRange(min=1),
    default=9.0,
    show_default=True,
    help="Tokens of the longer side to one of the shorter side.",
)
@click.option("--max-token", type=COUNT, default=100, show_default=True, help="Letters of a token.")
@click.option("--keep-duplicates", is_flag=True, help="Keep pairs that came before.")
@on_bad_option
@json_option
def command(
    source: str, target: str, domains: str | None,
    out_source: str, out_target: str, out_domains: str | None,
    keep_duplicates: bool, on_bad: str, as_json: bool, **limits: Any,
) -> None:  # fmt: skip
    """Drop pairs that are empty, too long, out of proportion or duplicates, and count them.

    Pairs are dropped by the first rule that holds: a side is empty, too short or too long; one side
    is too long for the other; a token is too long; the same source and target came before. What is
    kept stays in its order, its tokens separated by single blanks.
    """
    from collections import Counter

    import msgspec

    from miriam.corpus.bitext import read_bitext, write_bitext
    from miriam.corpus.clean import REASONS, Cleaning, clean
    from miriam.text.files import BadLines

    if (out_domains is None) != (domains is None):
        raise ConfigError("give both --domains and --out-domains, or neither")
    inputs = columns(source, target, domains)
    outputs = columns(out_source, out_target, out_domains)
    refuse_same(inputs, outputs)
    settings = Cleaning(**limits, deduplicate=not keep_duplicates)
    bad, dropped = BadLines(skip=on_bad == "skip"), Counter[str]()
    kept = write_bitext(clean(read_bitext(inputs, bad), settings, dropped), outputs)
    counts = {"kept": kept} | {reason: dropped[reason] for reason in REASONS}
    counts["bad line"] = bad.count
    err = "-" in outputs  # standard output is taken by the text
    if as_json:
        click.echo(msgspec.json.encode(counts), err=err)
    else:
        print_table(("", "pairs"), list(counts.items()), err=err)
