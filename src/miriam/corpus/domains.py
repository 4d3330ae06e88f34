"""Domain labels of lines, as a set of names and an id for each line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Domains", "number_domains"]


@dataclass(frozen=True)
class Domains:
    """The labels of a bitext's lines."""

    names: tuple[str, ...]  # sorted; the id of a label is its place here
    ids: NDArray[np.int32]  # of each line

    def counts(self) -> dict[str, int]:
        """How many lines have each label."""
        sizes = np.bincount(self.ids, minlength=len(self.names)).tolist()
        return dict(zip(self.names, sizes, strict=True))


def number_domains(labels: Iterable[str]) -> Domains:
    """The label set, and the id of each line's label; independent of the order of the lines.

    >>> domains = number_domains(["web", "law", "web"])
    >>> domains.names, domains.ids.tolist(), domains.counts()
    (('law', 'web'), [1, 0, 1], {'law': 1, 'web': 2})
    """
    met: dict[str, int] = {}
    order = np.fromiter((met.setdefault(label, len(met)) for label in labels), dtype=np.int32)
    names = sorted(met)
    place = np.empty(len(names), dtype=np.int32)
    place[[met[name] for name in names]] = np.arange(len(names), dtype=np.int32)
    return Domains(tuple(names), place[order])
