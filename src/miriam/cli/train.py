"""`miriam train`: from two files of text to a model that translates."""

from __future__ import annotations

import click

from miriam.cli.command import Command, ManyOption, on_bad_option, threads_option

__all__ = ["command"]


@click.command(cls=Command)
@click.option("--source", required=True, metavar="F", help="Sentences to translate from.")
@click.option("--target", required=True, metavar="F", help="Their translations, line by line.")
@click.option("--out", required=True, metavar="DIR", help="The model directory to write.")
@click.option("--mono", cls=ManyOption, default=[],
              help="More text of the target language, for the language model.")  # fmt: skip
@click.option("--tokens", is_flag=True, help="The text is tokenised, and its case is right.")
@click.option("--work", metavar="DIR", help="Keep what each step makes in this folder, to train "
              "again with other settings.  [default: DIR.work, removed at the end]")  # fmt: skip
@click.option("--preset", metavar="NAME", default="words", show_default=True,
              help="Ready settings: words or hierarchical.")  # fmt: skip
@click.option("--config", "config_file", metavar="F", help="Settings, as TOML; they lie on the "
              "preset's.")  # fmt: skip
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE",
              help="Change one setting, as in --set lm.order=4.")  # fmt: skip
@on_bad_option
@threads_option
def command(
    source: str, target: str, out: str, mono: tuple[str, ...], tokens: bool,
    work: str | None, preset: str, config_file: str | None, overrides: tuple[str, ...],
    on_bad: str, threads: int,
) -> None:  # fmt: skip
    """Train a translator from parallel text: one sentence a line, in two files.

    Raw text is tokenised by the language that ends the file's name (train.de), and truecased. A
    training that was stopped goes on where it was when the same command is given again.

    \b
    miriam train --source train.de --target train.en --out de-en
    miriam translate --model de-en < new.de
    """  # noqa: D301
    import sys

    from miriam.cli.show import show_progress
    from miriam.config import load_file
    from miriam.pipeline.presets import preset_text
    from miriam.pipeline.settings import TrainSettings
    from miriam.pipeline.train import train_model, with_text
    from miriam.text.files import BadLines

    base = preset_text(preset)
    settings = load_file(TrainSettings, config_file, base=base, overrides=overrides)
    settings = with_text(settings, source, target, tokens=tokens)
    bad = BadLines(skip=on_bad == "skip")
    with show_progress() as report:
        dropped = train_model(
            source, target, out,
            settings=settings, mono=mono, work=work, bad=bad, threads=threads, report=report,
        )  # fmt: skip
    if dropped:
        listed = ", ".join(f"{count:,} {reason}" for reason, count in dropped.items())
        print(f"left out of the training: {listed}", file=sys.stderr)
    print(f"{out} is ready: miriam translate --model {out} < text", file=sys.stderr)
