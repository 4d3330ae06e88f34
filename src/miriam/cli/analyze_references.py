"""`miriam analyze references`: how much scores depend on the reference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from miriam.cli.command import Command, ManyOption, json_option

if TYPE_CHECKING:
    from miriam.analysis.references import ReferenceScores

__all__ = ["command"]


@click.command(cls=Command)
@click.option("--hypothesis", metavar="F", required=True, help="Translations, a sentence a line.")
@click.option(
    "--references",
    cls=ManyOption,
    required=True,
    help="Two or more reference translations; F stands for F.0, F.1, ... too.",
)
@click.option("--tokenize", metavar="NAME", default="13a", show_default=True,
              help="SacreBLEU's tokeniser: 13a, none, intl, zh, char, ...")  # fmt: skip
@click.option("--tokens", is_flag=True, help="The text is tokenised; the same as --tokenize none.")
@click.option("--lowercase", is_flag=True, help="Ignore case.")
@click.option("--out", metavar="FOLDER", help="Draw the figure there, with Matplotlib.")
@click.option("--format", "form", type=click.Choice(["png", "svg"]), default="png",
              show_default=True, help="Of the pictures.")  # fmt: skip
@json_option
def command(
    hypothesis: str, references: tuple[str, ...], tokenize: str, tokens: bool, lowercase: bool,
    out: str | None, form: str, as_json: bool,
) -> None:  # fmt: skip
    """Measure how much a sentence's score depends on the reference (Green et al., 2014, Figure 1).

    Each sentence has a score by each reference alone, and one by all. It shows the mean and the
    standard deviation of the highest less the lowest, and of that by all less the highest, for
    BLEU+1 and for the variant of Nakov et al. (2012), which smooths further.

    \b
    miriam analyze references --hypothesis dev.out --references dev.en.0 dev.en.1 --out pictures
    """  # noqa: D301
    from miriam.analysis.references import METRICS, reference_scores
    from miriam.cli.corpus import print_table
    from miriam.cli.evaluate import known_tokenizer
    from miriam.corpus.references import reference_files
    from miriam.metrics.sacre import tokenizer
    from miriam.text.files import read_parallel

    tokenised = tokenizer(known_tokenizer("none" if tokens else tokenize), lowercase=lowercase)
    rows = read_parallel([hypothesis, *reference_files(references)])
    columns = [[tokenised(line) for line in column] for column in zip(*rows, strict=True)]
    found = {n: reference_scores(columns[0], columns[1:], m) for n, m in METRICS.items()}
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode({name: _record(scores) for name, scores in found.items()}))
    else:
        head = ["metric", "sentences", "highest − lowest", "SD", "all − highest", "SD"]
        table = [
            [name, len(s.lowest), *(f"{value:.2f}" for value in (*s.spread, *s.gain))]
            for name, s in found.items()
        ]
        print_table(head, table)
    if out:
        _draw(found, Path(out), form)


def _draw(found: dict[str, ReferenceScores], folder: Path, form: str) -> None:
    from miriam.analysis.pictures import draw
    from miriam.analysis.references import reference_charts

    folder.mkdir(parents=True, exist_ok=True)
    for name, scores in found.items():
        charts = reference_charts(name, scores)
        path = folder / f"{charts[0].name.removesuffix('-a')}.{form}"
        draw(charts, path)
        click.echo(path, err=True)


def _record(scores: ReferenceScores) -> dict[str, object]:
    parts = {"spread": scores.spread, "gain": scores.gain}
    moments = {name: {"mean": mean, "deviation": sd} for name, (mean, sd) in parts.items()}
    points = {"lowest": scores.lowest, "highest": scores.highest, "all": scores.together}
    return {**moments, **{name: values.tolist() for name, values in points.items()}}
