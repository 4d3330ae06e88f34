"""`miriam extract`: scored translation rules from an aligned corpus."""

from __future__ import annotations

import re

import click

from miriam.cli.command import Command, on_bad_option, threads_option

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def _bytes(ctx: click.Context, param: click.Parameter, value: str) -> int:
    """The number of bytes that a text such as 2G stands for."""
    match = re.fullmatch(r"(\d+)([KMGT]?)B?", value.strip().upper())
    if not match or not int(match[1]):
        raise click.BadParameter(f"{value!r} is no size; write 500M or 2G", ctx, param)
    return int(match[1]) * UNITS[match[2]]


@click.command(cls=Command)
@click.option("--source", required=True, help="Source sentences, one a line, tokenised.")
@click.option("--target", required=True, help="Their translations, line by line.")
@click.option("--alignment", required=True, help="Their links, in Pharaoh format (0-0 1-2).")
@click.option("--domains", help="Domain labels of each sentence pair, parted by blanks.")
@click.option("--out", required=True, help="The folder to write the rule table to.")
@click.option("--work", help="A folder that keeps what was extracted: run again with text added "
              "behind, and only the new text is extracted.")  # fmt: skip
@click.option("--hierarchical", is_flag=True, help="Extract rules with gaps, rather than phrases.")
@click.option("--max-length", type=int, show_default="7, or 10 with gaps filled",
              help="Words a side.")  # fmt: skip
@click.option("--memory", callback=_bytes, default="2G", metavar="SIZE", show_default=True,
              help="Memory for the rules held at a time; the rest waits on disk.")  # fmt: skip
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE",
              help="""Change a setting, as in --set 'orientations=["wbe-msd"]'.""")  # fmt: skip
@on_bad_option
@threads_option
def command(
    source: str,
    target: str,
    alignment: str,
    domains: str | None,
    out: str,
    work: str | None,
    hierarchical: bool,
    max_length: int | None,
    memory: int,
    overrides: tuple[str, ...],
    on_bad: str,
    threads: int,
) -> None:
    """Extract translation rules from an aligned corpus.

    All phrase pairs that are consistent with the alignment, with relative frequencies, lexical
    weights, counts and orientations, become a table that `miriam rules show` looks into. With
    --hierarchical, phrase pairs within others are taken out and leave gaps (Chiang 2007).

    \b
    miriam extract --source train.de --target train.en --alignment aligned --out de-en
    miriam extract ... --hierarchical --set max_symbols=5 --set max_gaps=2
    """  # noqa: D301
    import sys

    from miriam.cli.show import show_progress
    from miriam.config import load
    from miriam.rules.extract import extract_rules
    from miriam.rules.settings import AnySettings, ExtractSettings, HierarchicalSettings
    from miriam.rules.shards import Corpus
    from miriam.text.files import BadLines

    options = {"max_length": max_length, "memory": memory, "threads": threads}
    changes = [f"{name}={value}" for name, value in options.items() if value is not None]
    kind: type[AnySettings] = HierarchicalSettings if hierarchical else ExtractSettings
    settings = load(kind, overrides=[*changes, *overrides], name="extract")
    corpus = Corpus(source, target, alignment, domains, bad=BadLines(skip=on_bad == "skip"))
    with show_progress() as report:
        table = extract_rules(corpus, out, settings=settings, work=work, report=report)
    message = f"{len(table):,} rules of {table.source_count:,} source phrases in {out}"
    if corpus.bad.count:
        message += f"; {corpus.bad.count:,} lines could not be used and were left out"
    print(message, file=sys.stderr)
