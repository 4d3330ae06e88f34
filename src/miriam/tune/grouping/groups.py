"""Groups: features whose weights have the same size, each with the sign of its weight."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from miriam.features.nbest import Names, NBest
from miriam.tune.losses.loss import Array
from miriam.tune.prefixes import Prefixed
from miriam.tune.table import Ids

__all__ = ["Groups"]

SHOWN = 3  # members in a title


class Groups:
    """Disjoint groups of features, numbered from 0.

    >>> from miriam.lexicon.vocabulary import Vocabulary
    >>> names = Vocabulary()
    >>> for name in ("LM", "PT:a>b", "PT:c>d", "PT:e>f", "PT:g>h"):
    ...     _ = names.add(name)
    >>> groups = Groups.of_ties(np.array([0.5, 0.1, -0.1, 0.0, 0.7]), ("PT:",), names)
    >>> [groups.title(g) for g in range(len(groups))], groups.weights.tolist()
    (['+PT:g>h', '+PT:a>b -PT:c>d'], [0.7, 0.1])
    """

    def __init__(self, members: Ids, signs: Array, of: Ids, weights: Array, names: Names) -> None:
        """The members, sorted by the group they are `of`, and the weight of each group.

        The weight of a member is sign · weight.
        """
        self.members, self.signs, self.of = members, signs, of
        self.weights, self.names = weights, names

    @classmethod
    def of_ties(cls, vector: Array, prefixes: tuple[str, ...], names: Names) -> Groups:
        """The groups of equal |weights| by id, largest first; weights of 0 are no group.

        Only features whose names begin with one of the prefixes have groups. Members are in the
        order of their names, so that a file of groups does not depend on who came first.
        """
        ids = np.flatnonzero((vector != 0) & Prefixed(prefixes, names).all()[: len(vector)])
        by_name = sorted(ids.tolist(), key=names.word)
        members = np.array(by_name, dtype=np.int32)
        sizes, of = np.unique(-np.abs(vector[members]), return_inverse=True)
        order = np.argsort(of, kind="stable")
        signs = np.sign(vector[members[order]])
        return cls(members[order], signs, of[order].astype(np.int32), -sizes, names)

    @classmethod
    def none(cls, names: Names) -> Groups:
        """No groups."""
        nobody = np.empty(0, dtype=np.int32)
        return cls(nobody, np.empty(0), nobody, np.empty(0), names)

    @property
    def active(self) -> int:
        """How many have a weight that is not 0."""
        return int(np.count_nonzero(self.weights))

    def __len__(self) -> int:
        return len(self.weights)

    def weighted(self, weights: Array) -> Groups:
        """The same groups with other weights."""
        return Groups(self.members, self.signs, self.of, weights, self.names)

    def title(self, group: int) -> str:
        """A name for a group: its first members, and how many more there are."""
        begin, end = np.searchsorted(self.of, [group, group + 1])
        shown = [
            f"{'+' if self.signs[i] > 0 else '-'}{self.names.word(int(self.members[i]))}"
            for i in range(begin, min(end, begin + SHOWN))
        ]
        more = f" and {end - begin - SHOWN:,} more" if end - begin > SHOWN else ""
        return " ".join(shown) + more

    def occurring(self, lists: Iterable[NBest]) -> npt.NDArray[np.bool_]:
        """Whether a member of each group occurs in some lists."""
        group_of = np.full(len(self.names), -1, dtype=np.int32)
        group_of[self.members] = self.of
        found = np.zeros(len(self) + 1, dtype=bool)
        for nbest in lists:
            found[group_of[nbest.ids]] = True  # -1 is the last place
        return found[:-1]
