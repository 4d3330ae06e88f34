"""`miriam select`: the lines of a large text that are like a small one."""

from __future__ import annotations

from collections.abc import Sequence

import click

from miriam.cli.command import Command
from miriam.cli.corpus import refuse_same
from miriam.errors import ConfigError

__all__ = ["command"]

TIMES = 20  # Green et al. (2014): of each domain, so many times the lines that are given


@click.command(cls=Command)
@click.option("--source", metavar="F", required=True, help="Token lines to choose from.")
@click.option("--target", metavar="F", help="Their translations.")
@click.option("--in-domain", "domains", metavar="[NAME=]F", multiple=True, required=True,
              help="Source token lines of the wanted kind.")  # fmt: skip
@click.option("--count", type=click.IntRange(min=1), help="Choose so many lines, whatever --times.")
@click.option("--times", type=click.FloatRange(min=0, min_open=True), default=TIMES,
              show_default=True, help="Choose so many for each line of F.")  # fmt: skip
@click.option("--longest", type=click.IntRange(1, 9), default=5, show_default=True,
              help="The n-grams to compare, in words.")  # fmt: skip
@click.option("--out-source", metavar="F", help="Write the chosen lines, the best first.")
@click.option("--out-target", metavar="F", help="Write their translations.")
@click.option("--out-lines", metavar="F", help="Write their numbers, counted from 1.")
@click.option("--out-domains", metavar="F",
              help="Write the names of the domains that each line was chosen for, or an empty "
              "line: labels for `miriam train --domains`.")  # fmt: skip
def command(
    source: str, target: str | None, domains: tuple[str, ...], count: int | None, times: float,
    longest: int, out_source: str | None, out_target: str | None, out_lines: str | None,
    out_domains: str | None,
) -> None:  # fmt: skip
    """Choose lines by feature decay: those that share most with a text, and not always the same.

    \b
    miriam select --source all.de --target all.en --in-domain law.de --count 5000 \
      --out-source law.train.de --out-target law.train.en
    miriam select --source train.de --in-domain law=law.de --in-domain talks=talks.de \
      --out-domains train.domains
    """  # noqa: D301
    from miriam.cli.show import show_progress
    from miriam.corpus.decay import choose, labels
    from miriam.text.files import open_write, read_lines, read_parallel

    named = [_named(text) for text in domains]
    outputs = [p for p in (out_source, out_target, out_lines, out_domains) if p]
    _check(named, target, outputs, out_target, out_domains)
    files = [source, *([target] if target else []), *(path for _, path in named)]
    refuse_same(files, outputs)
    rows = list(read_parallel([source, target] if target else [source]))
    chosen = {}
    for name, path in named:
        text = list(read_lines(path))
        most = count or round(times * len(text))
        with show_progress() as report:
            found = choose((row[0] for row in rows), text, most, longest=longest, report=report)
        chosen[name] = found.lines
        said = f"{name or path}: {len(found.lines):,} of {len(rows):,} lines"
        few = "; no other has a word of it" if len(found.lines) < min(most, len(rows)) else ""
        click.echo(said + few, err=True)
    lines = next(iter(chosen.values())).tolist()
    for column, out in enumerate((out_source, out_target)):
        if out:
            with open_write(out) as file:
                file.writelines(f"{rows[line][column]}\n".encode() for line in lines)
    if out_lines:
        with open_write(out_lines) as file:
            file.writelines(b"%d\n" % (line + 1) for line in lines)
    if out_domains:
        with open_write(out_domains) as file:
            file.writelines(f"{line}\n".encode() for line in labels(len(rows), chosen))


def _named(text: str) -> tuple[str, str]:
    """The name and the path of an in-domain file."""
    name, equals, path = text.partition("=")
    return (name, path) if equals else ("", text)


def _check(
    named: Sequence[tuple[str, str]], target: str | None, outputs: Sequence[str],
    out_target: str | None, out_domains: str | None,
) -> None:  # fmt: skip
    """Refuse what cannot be done."""
    if not outputs:
        raise ConfigError("nowhere to write to; give --out-source, --out-lines or --out-domains")
    if out_target and not target:
        raise ConfigError("--out-target needs --target, the translations")
    names = [name for name, _ in named]
    if out_domains:
        bad = [n for n in names if not n or n.split() != [n] or names.count(n) > 1]
        if bad:
            raise ConfigError(
                f"--out-domains needs a name for each text, as in law=law.de; {bad[0]!r} is no "
                "name, or is there twice"
            )
    if len(named) > 1 and outputs != [out_domains]:
        raise ConfigError("several texts are for --out-domains alone; choose lines for one text")
