"""`miriam explain`: why the model translates a sentence as it does."""

from __future__ import annotations

import click

from miriam.cli.command import Command, json_option
from miriam.cli.models import model_options
from miriam.errors import ConfigError, InputError

__all__ = ["command"]


@click.command(cls=Command)
@click.argument("sentence")
@model_options
@click.option("--tokens", is_flag=True, help="The sentence is tokenised, as the model knows it.")
@click.option("--html", "as_html", is_flag=True, help="Print tables for a web page.")
@json_option
def command(
    sentence: str, model: str, weights: str | None, allow_missing_weights: bool,
    overrides: tuple[str, ...], tokens: bool, as_html: bool, as_json: bool,
) -> None:  # fmt: skip
    """Translate a sentence, and show its phrases and what each feature contributes to the score.

    \b
    miriam explain --model de-en "Ein Hund läuft."
    """  # noqa: D301
    from miriam.pipeline.translator import Translator

    if as_html and as_json:
        raise ConfigError("--html and --json are two answers; ask for one")
    translator = Translator(
        model, weights=weights, overrides=overrides, allow_missing_weights=allow_missing_weights
    )
    found = translator.decode(sentence, tokens=tokens)
    if not sentence.strip() or not found:
        raise InputError("the sentence has no words to explain")
    explanation = found[0].derivation.explain()
    if as_json:
        click.echo(explanation.json())
    elif as_html:
        click.echo(explanation.html())
    else:
        click.echo(f"{found[0].text}\n\n{explanation}")
