"""Features of one's own, named in a config: `plugins = ["module:object", …]`.

The object is what one would give a `FeatureSet` in Python: a function of a rule, a class or an
object of a template or of a feature with a state, or a whole `FeatureSet`. Its module is imported
from where Python finds modules, never from a model directory.
"""

from __future__ import annotations

import copy
import importlib
import inspect
from collections.abc import Iterable
from typing import Any

from miriam.config import nearest
from miriam.errors import ConfigError
from miriam.features.feature_set import FeatureSet
from miriam.features.templates import (
    AdjacentFlag,
    BoundaryTemplate,
    OrientationTemplate,
    RuleFunction,
)

__all__ = ["plugged_in"]


def plugged_in(plugins: Iterable[str]) -> FeatureSet:
    """The features that plug-ins name, in their order; each call makes its own.

    >>> plugged_in(["miriam.features:AdjacentFlg"])
    Traceback (most recent call last):
    ...
    miriam.errors.ConfigError: the plug-in 'miriam.features:AdjacentFlg': the module \
miriam.features has no 'AdjacentFlg'; did you mean 'AdjacentFlag'?
    """
    found = FeatureSet()
    for plugin in plugins:
        # A template belongs to one decoder: another model of the same plug-in gets a copy.
        found = found.joined(_as_features(plugin, copy.deepcopy(_find(plugin))))
    return found


def _find(plugin: str) -> Any:
    """The object that a plug-in names."""
    module, colon, name = plugin.partition(":")
    if not (module and colon and name.isidentifier()):
        raise ConfigError(f"the plug-in {plugin!r}: expected module:object, as in my_rules:longer")
    try:
        content = vars(importlib.import_module(module))
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"the plug-in {plugin!r}: Python finds no module {error.name}; install it, or name its "
            "folder in the environment variable PYTHONPATH"
        ) from error
    except Exception as error:  # a module of the user's may raise anything
        raise ConfigError(
            f"the plug-in {plugin!r}: importing {module} ends with {type(error).__name__}: {error}"
        ) from error
    if name not in content:
        hint = nearest(name, (n for n in content if not n.startswith("_")))
        raise ConfigError(f"the plug-in {plugin!r}: the module {module} has no {name!r}; {hint}")
    return content[name]


def _as_features(plugin: str, found: Any) -> FeatureSet:
    """What a plug-in names, as a set of features."""
    if inspect.isclass(found):
        try:
            found = found()
        except TypeError as error:
            raise ConfigError(
                f"the plug-in {plugin!r}: the class cannot be made without arguments ({error}); "
                "name an object of it instead"
            ) from error
    if isinstance(found, FeatureSet):
        return found
    if isinstance(found, OrientationTemplate):
        return FeatureSet(orientations=(found,))
    if isinstance(found, BoundaryTemplate):
        return FeatureSet(boundaries=(found,))
    if isinstance(found, AdjacentFlag):
        return FeatureSet(adjacent=(found,))
    if _has(found, "names", "begin", "extend", "finish"):
        return FeatureSet(non_local=(found,))
    if _has(found, "prepare", "__call__"):
        return FeatureSet(local=(found,))
    if inspect.isfunction(found):
        return FeatureSet(local=(RuleFunction(found.__name__, found),))
    raise ConfigError(
        f"the plug-in {plugin!r} is a {type(found).__name__}; expected a function of a rule, a "
        "template, a feature with a state (names, begin, extend, finish) or a FeatureSet"
    )


def _has(found: object, *names: str) -> bool:
    return all(hasattr(found, name) for name in names)
