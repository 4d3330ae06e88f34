"""`miriam rerank tune`: weights for n-best lists."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from miriam.cli.command import Command, ManyOption, seed_option, threads_option
from miriam.cli.nbest_columns import column_option, columns_of
from miriam.errors import ConfigError, MiriamError

if TYPE_CHECKING:
    from miriam.lexicon.vocabulary import Vocabulary
    from miriam.tune.monitor import Log
    from miriam.tune.rerank import Lists
    from miriam.tune.settings import Tuning


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
@click.option(
    "--algorithm",
    metavar="NAME",
    default="online",
    show_default=True,
    help="online, mert, pro, kbmira, expected-bleu, mira, arow or perceptron.",
)
@click.option("--loss", metavar="NAME", help="Of an online learner: logistic, expected, ...")
@click.option("--updater", metavar="NAME", help="Of an online learner: adagrad, sgd, ...")
@click.option("--regulariser", metavar="NAME", help="Of an online learner: l1, l2, none, ...")
@click.option("--config", metavar="FILE", help="All settings, in TOML, instead of --algorithm.")
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Change a setting.")
@click.option("--log", metavar="FILE", help="Write progress as JSON lines.")
@seed_option
@threads_option
def command(
    nbest: str, references: tuple[str, ...], out: str, dev_nbest: str | None,
    dev_references: tuple[str, ...], weights: str | None, columns: tuple[str, ...],
    dev_columns: tuple[str, ...], algorithm: str, loss: str | None, updater: str | None,
    regulariser: str | None, config: str | None, overrides: tuple[str, ...], log: str | None,
    seed: int, threads: int,
) -> None:  # fmt: skip
    r"""Learn weights from n-best lists and references.

    An online run that is interrupted goes on from OUT.checkpoint when it is called again.

    \b
    miriam rerank tune --nbest dev.nbest --references dev.en --out weights
    miriam rerank tune --nbest dev.nbest --references dev.en.0 dev.en.1 --out weights \
      --algorithm online --loss expected --set learner.pieces.updater.eta=0.05
    """
    from miriam.features.weights import read_weights, write_weights
    from miriam.lexicon.vocabulary import Vocabulary
    from miriam.tune.rerank import Run, tune

    if bool(dev_nbest) != bool(dev_references):
        raise ConfigError("--dev-nbest and --dev-references belong together")
    pieces = {"loss": loss, "updater": updater, "regulariser": regulariser}
    settings = _settings(config, algorithm, pieces, overrides)
    start = read_weights(weights) if weights else {}
    names = Vocabulary()
    lists = _read(nbest, references, columns, names, settings)
    dev = _read(dev_nbest, dev_references, dev_columns, names, settings) if dev_nbest else None
    checkpoint = Path(f"{out}.checkpoint")
    with ExitStack() as stack:
        run = Run(seed, threads, _log(log, stack), checkpoint)
        tuned = tune(settings, lists, names, development=dev, start=start, run=run)
    write_weights(out, {**dict.fromkeys(start, 0.0), **tuned.weights})
    checkpoint.unlink(missing_ok=True)
    if tuned.stopped:
        raise MiriamError(f"{tuned.stopped}; {out} has the best weights so far")


def _settings(
    config: str | None, algorithm: str, pieces: dict[str, str | None], overrides: Sequence[str]
) -> Tuning:
    """The settings of a file, or of an algorithm's name; either may be changed by --set."""
    from miriam.config import dump, load, load_file
    from miriam.tune.settings import Tuning, preset

    if config:
        if any(pieces.values()):
            raise ConfigError("--config says what learns; leave out --loss and the like")
        return load_file(Tuning, config, overrides=overrides)
    return load(Tuning, dump(preset(algorithm, **pieces)), overrides=overrides, name="--set")


def _read(
    nbest: str,
    references: Sequence[str],
    columns: Sequence[str],
    names: Vocabulary,
    settings: Tuning,
) -> Lists:
    """The lists of a file, scored against their references."""
    from miriam.corpus.references import reference_files
    from miriam.text.files import read_parallel
    from miriam.tune.files import read_nbest
    from miriam.tune.rerank import score_lists

    lines = list(read_parallel(reference_files(references)))
    sentences = read_nbest(nbest, names, columns=columns_of(columns))
    return score_lists(sentences, lines, settings.gold)


def _log(path: str | None, stack: ExitStack) -> Log:
    """Tells a person on standard error, and a file as it goes."""
    import msgspec

    from miriam.tune.monitor import Record, render

    # Written as it comes, so that a plot can follow a run.
    file = stack.enter_context(Path(path).open("wb")) if path else None  # noqa: SIM115

    def log(record: Record) -> None:
        print(render(record), file=sys.stderr, flush=True)
        if file:
            file.write(msgspec.json.encode(record) + b"\n")
            file.flush()

    return log
