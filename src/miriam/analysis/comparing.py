"""Several runs side by side: the settings in which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from miriam.analysis.run import Run

__all__ = ["differing_settings"]

NOTHING = None  # of a run that has no such setting


def differing_settings(runs: Sequence[Run]) -> dict[str, list[Any]]:
    """The values, one for each run, of the settings that are not the same in all of them.

    A run without any settings is left out of the comparison.
    """
    described = [run.settings for run in runs]
    paths = dict.fromkeys(path for settings in described for path in settings)
    found = {}
    for path in paths:
        values = [settings.get(path, NOTHING) for settings in described]
        told = [value for value, settings in zip(values, described, strict=True) if settings]
        if any(value != told[0] for value in told):
            found[path] = values
    return found
