"""The options of commands that open a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["model_options"]

F = TypeVar("F", bound=Callable[..., Any])


def model_options(function: F) -> F:
    """`--model`, `--weights`, `--allow-missing-weights` and `--set`."""
    for option in (
        click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE",
                     help="Change one setting, as in --set search.pops=1000."),
        click.option("--allow-missing-weights", is_flag=True,
                     help="Features without a weight weigh nothing."),
        click.option("--weights", metavar="F", help="Other weights: `name value` lines."),
        click.option("--model", required=True, metavar="DIR", help="The model directory."),
    ):  # fmt: skip
        function = option(function)
    return function
