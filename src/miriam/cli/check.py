"""`miriam check`: is a model whole?"""

from __future__ import annotations

import click

from miriam.cli.command import Command, json_option

__all__ = ["command"]


@click.command(cls=Command)
@click.argument("model", metavar="DIR")
@json_option
def command(model: str, as_json: bool) -> None:
    """Verify a model directory: every file there, of the right size and build, and undamaged."""
    import msgspec

    from miriam.cli.show import show_progress
    from miriam.model.directory import open_model
    from miriam.pipeline.translator import Translator

    with show_progress() as report:
        directory = open_model(model)
        size = directory.verify(report)
    Translator(model)
    manifest = directory.manifest
    if as_json:
        click.echo(msgspec.json.encode(manifest))
    else:
        click.echo(f"{model}: {len(manifest.files)} files, {size:,} bytes, build {manifest.build}, "
                   "all as they were written")  # fmt: skip
