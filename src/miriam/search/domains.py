"""The domains of a decoder, and of the sentences that it is given."""

from __future__ import annotations

from collections.abc import Sequence

from miriam.config import nearest
from miriam.errors import ConfigError, InputError
from miriam.features.feature_set import FeatureSet
from miriam.search.tables import Tables

__all__ = ["domain_numbers", "known_domains"]


def known_domains(tables: Tables, features: FeatureSet) -> list[str]:
    """The domains that sentences may have: those that rules were seen in, and the default one."""
    if not features.uses_domains:
        return []
    names = tables.domains
    if not names:
        raise ConfigError(
            "features of domains need rules with domains; train with --domains, or choose others"
        )
    default = features.default_domain
    return [*names, default] if default and default not in names else names


def domain_numbers(names: Sequence[str], known: Sequence[str]) -> list[int]:
    """The numbers of a sentence's domains, counted from 1 and ascending; '' is none.

    >>> domain_numbers(["news", "law", "news"], ["law", "news"]), domain_numbers([""], ["law"])
    ([1, 2], [])
    """
    named = [name for name in names if name]
    for name in named:
        if name not in known:
            raise InputError(f"the model has no domain {name!r}; {nearest(name, known)}")
    return sorted({known.index(name) + 1 for name in named})
