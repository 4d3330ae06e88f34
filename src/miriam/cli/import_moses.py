"""`miriam import-moses`: a model of Moses' as a model of ours."""

from __future__ import annotations

import click

from miriam.cli.command import Command

__all__ = ["command"]


@click.command(cls=Command)
@click.argument("ini", metavar="MOSES.INI")
@click.argument("out", metavar="DIR")
def command(ini: str, out: str) -> None:
    """Import a Moses model: text phrase tables, reordering tables, ARPA files, and weights.

    The scores of derivations are Moses'. The model takes and gives tokens as Moses does, with
    Moses' escapes such as &apos;.

    \b
    miriam import-moses model/moses.ini de-en
    miriam translate --model de-en < tokens.de > tokens.en
    """  # noqa: D301
    import sys

    from miriam.cli.show import show_progress
    from miriam.pipeline.moses_model import import_moses_model

    with show_progress() as report:
        import_moses_model(ini, out, report=report)
    print(f"{out} is ready: miriam translate --model {out} < tokens", file=sys.stderr)
