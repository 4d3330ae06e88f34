"""What all commands share: lazy loading, and the options that mean the same everywhere."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import zip_longest
from typing import Any, TypeVar

import click

__all__ = [
    "Command",
    "LazyGroup",
    "ManyOption",
    "json_option",
    "on_bad_option",
    "seed_option",
    "threads_option",
]

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


class ManyOption(click.Option):
    """An option of a `Command` with one or more values: `--file a b` or `--file a --file b`.

    It takes the arguments up to the next option. `-` alone is a value, and so is a name that begins
    with a dash in `--file=-x`.
    """

    def __init__(self, *args: Any, metavar: str = "FILE", **kwargs: Any) -> None:
        kwargs.update(multiple=True, metavar=f"{metavar} [{metavar} ...]")
        super().__init__(*args, **kwargs)


def _repeat_options(args: Sequence[str], many: Container[str]) -> Iterator[str]:
    """The arguments with `--many a b` written as `--many=a --many=b`, which click can read."""
    end = args.index("--") if "--" in args else len(args)
    option = ""  # the one of `many` whose values are being read
    for arg, following in zip_longest(args[:end], args[1:end], fillvalue="--"):
        if not _is_option(arg):
            yield f"{option}={arg}" if option else arg
            continue
        name, equals, _ = arg.partition("=")
        option = name if name in many else ""
        if not option or equals:
            yield arg
        elif _is_option(following):
            raise click.BadOptionUsage(option, f"Option '{option}' needs one or more values.")
    yield from args[end:]


def _is_option(arg: str) -> bool:
    return arg.startswith("-") and arg != "-"


class Command(click.Command):
    """A command with `--debug`, which `main` looks for among the arguments, and `ManyOption`s."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(
            click.Option(
                ["--debug"], is_flag=True, expose_value=False, help="Show a traceback on errors."
            )
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, those of a `ManyOption` too."""
        many = {o for p in self.params if isinstance(p, ManyOption) for o in p.opts}
        return super().parse_args(ctx, list(_repeat_options(args, many)))


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
