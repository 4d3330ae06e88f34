"""`miriam analyze overlap`: which features weights have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from miriam.cli.command import Command, json_option
from miriam.errors import ConfigError

if TYPE_CHECKING:
    from miriam.analysis.overlap import Overlap

__all__ = ["command", "template_option", "weights_of"]

template_option = click.option(
    "--template", metavar="NAME", default="PT", show_default=True,
    help="The features that count: what stands before the first colon of their names.",
)  # fmt: skip


@click.command(cls=Command)
@click.argument("weights", metavar="WEIGHTS...", nargs=-1, required=True)
@template_option
@click.option("--shared", type=click.IntRange(min=0), metavar="N", default=10, show_default=True,
              help="Of two files, show so many features that both have.")  # fmt: skip
@json_option
def command(weights: tuple[str, ...], template: str, shared: int, as_json: bool) -> None:
    """Count the features that weights have in common (Green et al., 2013, Table 6).

    WEIGHTS are models, folders of runs, or files of weights. Of each two of them, A and B, it shows
    how many features of a template have a weight that is not 0 in A, in B, and in both; how many of
    these have the same sign; and how many source words their rules have on average.

    \b
    miriam analyze overlap tuned-on-mt06 tuned-on-bitext
    """  # noqa: D301
    from miriam.analysis.overlap import overlaps
    from miriam.cli.corpus import print_table

    if len(set(weights)) < 2:
        raise ConfigError("an overlap needs two different models, runs or files of weights")
    found = overlaps(weights_of(weights, template), template, heaviest=shared)
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(found))
        return
    head = ["A", "B", "|A|", "|B|", "|A ∩ B|", "same sign", "source words of A, B, A ∩ B"]
    print_table(head, [_cells(row) for row in found])
    if len(found) == 1 and found[0].heaviest:
        rows = [[s.name, f"{s.first:.4f}", f"{s.second:.4f}"] for s in found[0].heaviest]
        print_table(["in both", "weight in A", "weight in B"], rows)


def weights_of(paths: tuple[str, ...], template: str) -> Mapping[str, Mapping[str, float]]:
    """The weights by their path, refused if none has a feature of the template."""
    from miriam.analysis.weights import active, template_of, weights_in

    found = {path: weights_in(path) for path in paths}
    if not any(active(vector, template) for vector in found.values()):
        there = sorted({template_of(n) for vector in found.values() for n in active(vector)})
        raise ConfigError(
            f"--template {template}: no feature of it has a weight; there are {', '.join(there)}"
        )
    return found


def _cells(row: Overlap) -> list[object]:
    means = (row.words_a, row.words_b, row.words_both)
    words = ", ".join("–" if mean is None else f"{mean:.2f}" for mean in means)
    return [row.first, row.second, row.a, row.b, row.both, row.same_sign, words]
