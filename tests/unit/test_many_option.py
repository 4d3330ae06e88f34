"""Options with several values: which arguments they take, and which they leave alone."""

from __future__ import annotations

import json

import click
import pytest
from click.testing import CliRunner

from miriam.cli.command import Command, ManyOption


@click.command(cls=Command)
@click.option("--left", cls=ManyOption)
@click.option("--right", cls=ManyOption, metavar="NAME", default=["r"])
@click.option("--one", default="")
@click.option("--flag", is_flag=True)
@click.argument("rest", nargs=-1)
def show(
    left: tuple[str, ...], right: tuple[str, ...], one: str, flag: bool, rest: tuple[str, ...]
) -> None:
    """Print what was understood."""
    click.echo(json.dumps([left, right, one, flag, rest]))


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ("", [[], ["r"], "", False, []]),
        ("--left a", [["a"], ["r"], "", False, []]),
        ("--left a b c --right d e", [["a", "b", "c"], ["d", "e"], "", False, []]),
        ("--left a --right b --left c", [["a", "c"], ["b"], "", False, []]),
        ("--left=a b --flag", [["a", "b"], ["r"], "", True, []]),
        ("--left - a", [["-", "a"], ["r"], "", False, []]),
        ("--left=-a -", [["-a", "-"], ["r"], "", False, []]),
        ("--left a=b c", [["a=b", "c"], ["r"], "", False, []]),
        ("--left a --one b c", [["a"], ["r"], "b", False, ["c"]]),
        ("x --left a --flag y", [["a"], ["r"], "", True, ["x", "y"]]),
        ("--left a -- b --left", [["a"], ["r"], "", False, ["b", "--left"]]),
    ],
)
def test_values_up_to_the_next_option(args: str, expected: list[object]) -> None:
    result = CliRunner().invoke(show, args.split())
    assert result.exit_code == 0, result.output
    assert json.loads(result.output) == expected


@pytest.mark.parametrize("args", ["--left", "--left --flag", "--left --right a", "--left -- a"])
def test_no_value_is_refused(args: str) -> None:
    result = CliRunner().invoke(show, args.split())
    assert result.exit_code == 2
    assert "'--left' needs one or more values" in result.output


def test_help_shows_that_there_may_be_several() -> None:
    shown = CliRunner().invoke(show, ["--help"]).output
    assert "--left FILE [FILE ...]" in shown
    assert "--right NAME [NAME ...]" in shown
