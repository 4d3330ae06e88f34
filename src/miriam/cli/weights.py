"""`miriam weights`: what weighs in a model, and what a text uses of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from miriam.cli.command import Command, json_option, threads_option
from miriam.cli.corpus import print_table
from miriam.cli.models import model_options

if TYPE_CHECKING:
    from miriam.model.directory import ModelDirectory
    from miriam.tune.grouping.groups import Groups

__all__ = ["command"]


class Line(NamedTuple):
    """The features of a template, or the groups."""

    template: str
    active: int
    reused: int | None
    total: float


@click.command(cls=Command)
@model_options
@click.option("--source", metavar="F", help="Count what the n-best lists of this text use.")
@click.option("--tokens", is_flag=True, help="The text is tokens, as the model knows them.")
@click.option("--nbest", type=click.IntRange(1, 1000), default=1000, show_default=True,
              help="Candidates of each sentence of --source.")  # fmt: skip
@click.option("--groups", "groups_file", metavar="F",
              help="Groups that belong to --weights.  [default: the model's]")  # fmt: skip
@click.option("--heaviest", type=click.IntRange(min=0), default=10, show_default=True,
              help="How many groups to show.")  # fmt: skip
@json_option
@threads_option
def command(
    model: str, weights: str | None, allow_missing_weights: bool, overrides: tuple[str, ...],
    source: str | None, tokens: bool, nbest: int, groups_file: str | None, heaviest: int,
    as_json: bool, threads: int,
) -> None:  # fmt: skip
    """Show what weighs in a model: features by template, and groups of features.

    A feature is active if its weight is not 0; with --source, those are reused that occur in the
    n-best lists of a text. A group is active or reused if it has a weight, or one of its members
    is reused.

    \b
    miriam weights --model de-en --source test.de
    """  # noqa: D301
    import msgspec

    from miriam.pipeline.reuse import reused_features
    from miriam.pipeline.translator import Translator
    from miriam.text.files import read_lines

    translator = Translator(
        model, weights=weights, overrides=overrides, allow_missing_weights=allow_missing_weights
    )
    used = None
    if source:
        text = list(read_lines(source))
        used = reused_features(translator, text, nbest=nbest, threads=threads, tokens=tokens)
    groups = _known_groups(translator.directory, groups_file, own=weights is None)
    name = translator.decoder.features.name
    named = {name(int(i)): float(translator.weights[i]) for i in translator.weights.nonzero()[0]}
    lines = _templates(named, used)
    found = _groups(groups, used) if groups else []
    if as_json:
        click.echo(
            msgspec.json.encode({"templates": [line._asdict() for line in lines], "groups": found})
        )
        return
    if groups:
        lines.append(_all_groups(found, reused=used is not None))
    print_table(
        ["", "active", "reused", "sum of |weight|"],
        [[t, a, "" if r is None else r, f"{total:.4g}"] for t, a, r, total in lines],
    )
    if found and heaviest:
        print_table(
            ["group", "weight", "members"],
            [[g["title"], f"{g['weight']:.4g}", g["members"]] for g in found[:heaviest]],
        )


def _known_groups(model: ModelDirectory, file: str | None, *, own: bool) -> Groups | None:
    """The groups of a file, or those that belong to the model's own weights."""
    from miriam.lexicon.vocabulary import Vocabulary
    from miriam.pipeline.tune import GROUPS
    from miriam.tune.grouping.files import read_groups

    if file is None and not (own and GROUPS in model):
        return None
    return read_groups(file or model[GROUPS], Vocabulary())


def _templates(weights: dict[str, float], used: Collection[str] | None) -> list[Line]:
    from miriam.analysis.weights import by_template

    reused = {} if used is None else {
        t.name: t.active for t in by_template({name: weights[name] for name in used})
    }  # fmt: skip
    return [
        Line(t.name, t.active, None if used is None else reused.get(t.name, 0), t.total)
        for t in by_template(weights)
    ]


def _groups(groups: Groups, used: Collection[str] | None) -> list[dict[str, Any]]:
    """The groups that have a weight, heaviest first."""
    import numpy as np

    sizes = np.bincount(groups.of, minlength=len(groups)).tolist()
    reused = set[int]()
    if used is not None:
        members = zip(groups.of.tolist(), groups.members.tolist(), strict=True)
        reused = {group for group, member in members if groups.names.word(member) in used}
    order = sorted(np.flatnonzero(groups.weights).tolist(), key=lambda g: -abs(groups.weights[g]))
    return [
        {"number": g + 1, "weight": float(groups.weights[g]), "members": sizes[g],
         "title": groups.title(g), "reused": None if used is None else g in reused}
        for g in order
    ]  # fmt: skip


def _all_groups(found: Sequence[dict[str, Any]], *, reused: bool) -> Line:
    total = sum(abs(group["weight"]) for group in found)
    return Line("groups", len(found), sum(g["reused"] for g in found) if reused else None, total)
