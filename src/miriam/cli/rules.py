"""`miriam rules`: look into a rule table, make it smaller, read one from a text grammar."""

from __future__ import annotations

import click

from miriam.cli.command import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "show": ("miriam.cli.rules_show", "Show the rules of a source phrase."),
    "filter": ("miriam.cli.rules_filter", "Keep the best rules, or those that a text can use."),
    "import": ("miriam.cli.rules_import", "Read a text grammar of Moses' or cdec's."),
}


@click.group(cls=LazyGroup, commands_by_module=COMMANDS)
def command() -> None:
    """Look into a rule table, make it smaller, or read one from a text grammar."""
