"""The dense features: what they are called, and the weights they start with."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["HIERARCHICAL_OWN", "OWN", "initial_weights"]

OWN = ("LinearDistortion", "WordPenalty", "PhrasePenalty", "UnknownWord")
"""The decoder's own: -|jump|, -1 a target word, 1 a rule, -1 an unknown word."""

HIERARCHICAL_OWN = ("Glue", "WordPenalty", "RulePenalty", "UnknownWord")
"""The same of hierarchical rules: -1 a place where the sentence is glued together."""


def initial_weights(names: Iterable[str], *, language_models: Iterable[str]) -> dict[str, float]:
    """The weights of Green et al. (2014): language models 0.5, word penalty -1, others 0.2.

    >>> initial_weights(["LM", "WordPenalty", "TM:count"], language_models=["LM"])
    {'LM': 0.5, 'WordPenalty': -1.0, 'TM:count': 0.2}
    """
    start = {"WordPenalty": -1.0, **dict.fromkeys(language_models, 0.5)}
    return {name: start.get(name, 0.2) for name in names}
