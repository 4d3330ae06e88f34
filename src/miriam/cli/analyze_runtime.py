"""`miriam analyze runtime`: what the time of tuning was spent on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from miriam.cli.command import Command, json_option
from miriam.errors import InputError

if TYPE_CHECKING:
    from miriam.analysis.runtime import Runtime

__all__ = ["command"]


@click.command(cls=Command)
@click.argument("folders", metavar="DIR...", nargs=-1, required=True)
@json_option
def command(folders: tuple[str, ...], as_json: bool) -> None:
    """Show epochs to the best one, and seconds an epoch by kind of work (2013, Table 8).

    DIR is a model, a folder with runs/ in it, or the folder of a run; of each come the runs that
    have learnt something. Decoding is the search; extraction makes the features of its candidates;
    gold scores them against the references; learning is gradients (the inner products of weights
    and features among them) and updates; development is the judging of an epoch. Seconds are means
    by the clock. Work of mini-batches that overlap counts each for itself.

    \b
    miriam analyze runtime de-en de-en-sparse
    """  # noqa: D301
    from miriam.analysis.run import find_runs
    from miriam.analysis.runtime import runtime_of
    from miriam.cli.runs import name_of

    runs = [(folder, run) for folder in folders for run in find_runs(folder)]
    learnt = [
        runtime_of(run, name_of(folder, run, many=len(folders) > 1))
        for folder, run in runs
        if any(epoch.epoch > 0 for epoch in run.epochs)
    ]
    if not learnt:
        raise InputError("there is no run of tuning here", path=folders[0])
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(learnt))
    else:
        _show(learnt)


def _show(learnt: list[Runtime]) -> None:
    from miriam.analysis.runtime import WORK
    from miriam.cli.corpus import print_table

    rows: list[list[object]] = [
        ["epochs", *(row.epochs for row in learnt)],
        ["best epoch", *(row.best for row in learnt)],
        ["first near the best", *(row.near for row in learnt)],
        ["active features", *("" if row.features is None else row.features for row in learnt)],
        ["seconds an epoch", *(_seconds(row.seconds) for row in learnt)],
    ]
    rows += [[f"  {work}", *(_seconds(row.split.get(work)) for row in learnt)] for work in WORK]
    print_table(["", *(row.name for row in learnt)], rows)


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
