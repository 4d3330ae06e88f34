"""`miriam lm`: estimate, query and convert language models."""

from __future__ import annotations

import click

from miriam.cli.command import LazyGroup

__all__ = ["command"]

COMMANDS = {
    "estimate": ("miriam.cli.lm_estimate", "Estimate a model from text."),
    "query": ("miriam.cli.lm_query", "Score text: perplexity, and each word on request."),
    "convert": ("miriam.cli.lm_convert", "Turn an ARPA file into a table to be mapped, or back."),
}


@click.group("lm", cls=LazyGroup, commands_by_module=COMMANDS)
def command() -> None:
    """Language models: estimate, query, convert."""
