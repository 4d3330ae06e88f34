"""`miriam lm estimate`: a language model from text."""

from __future__ import annotations

import re
from pathlib import Path

import click

from miriam.cli.command import Command, threads_option
from miriam.errors import ConfigError

__all__ = ["command"]

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@click.command("estimate", cls=Command)
@click.option("--text", required=True, help="Tokens, one sentence a line; may be .gz, or -.")
@click.option(
    "--order", type=int, default=5, show_default=True, help="Words of the longest n-grams: 1 to 10."
)
@click.option(
    "--out", required=True, help="The model: .arpa or .arpa.gz for text, else a table to be mapped."
)
@click.option(
    "--prune",
    default="",
    metavar="'N N …'",
    help="For each order: leave out n-grams seen so often or less ('0 0 1'); the last goes on.",
)
@click.option(
    "--vocabulary",
    metavar="N|FILE",
    help="Leave out all words but the N most frequent ones, or those in a file.",
)
@click.option(
    "--memory",
    default="1G",
    show_default=True,
    help="Roughly how much to use (400M, 2G); the rest goes to temporary files.",
)
@threads_option
def command(
    text: str, order: int, out: str, prune: str, vocabulary: str | None, memory: str, threads: int
) -> None:
    """Estimate a language model from text: interpolated modified Kneser-Ney smoothing.

    The model is the same with any number of threads and any memory.
    """
    from miriam.cli.show import show_progress
    from miriam.lm.estimate import Estimation, estimate

    settings = Estimation(
        order=order,
        prune=_numbers(prune),
        vocabulary=None if vocabulary is None else _vocabulary(vocabulary),
        memory=_bytes(memory),
        threads=threads,
    )
    with show_progress() as report:
        estimated = estimate(text, settings, report=report)
        estimated.write(out, report=report)
    if estimated.fallback:
        click.echo(f"miriam: {estimated.fallback}", err=True)


def _numbers(text: str) -> list[int]:
    try:
        return [int(field) for field in text.replace(",", " ").split()]
    except ValueError:
        raise ConfigError(f"--prune {text!r}: expected numbers, as in --prune '0 0 1'") from None


def _bytes(text: str) -> int:
    match = re.fullmatch(r"(\d+)([KMG]?)B?", text.strip().upper())
    if not match:
        raise ConfigError(f"--memory {text}: expected a size such as 400M or 2G")
    return int(match[1]) * UNITS[match[2]]


def _vocabulary(text: str) -> int | frozenset[str]:
    from miriam.text.files import read_lines

    if text.isdigit() and not Path(text).exists():
        return int(text)
    return frozenset(word for line in read_lines(text) for word in line.split())
