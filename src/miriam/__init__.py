"""Miriam: statistical machine translation that is fast, small, exact and explains itself.

The front door: `load` and `train`. Rooms are imported when they are used.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from miriam.version import __version__

if TYPE_CHECKING:
    from miriam.pipeline.translator import Translator
    from miriam.progress import Report

__all__ = ["__version__", "load", "train"]


def load(
    path: Path | str, *, weights: Path | str | None = None, overrides: Iterable[str] = ()
) -> Translator:
    """The translator in a model directory, in milliseconds.

    `weights` is a file of other weights; `overrides` change settings (`["search.pops=1000"]`).

    >>> load("no-such-model")
    Traceback (most recent call last):
    ...
    miriam.errors.ModelError: no-such-model: not a model, for it has no manifest.json; `miriam \
train` makes one
    """
    from miriam.pipeline.translator import Translator

    return Translator(path, weights=weights, overrides=overrides)


def train(
    *,
    source: Path | str,
    target: Path | str,
    out: Path | str,
    tokens: bool = False,
    preset: str = "words",
    overrides: Iterable[str] = (),
    threads: int = 1,
    report: Report | None = None,
) -> Translator:
    r"""A translator trained from parallel text, and saved in the directory `out`.

    `tokens`: the text is tokenised, and its case is right. A `preset` is a set of ready settings,
    which `overrides` change. A `report` is told of the progress.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, line in {"a.de": "ein hund\n", "a.en": "a dog\n"}.items():
    ...         _ = Path(folder, name).write_text(line)
    ...     files = {"source": f"{folder}/a.de", "target": f"{folder}/a.en"}
    ...     train(**files, out=f"{folder}/model", tokens=True).translate("ein hund")
    'a dog'
    """
    from miriam.pipeline.resolve import data_overrides, resolve
    from miriam.pipeline.train import How, train_model
    from miriam.pipeline.translator import Translator
    from miriam.pipeline.watch import Reporting, Watch

    files = data_overrides(source=source, target=target)
    plan = resolve(preset=preset, overrides=[*files, *overrides], tokens=tokens, tune=False)
    how = How(threads=threads, watch=Reporting(report) if report else Watch())
    train_model(plan, out, how)
    return Translator(out)
