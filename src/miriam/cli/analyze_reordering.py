"""`miriam analyze reordering`: main clauses that two systems order differently."""

from __future__ import annotations

import click

from miriam.cli.command import Command, ManyOption, json_option
from miriam.errors import ConfigError, InputError

__all__ = ["command"]


@click.command(cls=Command)
@click.argument("outputs", metavar="[FIRST SECOND]", nargs=-1)
@click.option("--begins", cls=ManyOption, metavar="WORDS", default=[],
              help="Only sentences that begin with these words; quote several, such as a "
              "conjunction and a verb.  [default: all]")  # fmt: skip
@click.option("--references", cls=ManyOption, default=[],
              help="Translations to judge by; F stands for F.0, F.1, ... too.")  # fmt: skip
@click.option("--out", metavar="F.tsv", help="Write the table to be judged.")
@click.option("--judged", metavar="F.tsv", help="Count the verdicts of a table that was judged.")
@json_option
def command(
    outputs: tuple[str, ...], begins: tuple[str, ...], references: tuple[str, ...],
    out: str | None, judged: str | None, as_json: bool,
) -> None:  # fmt: skip
    """List main clauses that two systems order differently (Green et al., 2013, section 5.3).

    FIRST and SECOND are what `miriam translate --format jsonl` wrote of the same sentences. The
    main clause is what stands before the first punctuation mark. Two systems order it differently
    if two of its words come out in opposite order, by their links, or if only one system translates
    its first word. Sentences that begin with a common verb are where languages with the verb first
    must be reordered.

    Write first, second, both or neither into the table's last column, for the translation whose
    order is right; then --judged counts them.

    \b
    miriam analyze reordering dense.jsonl sparse.jsonl --begins said went --out order.tsv
    miriam analyze reordering --judged order.tsv
    """  # noqa: D301
    if judged and not (outputs or out or begins or references):
        _count(judged, as_json=as_json)
    elif len(outputs) == 2 and out and not judged:
        _list(outputs, begins, references, out, as_json=as_json)
    else:
        raise ConfigError("give FIRST, SECOND and --out to list sentences, or --judged to count")


def _list(
    outputs: tuple[str, ...], begins: tuple[str, ...], references: tuple[str, ...], out: str,
    *, as_json: bool,
) -> None:  # fmt: skip
    from miriam.analysis.reordering import (
        begins_with,
        differences,
        read_outputs,
        write_differences,
    )
    from miriam.corpus.references import reference_files
    from miriam.text.files import read_parallel

    first, second = map(read_outputs, outputs)
    if len(first) != len(second):
        raise InputError(f"{len(second)} sentences, but {outputs[0]} has {len(first)}",
                         path=outputs[1])  # fmt: skip
    known = list(zip(*read_parallel(reference_files(references)), strict=True))
    if known and len(known[0]) != len(first):
        raise InputError(f"{len(known[0])} lines for {len(first)} sentences", path=references[0])
    phrases = [phrase.split() for phrase in begins]
    chosen = sum(not phrases or begins_with(output.source, phrases) for output in first)
    found = list(differences(first, second, phrases))
    write_differences(out, found, known)
    if as_json:
        import msgspec

        result = {"sentences": len(first), "chosen": chosen, "different": len(found),
                  "lines": [row.line for row in found]}  # fmt: skip
        click.echo(msgspec.json.encode(result))
        return
    of = f"{chosen:,} of {len(first):,} sentences begin so; " if phrases else ""
    click.echo(f"{of}{len(found):,} have their main clause in another order: {out}")


def _count(path: str, *, as_json: bool) -> None:
    from miriam.analysis.reordering import read_verdicts
    from miriam.cli.corpus import print_table

    counts = read_verdicts(path)
    missing = counts.pop("")
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode({**counts, "not_judged": missing}))
        return
    total = sum(counts.values())
    rows: list[list[object]] = [
        [verdict, count, f"{count / total:.1%}" if total else ""]
        for verdict, count in counts.items()
    ]
    print_table(["right order", "sentences", "of those judged"], rows)
    if missing:
        click.echo(f"{missing:,} not judged yet")
