"""`miriam runs`: the runs of models, side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miriam.cli.command import Command, json_option
from miriam.errors import InputError

if TYPE_CHECKING:
    from miriam.analysis.run import Run

__all__ = ["command", "name_of"]


@click.command(cls=Command)
@click.argument("folders", metavar="DIR...", nargs=-1, required=True)
@json_option
def command(folders: tuple[str, ...], as_json: bool) -> None:
    """List the runs of models and compare them: scores, features, times, settings that differ.

    DIR is a model, a folder with runs/ in it, or the folder of a run.

    \b
    miriam runs de-en de-en-sparse
    """  # noqa: D301
    import msgspec

    from miriam.analysis.comparing import differing_settings
    from miriam.analysis.run import find_runs
    from miriam.cli.corpus import print_table

    runs = [(folder, run) for folder in folders for run in find_runs(folder)]
    if not runs:
        raise InputError("there is no run here", path=folders[0])
    differing = differing_settings([run for _, run in runs])
    if as_json:
        listed = [_record(folder, run) for folder, run in runs]
        click.echo(msgspec.json.encode({"runs": listed, "differing": differing}))
        return
    names = [name_of(folder, run, many=len(folders) > 1) for folder, run in runs]
    rows = [[name, *_shown(run)] for name, (_, run) in zip(names, runs, strict=True)]
    print_table(["run", "score", "kept epoch", "active features", "seconds", "begun"], rows)
    named = zip(names, runs, strict=True)
    scored = [[name, *cells] for name, (_, run) in named for cells in _scores(run)]
    if scored:
        click.echo()
        print_table(["run", "test set", "metric", "untuned", "score"], scored)
    if differing and len(runs) > 1:
        click.echo("Settings that differ:")
        cells = [[path, *map(_value, values)] for path, values in differing.items()]
        print_table(["setting", *names], cells)


def name_of(folder: str, run: Run, *, many: bool) -> str:
    """What to call a run in a table, among those of several folders if there are `many`."""
    inside = many and run.folder != Path(folder)
    return f"{Path(folder).resolve().name}/{run.name}" if inside else run.name


def _record(folder: str, run: Run) -> dict[str, Any]:
    best = run.best
    return {
        "folder": folder, "name": run.name, "score": best.score if best else None,
        "kept_epoch": best.epoch if best else None, "epochs": len(run.epochs),
        "features": best.features if best else None, "seconds": run.seconds,
        "timings": run.timings, "scores": run.scores, "about": run.about, "settings": run.settings,
    }  # fmt: skip


def _shown(run: Run) -> list[str]:
    best = run.best
    score = f"{best.score:.2f}" if best and best.score is not None else ""
    epoch = f"{best.epoch} of {run.epochs[-1].epoch}" if best else ""
    features = f"{best.features:,}" if best and best.features is not None else ""
    return [score, epoch, features, f"{run.seconds:.1f}", run.about.started]


def _scores(run: Run) -> list[list[str]]:
    """What a run reached on test sets."""
    return [
        [s.test, s.metric, "" if s.untuned is None else f"{s.untuned:.2f}", f"{s.score:.2f}"]
        for s in run.scores
    ]


def _value(value: Any) -> str:
    return "" if value is None else json.dumps(value)
