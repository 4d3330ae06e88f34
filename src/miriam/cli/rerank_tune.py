"""`miriam rerank tune`: weights for n-best lists."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from miriam.cli.command import Command, ManyOption, seed_option, threads_option
from miriam.cli.nbest_columns import column_option, columns_of
from miriam.cli.tuning import learner_options, list_option, log_to, read_lists, tuning_settings
from miriam.errors import ConfigError, MiriamError


@click.command(cls=Command)
@click.option("--nbest", metavar="FILE", required=True, help="N-best lists to learn from.")
@click.option(
    "--references",
    cls=ManyOption,
    required=True,
    help="Reference translations, tokenised as the candidates are.",
)
@click.option("--out", metavar="FILE", required=True, help="Where to write the weights.")
@click.option("--dev-nbest", metavar="FILE", help="Lists that choose the best epoch.")
@click.option("--dev-references", cls=ManyOption, default=[], help="Their references.")
@click.option("--weights", metavar="FILE", help="Weights to start with.  [default: all 0]")
@column_option
@click.option(
    "--dev-column", "dev_columns", metavar="NAME=FILE", multiple=True, help="The same for the dev."
)
@learner_options
@click.option("--log", metavar="FILE", help="Write progress as JSON lines.")
@list_option
@seed_option
@threads_option
def command(
    nbest: str, references: tuple[str, ...], out: str, dev_nbest: str | None,
    dev_references: tuple[str, ...], weights: str | None, columns: tuple[str, ...],
    dev_columns: tuple[str, ...], algorithm: str, loss: str | None, updater: str | None,
    regulariser: str | None, config: str | None, overrides: tuple[str, ...], log: str | None,
    seed: int, threads: int,
) -> None:  # fmt: skip
    """Learn weights from n-best lists and references.

    An online run that is interrupted goes on from OUT.checkpoint when it is called again.

    \b
    miriam rerank tune --nbest dev.nbest --references dev.en --out weights
    miriam rerank tune --nbest dev.nbest --references dev.en.0 dev.en.1 --out weights \
      --algorithm online --loss expected --set learner.pieces.updater.eta=0.05
    """  # noqa: D301
    from miriam.features.weights import read_weights, write_weights
    from miriam.lexicon.vocabulary import Vocabulary
    from miriam.tune.grouping.files import write_groups
    from miriam.tune.rerank import Run, tune
    from miriam.tune.settings import Tuning

    if bool(dev_nbest) != bool(dev_references):
        raise ConfigError("--dev-nbest and --dev-references belong together")
    if dev_nbest and columns_of(columns).keys() != columns_of(dev_columns).keys():
        raise ConfigError("--column and --dev-column must name the same features")
    if not Path(out).parent.is_dir():
        raise ConfigError(f"--out {out}: there is no folder {Path(out).parent}")
    pieces = {"loss": loss, "updater": updater, "regulariser": regulariser}
    settings = tuning_settings(Tuning, config, algorithm, pieces, overrides)
    start = read_weights(weights) if weights else {}
    names = Vocabulary()
    lists = read_lists(nbest, references, columns, names, settings)
    dev = read_lists(dev_nbest, dev_references, dev_columns, names, settings) if dev_nbest else None
    checkpoint = Path(f"{out}.checkpoint") if out != "-" else None
    with ExitStack() as stack:
        run = Run(seed, threads, log_to(log, stack), checkpoint)
        tuned = tune(settings, lists, names, development=dev, start=start, run=run)
    write_weights(out, {**dict.fromkeys(start, 0.0), **tuned.weights})
    if tuned.groups and out != "-":
        write_groups(f"{out}.groups", tuned.groups)
    if checkpoint:
        checkpoint.unlink(missing_ok=True)
    score = "" if tuned.score is None else f", score {tuned.score:.2f}"
    click.echo(f"{len(tuned.weights):,} weights in {out}{score}", err=True)
    if tuned.stopped:
        raise MiriamError(f"{tuned.stopped}; {out} has the best weights so far")
