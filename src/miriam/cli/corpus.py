"""`miriam corpus`: statistics of a bitext, cleaning, splitting; and what the three share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from miriam.cli.command import LazyGroup
from miriam.errors import ConfigError

__all__ = ["columns", "command", "input_options", "output_options", "print_table", "refuse_same"]

F = TypeVar("F", bound=Callable[..., Any])

COMMANDS: dict[str, tuple[str, str]] = {
    "stats": ("miriam.cli.corpus_stats", "Count lines, tokens, types, duplicates, unknown words."),
    "clean": ("miriam.cli.corpus_clean", "Drop pairs that would harm: empty, long, duplicate ..."),
    "split": ("miriam.cli.corpus_split", "Set aside tuning and test sets that share no sentence."),
}


@click.group(cls=LazyGroup, commands_by_module=COMMANDS)
def command() -> None:
    """Look at a bitext, clean it, and set parts of it aside.

    A bitext is a source file and a target file with as many lines, and perhaps a file with a domain
    label for each line. Lines are token lines: tokens separated by blanks.
    """


def input_options(function: F) -> F:
    """`--source F --target F [--domains F]`: the bitext to read."""
    function = click.option("--domains", metavar="F", help="File of domain labels, one a line.")(
        function
    )
    function = click.option("--target", metavar="F", required=True, help="Target token lines.")(
        function
    )
    return click.option(
        "--source", metavar="F", required=True,
        help="Source token lines; `-` is standard input; .gz and .zst are read as such.",
    )(function)  # fmt: skip


def output_options(function: F) -> F:
    """`--out-source F --out-target F [--out-domains F]`: the bitext to write."""
    for name, what in (("domains", "labels"), ("target", "lines"), ("source", "lines")):
        function = click.option(
            f"--out-{name}", metavar="F", required=name != "domains",
            help=f"Where the {name.removesuffix('s')} {what} go; .gz and .zst are compressed.",
        )(function)  # fmt: skip
    return function


def columns(source: str, target: str, domains: str | None) -> list[str]:
    """The files of a bitext, in the order of a pair's fields."""
    return [source, target] if domains is None else [source, target, domains]


def refuse_same(inputs: Sequence[str], outputs: Sequence[str] = ()) -> None:
    """Refuse standard input twice, an output twice, and an output that is also an input."""
    if inputs.count("-") > 1:
        raise ConfigError("standard input (-) can be only one of the files; name the others")
    places = [str(Path(path).resolve()) if path != "-" else path for path in outputs]
    for place, path in zip(places, outputs, strict=True):
        if places.count(place) > 1:
            raise ConfigError(f"{path} is to be written twice; give each output its own name")
    read = {str(Path(path).resolve()) for path in inputs if path != "-"}
    for place, path in zip(places, outputs, strict=True):
        if place in read:
            raise ConfigError(f"{path} is read and is to be written; give the output a new name")


def print_table(
    header: Sequence[str], rows: Sequence[Sequence[object]], *, err: bool = False
) -> None:
    """Show figures to a person, on standard error if `err`; the first column names them."""
    from rich.console import Console
    from rich.table import Table

    table = Table()
    for column in header:
        table.add_column(column, justify="left" if column == header[0] else "right")
    for row in rows:
        table.add_row(*(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row))
    Console(stderr=err).print(table)
