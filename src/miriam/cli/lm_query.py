"""`miriam lm query`: what a language model says of text."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from miriam.cli.command import Command, json_option

if TYPE_CHECKING:
    from miriam.lm.model import Perplexity, SentenceModel

__all__ = ["command"]

BATCH_LINES = 10_000


@click.command("query", cls=Command)
@click.option("--lm", "model_path", required=True, help="A model: a table, or an ARPA file.")
@click.option("--text", default="-", show_default=True, help="Tokens, one sentence a line.")
@click.option("--classes", help="A map of words to classes (a word and a class a line).")
@click.option("--words", "by_word", is_flag=True, help="Show each word, with its n-gram's order.")
@json_option
def command(model_path: str, text: str, classes: str | None, by_word: bool, as_json: bool) -> None:
    """Score text by a language model: perplexity with and without unknown words.

    Log probabilities are natural. With --words, a line for each word: word, order of the n-gram
    that was found (0: unknown word), log probability.
    """
    import msgspec

    from miriam.lm.model import Perplexity
    from miriam.text.files import read_lines

    model = _load(model_path, classes)
    total = Perplexity(0, 0, 0, 0.0, 0.0)
    for lines in _batches(read_lines(text)):
        if by_word:
            _show_words(model, lines, as_json)
        total += model.perplexity(lines)
    if as_json:
        click.echo(msgspec.json.encode(_summary(total)))
    else:
        _show(total)


def _load(path: str, classes: str | None) -> SentenceModel:
    from miriam.lexicon.classes import read_classes
    from miriam.lm.classes import ClassModel
    from miriam.lm.model import LanguageModel

    model = LanguageModel.load(path)
    return model if classes is None else ClassModel(model, read_classes(classes))


def _batches(lines: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(lines, BATCH_LINES)):
        yield batch


def _show_words(model: SentenceModel, lines: Sequence[str], as_json: bool) -> None:
    import msgspec

    scores = model.score_words(lines)
    position = 0
    for line in lines:
        for word in (*line.split(), "</s>"):
            order = 0 if scores.unknown[position] else int(scores.orders[position])
            log = float(scores.logs[position])
            if as_json:
                row = {"word": word, "order": order, "log_probability": log}
                click.echo(msgspec.json.encode(row))
            else:
                sys.stdout.write(f"{word}\t{order}\t{log:.6f}\n")
            position += 1


def _summary(total: Perplexity) -> dict[str, Any]:
    return {
        "lines": total.lines,
        "words": total.words,
        "unknown": total.unknown,
        "log_probability": total.log_probability,
        "perplexity": total.perplexity,
        "perplexity_known": total.perplexity_known,
    }


def _show(total: Perplexity) -> None:
    click.echo(f"lines              {total.lines:,}")
    click.echo(f"words              {total.words:,}")
    click.echo(f"unknown words      {total.unknown:,}")
    click.echo(f"log probability    {total.log_probability:,.4f} (natural)")
    click.echo(f"perplexity         {total.perplexity:,.4f}")
    click.echo(f"  known words only {total.perplexity_known:,.4f}")
