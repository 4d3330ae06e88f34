"""Miriam: statistical machine translation that is fast, small, exact and explains itself.

The front door: `load`, `train` and `tune`. Rooms are imported when they are used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from miriam.version import __version__

if TYPE_CHECKING:
    from miriam.pipeline.translator import Translator
    from miriam.progress import Report

__all__ = ["__version__", "load", "train", "tune"]


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


def tune(
    model: Translator | Path | str,
    *,
    source: Path | str,
    references: Path | str | Sequence[Path | str],
    dev_source: Path | str | None = None,
    dev_references: Sequence[Path | str] = (),
    out: Path | str | None = None,
    features: str | None = None,
    algorithm: str = "online",
    overrides: Iterable[str] = (),
    tokens: bool = False,
    seed: int = 1,
    threads: int = 1,
    report: Report | None = None,
) -> Translator:
    r"""The model with the weights by which it translates the source as the references do.

    It is written to `out`, or in its own place. The epoch is chosen by the development set, or else
    by the tuning set. `features` is a named set ("dense", "2013", "extended", "extended+lexical")
    that the model has from now on; `algorithm` and `overrides` are as in `miriam tune`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, line in {"a.de": "ein hund\n", "a.en": "a dog\n"}.items():
    ...         _ = Path(folder, name).write_text(line)
    ...     files = [f"{folder}/a.de", f"{folder}/a.en"]
    ...     made = train(source=files[0], target=files[1], out=f"{folder}/model", tokens=True)
    ...     tune(made, source=files[0], references=[files[1]]).translate("ein hund")
    'a dog'
    """
    from miriam.config import dump
    from miriam.config import load as load_settings
    from miriam.errors import ConfigError
    from miriam.pipeline.translator import Translator
    from miriam.pipeline.tune import Texts, tune_model
    from miriam.progress import silent
    from miriam.tune.run import Run
    from miriam.tune.settings import DecoderTuning, preset

    if bool(dev_source) != bool(dev_references):
        raise ConfigError("dev_source and dev_references belong together")
    ready = dump(preset(algorithm))
    settings = load_settings(DecoderTuning, ready, overrides=overrides, name="overrides")
    folder = model.directory.path if isinstance(model, Translator) else Path(model)
    known = [references] if isinstance(references, str | Path) else references
    tune_model(
        folder, Texts(source, known, tokens), out=out, features=features,
        development=Texts(dev_source, dev_references, tokens) if dev_source else None,
        settings=settings,
        run=Run(seed, threads, report=report or silent),
    )  # fmt: skip
    return Translator(out or folder)


class _Room(ModuleType):
    """The room `miriam.tune`, which can be called as the front door of the same name."""

    __call__ = staticmethod(tune)


class _House(ModuleType):
    """This package: an import of `miriam.tune` puts the room where the function was."""

    def __setattr__(self, name: str, value: object) -> None:
        if name == "tune" and isinstance(value, ModuleType):
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _House
