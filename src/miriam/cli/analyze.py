"""`miriam analyze`: the analyses of Green et al. (2013, 2014), for any runs and systems."""

from __future__ import annotations

import click

from miriam.cli.command import LazyGroup

__all__ = ["command"]

COMMANDS: dict[str, tuple[str, str]] = {
    "overlap": ("miriam.cli.analyze_overlap", "Count the features that weights have in common."),
    "domains": ("miriam.cli.analyze_domains", "Show which words each tuning set prefers."),
    "reordering": (
        "miriam.cli.analyze_reordering",
        "List main clauses that two systems order differently, to be judged.",
    ),
    "references": (
        "miriam.cli.analyze_references",
        "Measure how much scores depend on the reference.",
    ),
    "runtime": ("miriam.cli.analyze_runtime", "Show what the time of tuning was spent on."),
}


@click.group("analyze", cls=LazyGroup, commands_by_module=COMMANDS)
def command() -> None:
    """Ask what runs, references and systems have in common, and in what they differ."""
