"""`miriam cluster`: word classes of a text."""

from __future__ import annotations

import click

from miriam.cli.command import Command, json_option, seed_option, threads_option
from miriam.errors import ConfigError

__all__ = ["command"]


@click.command(cls=Command)
@click.option("--text", metavar="F", help="Token lines to learn from; `-` is standard input.")
@click.option("--map", "given", metavar="F",
              help="Instead of --text, a map of Brown clustering, mkcls or fastText to "
              "convert.")  # fmt: skip
@click.option("--out", metavar="F", required=True,
              help="The map to write: a word, a tab and its class a line, or a table that models "
              "open at once if the name ends in .classes.")  # fmt: skip
@click.option("--classes", type=click.IntRange(min=1), default=512, show_default=True,
              help="How many classes to learn.")  # fmt: skip
@click.option("--clip", type=click.IntRange(min=0), default=5, show_default=True,
              help="Words seen less often share the class of <unk>; 0: none do.")  # fmt: skip
@click.option("--keep-digits", is_flag=True, help="Tell digits apart; else all count as 0.")
@click.option("--passes", type=click.IntRange(min=0), default=30, show_default=True,
              help="At most so many; a pass that moves no word is the last.")  # fmt: skip
@seed_option
@threads_option
@json_option
def command(
    text: str | None, given: str | None, out: str, classes: int, clip: int, keep_digits: bool,
    passes: int, seed: int, threads: int, as_json: bool,
) -> None:  # fmt: skip
    """Learn word classes from text by one-sided exchange clustering.

    The class of a word is predicted from the word before it (Whittaker and Woodland 2001). Feature
    templates by classes, and language models of classes, need such a map.

    \b
    miriam cluster --text train.de --out de.tsv
    miriam cluster --map paths --out de.classes
    """  # noqa: D301
    if (text is None) == (given is None):
        raise ConfigError("give --text to learn classes from, or --map to convert")
    if given is not None:
        from miriam.lexicon.classes import read_classes

        found = read_classes(given)
        found.write(out)
        click.echo(f"{out}: {len(found.words):,} words in {len(found):,} classes", err=True)
        return
    import msgspec

    from miriam.cli.show import show_progress
    from miriam.lexicon.cluster import ClusterSettings, exchange

    settings = ClusterSettings(
        classes=classes, clip=clip, zero_digits=not keep_digits, passes=passes, seed=seed
    )
    with show_progress() as report:
        learnt = exchange(str(text), settings, threads=threads, report=report)
    learnt.classes.write(out)
    if as_json:
        rows = [{"moved": p.moved, "objective": p.objective} for p in learnt.passes]
        tree = {"types": learnt.types, "words": learnt.words, "passes": rows}
        click.echo(msgspec.json.encode(tree))
        return
    for number, done in enumerate(learnt.passes):
        click.echo(f"pass {number:<3} objective {done.objective:,.0f}   moved {done.moved:,}",
                   err=True)  # fmt: skip
    share = 1 - learnt.words / learnt.types
    click.echo(f"{out}: {learnt.types:,} different words, {learnt.words:,} after digits and rare "
               f"words ({share:.1%} fewer), in {classes:,} classes", err=True)  # fmt: skip
