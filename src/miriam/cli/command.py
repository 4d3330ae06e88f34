"""What all commands share: lazy loading, and the options that mean the same everywhere."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["Command", "LazyGroup", "json_option", "on_bad_option", "seed_option", "threads_option"]

F = TypeVar("F", bound=Callable[..., Any])


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, so that `--help` is quick."""

    def __init__(
        self, *args: Any, commands_by_module: dict[str, tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.commands_by_module = commands_by_module

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Show the help where no command is named."""
        return super().parse_args(ctx, args or ["--help"])

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order in which they are listed in the source."""
        return list(self.commands_by_module)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name: the function `command` of its module."""
        if cmd_name not in self.commands_by_module:
            return None
        module = importlib.import_module(self.commands_by_module[cmd_name][0])
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, text) for name, (_, text) in self.commands_by_module.items()]
            )


class Command(click.Command):
    """A command with `--debug`, which `main` looks for among the arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(
            click.Option(
                ["--debug"], is_flag=True, expose_value=False, help="Show a traceback on errors."
            )
        )


def threads_option(function: F) -> F:
    """`--threads N`: how many threads; the result is the same with any number."""
    return click.option(
        "--threads",
        type=click.IntRange(min=1),
        default=os.cpu_count() or 1,
        show_default="all processors",
        help="Threads to use; the result is the same with any number.",
    )(function)


def seed_option(function: F) -> F:
    """`--seed N`: where every random choice comes from."""
    return click.option(
        "--seed", type=click.IntRange(min=0), default=1, show_default=True,
        help="Seed of every random choice.",
    )(function)  # fmt: skip


def json_option(function: F) -> F:
    """`--json`: the result for a program instead of a person."""
    return click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")(
        function
    )


def on_bad_option(function: F) -> F:
    """`--on-bad error|skip`: what to do with lines that cannot be used."""
    return click.option(
        "--on-bad",
        type=click.Choice(["error", "skip"]),
        default="error",
        show_default=True,
        help="Refuse input with a bad line, or leave such lines out of all files and count them.",
    )(function)
