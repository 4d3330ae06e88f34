"""`--column NAME=FILE`: a further feature for each candidate, from a file of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from miriam.errors import ConfigError

__all__ = ["column_option", "columns_of"]

F = TypeVar("F", bound=Callable[..., Any])


def column_option(function: F) -> F:
    """`--column NAME=FILE`, as often as wanted."""
    return click.option(
        "--column", "columns", metavar="NAME=FILE", multiple=True,
        help="A further feature: a number for each line of the n-best file.",
    )(function)  # fmt: skip


def columns_of(columns: Sequence[str]) -> dict[str, str]:
    """The files by the name of the feature.

    >>> columns_of(["neural=scores.txt"])
    {'neural': 'scores.txt'}
    """
    files = {}
    for column in columns:
        name, equals, file = column.partition("=")
        if not (name and equals and file):
            raise ConfigError(f"--column {column}: expected NAME=FILE")
        files[name] = file
    return files
