"""`miriam translate`: text in, translations out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from miriam.cli.command import Command, threads_option
from miriam.cli.models import model_options
from miriam.errors import ConfigError, InputError

if TYPE_CHECKING:
    from miriam.pipeline.translator import Translation

__all__ = ["command"]

BATCH = 100  # sentences read for each thread before they are translated
CONFIDENCE_OVER = 100  # candidates over which a confidence is taken


@click.command(cls=Command)
@model_options
@click.option("--nbest", type=click.IntRange(1, 1000), default=1, show_default=True,
              help="How many translations of each sentence, in format moses or jsonl.")  # fmt: skip
@click.option("--distinct", is_flag=True, help="All of a sentence different.")
@click.option("--format", "form", type=click.Choice(["text", "moses", "jsonl"]),
              help="[default: text, and moses with --nbest]")  # fmt: skip
@click.option("--tokens", is_flag=True, help="Tokens in and out, as the model knows them.")
@click.option("--domains", metavar="F", help="The domain of each sentence, for a model that has "
              "features of domains.  [default: as the model classifies it]")  # fmt: skip
@threads_option
def command(
    model: str, weights: str | None, allow_missing_weights: bool, overrides: tuple[str, ...],
    nbest: int, distinct: bool, form: str | None, tokens: bool, domains: str | None, threads: int,
) -> None:  # fmt: skip
    """Translate standard input, a sentence a line, to standard output; an empty line stays empty.

    Format moses has a line for each translation: number of the sentence, translation, features and
    score, parted by |||. Format jsonl has an object for each sentence: with a confidence, the part
    of the probability of the 100 best candidates that this translation has, and with the links
    between source_tokens and tokens, counted from 0.

    \b
    miriam translate --model de-en < new.de > new.en
    """  # noqa: D301
    from miriam.pipeline.translator import Translator
    from miriam.text.files import read_lines

    form = form or ("moses" if nbest > 1 else "text")
    if form == "text" and nbest > 1:
        raise ConfigError(f"--nbest {nbest} needs --format moses or jsonl; text shows the best one")
    translator = Translator(
        model, weights=weights, overrides=overrides, allow_missing_weights=allow_missing_weights
    )
    wanted = max(nbest, CONFIDENCE_OVER) if form == "jsonl" else nbest
    size = 1 if sys.stdin.isatty() else BATCH * threads
    number = 0
    labels = read_lines(domains) if domains else None
    for lines in _batches(read_lines("-"), size):
        found = translator.decode_all(
            lines, nbest=wanted, distinct=distinct, threads=threads, tokens=tokens,
            domains=_labels(labels, lines, domains),
        )  # fmt: skip
        for line, candidates in zip(lines, found, strict=True):
            sys.stdout.write(_shown(form, number, line, candidates[:nbest]))
            number += 1
        sys.stdout.flush()


def _batches(lines: Iterator[str], size: int) -> Iterator[list[str]]:
    while batch := list(islice(lines, size)):
        yield batch


def _labels(
    labels: Iterator[str] | None, lines: Sequence[str], path: str | None
) -> list[str] | None:
    """The domains of some sentences, if there is a file of them."""
    if labels is None:
        return None
    found = list(islice(labels, len(lines)))
    if len(found) < len(lines):
        raise InputError("fewer lines of domains than sentences", path=path)
    return found


def _shown(form: str, number: int, line: str, candidates: Sequence[Translation]) -> str:
    """What is written of a sentence."""
    if form == "moses":
        return "".join(
            f"{number} ||| {c.text} ||| {_features(c)} ||| {c.score:.6f}\n" for c in candidates
        )
    if form == "text":
        return (candidates[0].text if candidates else "") + "\n"
    import msgspec

    rows = [
        {"translation": c.text, "score": c.score, "confidence": c.confidence, "tokens": c.tokens,
         "alignment": " ".join(f"{i}-{j}" for i, j in c.derivation.alignment)}
        for c in candidates
    ]  # fmt: skip
    source = " ".join(candidates[0].derivation.source) if candidates else ""
    nothing = {"translation": "", "tokens": "", "alignment": ""}
    shown: dict[str, Any] = {
        "source": line, "source_tokens": source, **(rows[0] if rows else nothing)
    }  # fmt: skip
    if len(rows) > 1:
        shown["nbest"] = rows
    return msgspec.json.encode(shown).decode() + "\n"


def _features(candidate: Translation) -> str:
    return " ".join(f"{n}= {v:.6g}" for n, v in sorted(candidate.derivation.features.items()))
