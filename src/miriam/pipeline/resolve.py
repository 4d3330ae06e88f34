"""All settings of a run: what the user says, on a preset, on what the corpus's size suggests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from miriam.config import dump, load_file
from miriam.corpus.references import reference_files
from miriam.errors import ConfigError, InputError
from miriam.pipeline.defaults import Choice, Size, chosen, measure
from miriam.pipeline.preparing import with_text
from miriam.pipeline.presets import preset_text
from miriam.pipeline.settings import DataSettings, TextFiles, TrainSettings
from miriam.text.files import read_parallel

__all__ = ["Plan", "data_overrides", "refuse_missing", "resolve", "set_overrides"]


class Plan(NamedTuple):
    """What a run is to be."""

    settings: TrainSettings
    size: Size
    choices: Sequence[Choice] = ()  # those of the settings that the size of the corpus made


def resolve(
    config: Path | str | None = None,
    *,
    preset: str = "words",
    overrides: Iterable[str] = (),
    tokens: bool = False,
    tune: bool = True,
) -> Plan:
    """The plan of a run by a file of settings, on a preset, changed by overrides.

    Without `tune`, nothing is set aside to tune on, and a tuning set is not used.
    """
    if preset == "characters":
        raise ConfigError(
            "the preset characters learns from pairs of words: `miriam train --pairs`, or "
            "miriam.pipeline.spelling in Python"
        )
    overrides = list(overrides)
    ready = [dump(TrainSettings()), preset_text(preset)]
    given = load_file(TrainSettings, config, bases=ready, overrides=overrides)
    refuse_missing(given.data, needs_domains=given.features.needs_domains)
    with_text(given, tokens=tokens)
    size = measure(given)
    choices = chosen(size, tune=tune, sparse=bool(given.features.all_templates))
    by_size = "\n".join(choice.toml for choice in choices)
    ready.insert(1, by_size)
    settings = load_file(TrainSettings, config, bases=ready, overrides=overrides)
    settings = with_text(settings, tokens=tokens)
    if not tune:
        data = structs.replace(settings.data, tuning=None, development=None)
        held = structs.replace(settings.hold_out, tuning=0, development=0)
        settings = structs.replace(settings, data=data, hold_out=held)
    elif settings.data.development and not (settings.data.tuning or settings.hold_out.tuning):
        raise ConfigError(
            "a development set chooses among weights that a tuning set teaches; give --tune-source "
            "and --tune-references too"
        )
    return Plan(settings, size, [choice for choice in choices if choice.holds(settings)])


def refuse_missing(data: DataSettings, *, needs_domains: bool = False) -> None:
    """Refuse now what would be missing in an hour."""
    for name in ("source", "target"):
        if getattr(data, name) is None:
            raise ConfigError(f"no {name}: give --{name} F, or data.{name} in --config")
    sets = filter(None, [data.tuning, data.development, *data.tests.values()])
    texts = [_files(found) for found in sets]
    corpus = [data.source, data.target, data.domains, *data.mono]
    for path in chain(filter(None, corpus), *texts):
        if not Path(path).is_file():
            raise InputError("not a file; training reads files, and more than once", path=path)
    for files in texts:  # small ones, which are read after much else
        if not any([*read_parallel(files)]):
            raise InputError("no sentences in it", path=files[0])
    if needs_domains and not data.domains:
        raise ConfigError(
            "the features need the domain of each pair; give --domains, or choose other features"
        )


def _files(texts: TextFiles) -> list[str]:
    """All files of a set."""
    domains = [texts.domains] if texts.domains else []
    return [texts.source, *map(str, reference_files(texts.references)), *domains]


def data_overrides(
    *,
    source: Path | str | None = None,
    target: Path | str | None = None,
    domains: Path | str | None = None,
    mono: Sequence[Path | str] = (),
) -> list[str]:
    """The files of a call as overrides of settings.

    >>> data_overrides(source="a.de")
    ['data.source="a.de"']
    """
    found = [
        ("source", source), ("target", target), ("domains", domains),
        ("mono", list(map(str, mono)) or None),
    ]  # fmt: skip
    return [
        f"data.{name}={json.dumps(value if isinstance(value, list) else str(value))}"
        for name, value in found
        if value is not None
    ]


def set_overrides(
    path: str, option: str, source: str | None, references: Sequence[str]
) -> list[str]:
    """A set of sentences of a call as overrides, both of whose options are given, or neither.

    >>> set_overrides("data.tuning", "tune", "a.de", ["a.en"])
    ['data.tuning.source="a.de"', 'data.tuning.references=["a.en"]']
    """
    if bool(source) != bool(references):
        raise ConfigError(f"--{option}-source and --{option}-references belong together")
    if not source:
        return []
    return [
        f"{path}.source={json.dumps(source)}", f"{path}.references={json.dumps(list(references))}"
    ]  # fmt: skip
