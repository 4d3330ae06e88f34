"""What commands that tune share: settings, scored lists, and a log."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from miriam.cli.nbest_columns import columns_of
from miriam.errors import ConfigError

if TYPE_CHECKING:
    from miriam.lexicon.vocabulary import Vocabulary
    from miriam.tune.monitor import Log
    from miriam.tune.rerank import Lists
    from miriam.tune.settings import Tuning

__all__ = ["log_to", "read_lists", "tuning_settings"]


def tuning_settings(
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


def log_to(path: str | None, stack: ExitStack) -> Log:
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
