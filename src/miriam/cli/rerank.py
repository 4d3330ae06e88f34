"""`miriam rerank`: choose among the translations that any system offers."""

from __future__ import annotations

import click

from miriam.cli.command import LazyGroup

__all__ = ["command"]

COMMANDS = {
    "tune": ("miriam.cli.rerank_tune", "Learn weights from n-best lists and references."),
    "apply": ("miriam.cli.rerank_apply", "Choose the best candidates by weights."),
}


@click.group(cls=LazyGroup, commands_by_module=COMMANDS)
def command() -> None:
    """Choose among the translations that any system offers.

    N-best lists are in Moses' format or, in files named *.jsonl, JSON lines.
    """
