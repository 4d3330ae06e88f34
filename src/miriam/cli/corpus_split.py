"""`miriam corpus split`: parts of a bitext that share no sentence."""

from __future__ import annotations

from pathlib import Path

import click

from miriam.cli.command import Command, json_option, on_bad_option, seed_option
from miriam.cli.corpus import columns, input_options, output_options, print_table, refuse_same
from miriam.errors import ConfigError

__all__ = ["command"]


@click.command("split", cls=Command)
@input_options
@output_options
@click.option(
    "--sizes",
    metavar="NAME=N[,...]",
    required=True,
    help="The parts to set aside, in pairs, such as tune=5000,test=2000.",
)
@click.option("--rest", metavar="NAME", default="train", show_default=True, help="What is left.")
@click.option("--stratify", is_flag=True, help="Give each part the domains in the same shares.")
@seed_option
@on_bad_option
@json_option
def command(
    source: str, target: str, domains: str | None,
    out_source: str, out_target: str, out_domains: str | None,
    sizes: str, rest: str, stratify: bool, seed: int, on_bad: str, as_json: bool,
) -> None:  # fmt: skip
    """Set tuning and test sets aside, at random, before anything is learnt from the rest.

    Pairs that share a source or a target sentence go to the same part. In the names of the output
    files `{part}` stands for the name of the part: --out-source '{part}.de.gz'. The lines of a part
    stay in their order. The files are read twice, so standard input cannot be split.
    """
    import msgspec

    from miriam.corpus.bitext import read_bitext
    from miriam.corpus.splits import Splitting, split, write_parts
    from miriam.text.files import BadLines

    if domains is None and (stratify or out_domains is not None):
        raise ConfigError("--stratify and --out-domains need --domains, the labels")
    settings = Splitting(sizes=_parse_sizes(sizes), rest=rest, seed=seed, stratify=stratify)
    inputs = columns(source, target, domains)
    patterns = columns(out_source, out_target, out_domains)
    outputs = [_name(pattern, part) for part in (*settings.sizes, rest) for pattern in patterns]
    refuse_same(inputs, outputs)
    for path in inputs:
        if path == "-" or Path(path).is_fifo() or Path(path).is_char_device():
            raise ConfigError(f"{path} cannot be read twice, as a split needs; save it to a file")
    bad = BadLines(skip=on_bad == "skip")
    result = split(read_bitext(inputs, bad), settings)
    write_parts(read_bitext(inputs, BadLines(skip=bad.skip)), result, outputs)
    rows = [(name, settings.sizes.get(name, ""), n) for name, n in result.sizes().items()]
    if as_json:
        click.echo(msgspec.json.encode({"parts": result.sizes(), "bad_lines": bad.count}))
    else:
        print_table(("part", "asked for", "pairs"), rows)
        if bad.count:
            click.echo(f"{bad.count:,} bad lines were left out.")


def _parse_sizes(text: str) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for item in text.split(","):
        name, _, size = item.partition("=")
        if not name.strip() or not size.strip().isdecimal() or name.strip() in sizes:
            raise ConfigError(
                f"--sizes {text}: expected names and numbers, as in tune=5000,test=2000"
            )
        sizes[name.strip()] = int(size)
    return sizes


def _name(pattern: str, part: str) -> str:
    if "{part}" not in pattern:
        raise ConfigError(f"{pattern} lacks {{part}}, the name of the part, as in '{{part}}.de'")
    return pattern.replace("{part}", part)
