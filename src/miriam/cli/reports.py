"""What commands share that show a run, and perhaps a text translated by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from miriam.cli.command import ManyOption
from miriam.errors import ConfigError

if TYPE_CHECKING:
    from miriam.analysis.report.content import Report

__all__ = ["gather_report", "report_options"]

F = TypeVar("F", bound=Callable[..., Any])


def report_options(function: F) -> F:
    """`DIR [--run NAME] [--source F [--references F …] [--tokens]]`."""
    for option in (
        click.option("--tokens", is_flag=True, help="The text is tokens, as the model knows it."),
        click.option("--references", cls=ManyOption, default=[],
                     help="Its translations; F stands for F.0, F.1, ... too."),
        click.option("--source", metavar="F", help="A text to translate, a sentence a line."),
        click.option("--run", metavar="NAME", help="One of DIR/runs.  [default: the last]"),
        click.argument("folder", metavar="DIR"),
    ):  # fmt: skip
        function = option(function)
    return function


def gather_report(
    folder: str, *, run: str | None, source: str | None, references: Sequence[str], tokens: bool,
    threads: int, explain: int | None = None,
) -> Report:  # fmt: skip
    """What there is to say of a run, and of the text if one is given."""
    from miriam.cli.show import show_progress
    from miriam.corpus.references import reference_files
    from miriam.pipeline.report import Text, choose_run, gather
    from miriam.text.files import read_parallel

    if source is None and (references or tokens or explain):
        raise ConfigError("--references, --tokens and --explain are about a --source")
    chosen = choose_run(folder, run)
    text = None
    if source is not None:
        columns = zip(*read_parallel([source, *reference_files(references)]), strict=True)
        lines, *known = map(list, columns)
        text = Text(source=lines, references=known, tokens=tokens)
    with show_progress() as progress:
        return gather(folder, chosen, text, explain=explain, threads=threads, progress=progress)
