"""`miriam align`: word alignments of a bitext, by a new aligner or a saved one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from miriam.cli.command import Command, threads_option

if TYPE_CHECKING:
    from miriam.align.aligner import Aligner, Bitext
    from miriam.align.links import Links
    from miriam.progress import Report

Rows = Iterator[tuple[str, ...]]

MODELS = ["hmm", "fast", "ibm1"]
SYMMETRISE = [
    "grow-diag", "grow-diag-final", "grow-diag-final-and", "grow", "intersection", "union",
    "posterior",
]  # fmt: skip


@click.command(cls=Command)
@click.option("--source", required=True, help="Source sentences, one a line, tokenised.")
@click.option("--target", required=True, help="Their translations, line by line.")
@click.option("--out", required=True, help="The links, in Pharaoh format (0-0 1-2); - is stdout.")
@click.option("--model", type=click.Choice(MODELS), help="What to train: hmm (default) is the most "
              "accurate, fast the fastest.")  # fmt: skip
@click.option("--symmetrise", type=click.Choice(SYMMETRISE),
              help="How both directions become one alignment (default: grow-diag).")  # fmt: skip
@click.option("--save", type=click.Path(dir_okay=False), help="Keep the trained aligner here.")
@click.option("--aligner", type=click.Path(dir_okay=False),
              help="Align by this saved aligner, and train none.")  # fmt: skip
@click.option("--config", "config_file", help="Settings, as TOML.")
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE",
              help="Change one setting, as in --set model.iterations=8.")  # fmt: skip
@threads_option
def command(
    source: str,
    target: str,
    out: str,
    model: str | None,
    symmetrise: str | None,
    save: str | None,
    aligner: str | None,
    config_file: str | None,
    overrides: tuple[str, ...],
    threads: int,
) -> None:
    """Align the words of a bitext.

    An aligner is learnt from the bitext, or taken from --aligner. Each line of --out belongs to a
    sentence pair: 2-1 links the third source word with the second target word. Pairs that cannot
    be aligned, because one side is empty or very long, have an empty line and are counted.

    \b
    miriam align --source train.de --target train.en --out aligned --save de-en.aligner
    miriam align --source new.de --target new.en --out aligned.new --aligner de-en.aligner
    """  # noqa: D301
    from miriam.align.links import pharaoh
    from miriam.cli.show import show_progress
    from miriam.errors import ConfigError, InputError
    from miriam.text.files import open_write, read_parallel

    if aligner and (model or save or config_file):
        raise ConfigError(
            "--aligner goes without --model, --save and --config: it has its own model"
        )
    if save and not os.access(Path(save).absolute().parent, os.W_OK):
        raise InputError("its folder does not exist, or cannot be written to", path=save)
    if not (model or config_file or aligner):
        model = "hmm"
    chosen = {"model.kind": model, "symmetrise": symmetrise}
    changes = [f"{path}={value}" for path, value in chosen.items() if value] + list(overrides)
    rows = read_parallel([source, target])
    # The output is opened first: that it cannot be written should not be learnt after an hour.
    with open_write(out) as file, show_progress() as report:
        if aligner:
            trained, bitext = _load(aligner, changes, rows)
        else:
            trained, bitext = _train((config_file, changes), rows, source, threads, report)
        links = trained.links(bitext, threads=threads, report=report)
        if save:
            trained.save(save)
        file.writelines(pharaoh(links))
    print(_summary(links, bitext, trained.settings.max_length), file=sys.stderr)


def _load(path: str, changes: list[str], rows: Rows) -> tuple[Aligner, Bitext]:
    from miriam.align.aligner import load_aligner

    trained = load_aligner(path).with_settings(changes)
    return trained, trained.encode(rows)


def _train(
    settings_from: tuple[str | None, list[str]],
    rows: Rows,
    source: str,
    threads: int,
    report: Report,
) -> tuple[Aligner, Bitext]:
    from miriam.align.aligner import Bitext
    from miriam.align.models import AlignSettings
    from miriam.align.train import train_encoded
    from miriam.config import load_file
    from miriam.errors import InputError
    from miriam.lexicon.vocabulary import Vocabulary, encode

    config_file, changes = settings_from
    settings = load_file(AlignSettings, config_file, overrides=changes)
    words = (Vocabulary(), Vocabulary())
    bitext = Bitext.of(*encode(rows, words), max_length=settings.max_length)
    if bitext.usable == 0:
        raise InputError("no sentence pair to learn from has words on both sides", path=source)
    return train_encoded(bitext, words, settings, threads=threads, report=report), bitext


def _summary(links: Links, bitext: Bitext, max_length: int) -> str:
    text = f"{len(links):,} sentence pairs, {len(links.points):,} links"
    if bitext.empty:
        text += f"; {bitext.empty:,} pairs have none, because a side is empty"
    if bitext.long:
        text += f"; {bitext.long:,} pairs have none, because a side has over {max_length:,} words"
    return text
