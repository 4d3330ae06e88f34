"""`miriam lm convert`: ARPA files to tables, and back."""

from __future__ import annotations

import click

from miriam.cli.command import Command, threads_option

__all__ = ["command"]


@click.command("convert", cls=Command)
@click.option("--lm", "model_path", required=True, help="A model: an ARPA file, or a table.")
@click.option(
    "--out", required=True, help="The model: .arpa or .arpa.gz for text, else a table to be mapped."
)
@threads_option
def command(model_path: str, out: str, threads: int) -> None:
    """Turn an ARPA file into a table that opens in milliseconds, or a table into an ARPA file."""
    from miriam.lm.arpa import is_arpa, read_arpa, write_arpa
    from miriam.lm.model import LanguageModel, write_model

    if is_arpa(out):
        model = LanguageModel.load(model_path)
        write_arpa(out, model.arpa(threads=threads))
        return
    built, warning = read_arpa(model_path)
    if warning:
        click.echo(f"miriam: {warning}", err=True)
    write_model(out, built)
