"""`miriam train --preset characters`: from a table of words to a model that normalises spelling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from miriam.errors import ConfigError

__all__ = ["refuse_others", "train_spelling"]

SENTENCES = (
    "source", "target", "mono", "tokens", "no_tune", "tune_source", "tune_references", "dev_source",
    "dev_references", "test_source", "test_references",
)  # fmt: skip
"""Options of translators of sentences, which mean nothing here."""


def refuse_others(preset: str, pairs: str | None, params: Mapping[str, Any]) -> None:
    """Refuse a call in which options do not belong together."""
    if preset != "characters":
        raise ConfigError(f"--pairs goes with --preset characters, not with {preset}")
    if not pairs:
        raise ConfigError(
            "--preset characters needs --pairs F: words and their modern forms, with a tab between"
        )
    for name in SENTENCES:
        if params.get(name):
            option = name.replace("_", "-")
            raise ConfigError(f"--{option} does not go with --preset characters; leave it out")


def train_spelling(
    files: tuple[str, str | None, str | None], out: str, *, config_file: str | None,
    overrides: tuple[str, ...], seed: int | None, work: str | None, skip: bool, threads: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Train, and say what came of it."""
    from miriam.cli.watching import watched
    from miriam.config import load_file
    from miriam.pipeline.presets import preset_text
    from miriam.pipeline.spelling.settings import SpellingSettings
    from miriam.pipeline.spelling.train import WordFiles, train_normaliser
    from miriam.text.files import BadLines

    seeds = [] if seed is None else [f"seed={seed}"]
    settings = load_file(
        SpellingSettings, config_file, bases=[preset_text("characters")],
        overrides=[*seeds, *overrides],
    )  # fmt: skip
    with watched() as watch:
        trained = train_normaliser(
            WordFiles(*files), out, settings=settings, work=work, bad=BadLines(skip=skip),
            threads=threads, watch=watch,
        )  # fmt: skip
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(trained._asdict())))
        return
    click.echo(f"words learnt from: {trained.words:,}, different ones: {trained.types:,}")
    if trained.bad_lines:
        click.echo(f"bad lines left out: {trained.bad_lines:,}")
    click.echo(f"{out} is ready: miriam normalise --model {out} < text")
