"""`miriam rules show`: the rules of a source phrase."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from miriam.cli.command import Command, json_option

if TYPE_CHECKING:
    from rich.table import Table

    from miriam.rules.table import Rule


WIDE = 200


@click.command(cls=Command)
@click.argument("directory")
@click.argument("phrase")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True,
              help="How many rules to show at most, the most frequent first.")  # fmt: skip
@json_option
def command(directory: str, phrase: str, limit: int, as_json: bool) -> None:
    """Show the rules of a source phrase.

    Scores are probabilities, and links are source-target, counted from 0. Of each orientation
    model the likeliest class is shown by its first letter (Monotone, Swap, Left, Right or
    Discontinuous); --json has all scores, as natural logarithms.

    \b
    miriam rules show de-en "ein hund"
    miriam rules show de-en.hier "der [X,1]"
    """  # noqa: D301
    import msgspec

    from miriam.errors import InputError
    from miriam.rules.table import RuleTable

    table = RuleTable.open(directory)
    rules = table.lookup(phrase)[:limit]
    if as_json:
        print(msgspec.json.encode(rules).decode())
    elif not rules:
        unknown = [word for word in phrase.split() if table.source_words.find(word) is None]
        why = f"; the corpus has no {unknown[0]!r}" if unknown else ""
        raise InputError(f"no rule has the source phrase {phrase!r}{why}", path=directory)
    else:
        from rich.console import Console

        console = Console()
        if not console.is_terminal:  # nothing that reads it needs it narrow
            console = Console(width=WIDE)
        console.print(_listing(rules))


def _listing(rules: Sequence[Rule]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    first = rules[0]
    plain = [name for name in first.scores if "." not in name and name not in ("count", "unique")]
    models = list(dict.fromkeys(name.rpartition(".")[0] for name in first.scores if "." in name))
    names = ["target", "count", *plain, "links", *(m.replace(".", "\n") for m in models)]
    if any(rule.domains for rule in rules):
        names.append("domains")
    title = Text(f"{first.source}: seen {first.source_count:,.0f} times")
    listing = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in names:
        words = name in ("target", "links", "domains")
        listing.add_column(Text(name), justify="left" if words else "right", no_wrap=not words)
    for rule in rules:
        cells = [rule.target, f"{rule.count:,.0f}"]
        cells += [f"{math.exp(rule.scores[name]):.3g}" for name in plain]
        cells.append(" ".join(f"{i}-{j}" for i, j in rule.links))
        cells += [_likeliest(rule, model) for model in models]
        cells.append(" ".join(rule.domains))
        listing.add_row(*map(Text, cells[: len(names)]))
    return listing


def _likeliest(rule: Rule, model: str) -> str:
    """The most probable class of an orientation model, and how probable it is."""
    scores = {k: v for k, v in rule.scores.items() if k.rpartition(".")[0] == model}
    name = max(scores, key=lambda name: scores[name])
    return f"{name.rpartition('.')[2][0].upper()} {math.exp(scores[name]):.2f}"
