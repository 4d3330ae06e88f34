"""`miriam corpus stats`: what a bitext is like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from miriam.cli.command import Command, json_option, on_bad_option
from miriam.cli.corpus import columns, input_options, print_table, refuse_same

if TYPE_CHECKING:
    from miriam.corpus.statistics import SideStatistics, Statistics

__all__ = ["command"]


@click.command("stats", cls=Command)
@input_options
@click.option("--known-source", metavar="F", help="Count source words that are not in this text.")
@click.option("--known-target", metavar="F", help="Count target words that are not in this text.")
@on_bad_option
@json_option
def command(
    source: str, target: str, domains: str | None,
    known_source: str | None, known_target: str | None, on_bad: str, as_json: bool,
) -> None:  # fmt: skip
    """Show lines, tokens, types, lengths, duplicates and domains of a bitext.

    With --known-source or --known-target, usually the training text, it also shows how many of the
    words are unknown there.
    """
    import msgspec

    from miriam.corpus.bitext import read_bitext
    from miriam.corpus.statistics import statistics, vocabulary
    from miriam.text.files import BadLines, read_lines

    files = columns(source, target, domains)
    refuse_same([*files, *filter(None, [known_source, known_target])])
    bad = BadLines(skip=on_bad == "skip")
    known = [
        None if path is None else vocabulary(read_lines(path, bad))
        for path in (known_source, known_target)
    ]
    pairs = read_bitext(files, bad)
    found = statistics(pairs, known_source=known[0], known_target=known[1])
    if as_json:
        click.echo(msgspec.json.encode({**msgspec.to_builtins(found), "bad_lines": bad.count}))
    else:
        _show(found, bad.count)


def _show(found: Statistics, bad_lines: int) -> None:
    rows: list[tuple[str, object, object]] = [
        ("lines", found.pairs, found.pairs),
        ("distinct lines", found.source.distinct_lines, found.target.distinct_lines),
        ("empty lines", found.source.empty_lines, found.target.empty_lines),
        ("tokens", found.source.tokens, found.target.tokens),
        ("types", found.source.types, found.target.types),
    ]
    if found.source.unknown_tokens is not None or found.target.unknown_tokens is not None:
        rows.append(("unknown tokens", _unknown(found.source), _unknown(found.target)))
    lengths = found.source.lengths, found.target.lengths
    rows.append(("mean length", f"{lengths[0].mean:.1f}", f"{lengths[1].mean:.1f}"))
    for p in lengths[0].percentiles:
        name = {0: "shortest", 50: "median length", 100: "longest"}.get(p, f"{p} % are at most")
        rows.append((name, lengths[0].percentiles[p], lengths[1].percentiles[p]))
    print_table(("", "source", "target"), rows)
    click.echo(f"{found.pairs - found.distinct_pairs:,} of {found.pairs:,} pairs are duplicates.")
    click.echo(f"The target has {found.tokens_ratio:.2f} tokens to one of the source.")
    if bad_lines:
        click.echo(f"{bad_lines:,} bad lines were left out.")
    if found.domains:
        print_table(("domain", "pairs"), list(found.domains.items()))


def _unknown(side: SideStatistics) -> str:
    if side.unknown_tokens is None:
        return ""
    share = side.unknown_tokens / max(side.tokens, 1)
    return f"{side.unknown_tokens:,} ({share:.1%}), {side.unknown_types:,} types"
