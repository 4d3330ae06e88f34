"""`miriam analyze domains`: which words each tuning set prefers."""

from __future__ import annotations

import click

from miriam.cli.analyze_overlap import template_option, weights_of
from miriam.cli.command import Command, ManyOption, json_option
from miriam.errors import ConfigError

__all__ = ["command"]


@click.command(cls=Command)
@click.option("--texts", cls=ManyOption, required=True,
              help="The target side of each tuning set, token lines; F stands for F.0, F.1, ... "
              "too, which are counted together.")  # fmt: skip
@click.option("--weights", cls=ManyOption, required=True, metavar="WEIGHTS",
              help="What was learnt from each: models, folders of runs, or files.")  # fmt: skip
@click.option(
    "--terms",
    cls=ManyOption,
    metavar="TERM",
    default=[],
    help="Words to count, such as spellings of one word; quote several words.",
)
@template_option
@click.option("--limit", type=click.IntRange(min=0), metavar="N", default=20, show_default=True,
              help="Show so many source phrases whose best target differs.")  # fmt: skip
@json_option
def command(
    texts: tuple[str, ...], weights: tuple[str, ...], terms: tuple[str, ...], template: str,
    limit: int, as_json: bool,
) -> None:  # fmt: skip
    """Show which spelling or term each tuning set prefers (Green et al., 2013, Table 7).

    It counts each term in the texts, and the rules with it whose features have a weight that is not
    0. Then come source phrases of which the weights prefer different translations.

    \b
    miriam analyze domains --texts news.en bible.en --weights news-model bible-model \\
      --terms program programme
    """  # noqa: D301
    from miriam.analysis.domains import TuningSet, preferences, terms_of
    from miriam.cli.corpus import print_table
    from miriam.corpus.references import reference_files
    from miriam.text.files import read_lines

    if len(texts) != len(weights):
        raise ConfigError(
            f"--texts has {len(texts)} values and --weights {len(weights)}; each text needs the "
            "weights that were learnt from it"
        )
    if len(set(weights)) < len(weights):
        raise ConfigError("--weights names the same weights twice")
    learnt = weights_of(weights, template)
    sets = [
        TuningSet(
            name=weight, weights=learnt[weight],
            lines=[line for file in reference_files([text]) for line in read_lines(file)],
        )
        for text, weight in zip(texts, weights, strict=True)
    ]  # fmt: skip
    counted, preferred = terms_of(sets, terms, template), preferences(sets, template, limit=limit)
    if as_json:
        import msgspec

        result = {"sets": [one.name for one in sets], "terms": counted, "preferences": preferred}
        click.echo(msgspec.json.encode(result))
        return
    names = [one.name for one in sets]
    if counted:
        head = ["term", *(f"# {name}" for name in names), *(f"{template} {name}" for name in names)]
        print_table(head, [[row.term, *row.tokens, *row.rules] for row in counted])
    if preferred:
        cells = [
            [row.source, *(f"{target} {weight:+.3f}" if target is not None else ""
             for target, weight in zip(row.targets, row.weights, strict=True))]
            for row in preferred
        ]  # fmt: skip
        print_table(["best translation of", *names], cells)
    elif limit and len(sets) > 1:
        click.echo("The weights prefer different translations of no source phrase.")
