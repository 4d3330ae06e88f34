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
    from miriam.config import load
    from miriam.pipeline.presets import preset_text
    from miriam.pipeline.settings import TrainSettings
    from miriam.pipeline.train import train_model, with_text
    from miriam.pipeline.translator import Translator
    from miriam.progress import silent

    settings = load(TrainSettings, base=preset_text(preset), overrides=overrides)
    settings = with_text(settings, source, target, tokens=tokens)
    train_model(source, target, out, settings=settings, threads=threads, report=report or silent)
    return Translator(out)
