"""Weights and the features of a model: each has to have the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from miriam.config import nearest
from miriam.errors import InputError

__all__ = ["fit_weights"]

SHOWN = 5


def fit_weights(
    weights: Mapping[str, float],
    features: Collection[str],
    *,
    path: object,
    allow_missing: bool = False,
) -> dict[str, float]:
    """A weight for each feature, 0 for those that may be missing.

    >>> fit_weights({"LM": 0.5}, ["LM", "WordPenalty"], path="w", allow_missing=True)
    {'LM': 0.5, 'WordPenalty': 0.0}
    >>> fit_weights({"LM": 0.5}, ["LM", "WordPenalty"], path="w")
    Traceback (most recent call last):
    ...
    miriam.errors.InputError: w: no weight for WordPenalty; add it, or allow missing weights to be 0
    >>> fit_weights({"LMs": 0.5}, ["LM"], path="w")
    Traceback (most recent call last):
    ...
    miriam.errors.InputError: w: the model has no feature LMs; did you mean 'LM'?
    """
    unknown = [name for name in weights if name not in features]
    if unknown:
        hint = nearest(unknown[0], features)
        raise InputError(f"the model has no feature {_listed(unknown)}; {hint}", path=path)
    missing = [name for name in features if name not in weights]
    if missing and not allow_missing:
        them = "it" if len(missing) == 1 else "them"
        raise InputError(
            f"no weight for {_listed(missing)}; add {them}, or allow missing weights to be 0",
            path=path,
        )
    return {name: weights.get(name, 0.0) for name in features}


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
