"""What commands that tune share: options, settings, scored lists, and a log."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from miriam.cli.nbest_columns import columns_of
from miriam.errors import ConfigError

if TYPE_CHECKING:
    from miriam.lexicon.vocabulary import Vocabulary
    from miriam.tune.monitor import Log
    from miriam.tune.rerank import Lists
    from miriam.tune.settings import Tuning

__all__ = ["learner_options", "list_option", "log_to", "read_lists", "tuning_settings"]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound="Tuning")


def learner_options(function: F) -> F:
    """What learns: an algorithm, pieces of it, or a file of settings."""
    for option in (
        click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE",
                     help="Change a setting."),
        click.option("--config", metavar="FILE", help="All settings, in TOML, instead of "
                     "--algorithm."),
        click.option("--regulariser", metavar="NAME", help="Of an online learner: l1, l2, none, "
                     "..."),
        click.option("--updater", metavar="NAME", help="Of an online learner: adagrad, sgd, ..."),
        click.option("--loss", metavar="NAME", help="Of an online learner: logistic, expected, "
                     "..."),
        click.option("--algorithm", metavar="NAME", default="online", show_default=True,
                     help="online, mert, pro, kbmira, expected-bleu, mira, arow, perceptron or "
                     "oscar."),
    ):  # fmt: skip
        function = option(function)
    return function


def list_option(function: F) -> F:
    """`--list`: name the algorithms and the pieces of learners."""
    return click.option(
        "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list_pieces,
        help="Name all algorithms, losses, updaters, regularisers and gold scores.",
    )(function)  # fmt: skip


def _list_pieces(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from miriam.tune.gold import AnyGold
    from miriam.tune.losses import AnyLoss
    from miriam.tune.regularisers import AnyRegulariser
    from miriam.tune.settings import ALGORITHMS, kinds
    from miriam.tune.updaters import AnyUpdater

    print("algorithms:   " + ", ".join(ALGORITHMS))
    unions = {"losses": AnyLoss, "updaters": AnyUpdater, "regularisers": AnyRegulariser,
              "gold scores": AnyGold}  # fmt: skip
    for what, union in unions.items():
        print(f"\n{what}:")
        for kind, piece in kinds(union).items():
            print(f"  {kind:<18} {str(piece.__doc__).strip().splitlines()[0]}")
    context.exit()


def tuning_settings(
    kind: type[T],
    config: str | None,
    algorithm: str,
    pieces: dict[str, str | None],
    overrides: Sequence[str],
) -> T:
    """The settings of a file, or of an algorithm's name; either may be changed by --set."""
    from miriam.config import dump, load, load_file
    from miriam.tune.settings import preset

    if config:
        if any(pieces.values()):
            raise ConfigError("--config says what learns; leave out --loss and the like")
        return load_file(kind, config, overrides=overrides)
    return load(kind, dump(preset(algorithm, **pieces)), overrides=overrides, name="--set")


def read_lists(
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


def log_to(path: str | None, stack: ExitStack, person: Log | None = None) -> Log:
    """Tells a person, on standard error where no other way is given, and a file as it goes."""
    import msgspec

    from miriam.tune.monitor import Record, render

    # Written as it comes, so that a plot can follow a run.
    file = stack.enter_context(Path(path).open("wb")) if path else None  # noqa: SIM115

    def log(record: Record) -> None:
        if person:
            person(record)
        else:
            print(render(record), file=sys.stderr, flush=True)
        if file:
            file.write(msgspec.json.encode(record) + b"\n")
            file.flush()

    return log
