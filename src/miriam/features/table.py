"""Features as dense numbers, and their names, which are rendered only when somebody reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from miriam._core.features import FeatureTable, Names, Words, escape
from miriam.config import nearest
from miriam.errors import ConfigError
from miriam.features.ragged import Ragged
from miriam.features.weights import is_name
from miriam.lexicon.vocabulary import MappedVocabulary, Vocabulary

__all__ = ["Family", "Features", "escape"]

DENSE = 0  # the family of the dense features, whose key is their number


@dataclass(frozen=True)
class Family:
    """The features of one template."""

    number: int
    members: int = 1  # features of a key, copies for domains and all
    stride: int = 0  # from a feature to its copy for the next domain; 0: it has none
    render: Callable[[Sequence[int], int], str] | None = None  # None: by the family's layout


class Features:
    """All features that are known, dense ones first.

    Families that are `named` have a layout (`native/features/names.hh`), by which names are made
    and read back; those with a function of their own can only be rendered.

    >>> features = Features(["LM", "WordPenalty"])
    >>> shapes = features.named("RSHP", "n-n")
    >>> ids = features.ids(shapes, np.array([[2, 1], [1, 1], [2, 1]], np.uint32))
    >>> ids.tolist(), features.name(ids[0]), len(features)
    ([2, 3, 2], 'RSHP:2-1', 4)
    >>> features.add("RSHP:1-1"), features.add("RSHP:1-2")
    (3, 4)
    """

    def __init__(
        self,
        dense: Sequence[str] = (),
        *,
        source: MappedVocabulary | None = None,
        target: MappedVocabulary | None = None,
        gaps: Sequence[Sequence[int]] = ((), ()),
        domains: Sequence[str] = (),
        augmented: Sequence[str] = (),
    ) -> None:
        twice = sorted({name for name in dense if list(dense).count(name) > 1})
        if twice:
            raise ConfigError(f"two dense features are called {twice[0]!r}; give them other names")
        if odd := [name for name in dense if not is_name(name)]:
            raise ConfigError(f"a feature cannot be called {odd[0]!r}; leave out blanks")
        self.dense = tuple(dense)
        # The words of either side that stand for gaps of hierarchical rules.
        self.gaps = tuple(np.array(side, np.uint32) for side in gaps)
        # Named families with these prefixes ("*": all) have a copy of each feature for each domain.
        self.domains, self.augmented = tuple(domains), frozenset(augmented)
        self.native = FeatureTable()
        self.families: list[Family] = []
        self.prefixes: list[str] = []  # of the named families
        self.words = (_words(source), _words(target))
        self.names = Names(self.native, *self.words, list(domains))
        self._dense_ids = {name: number for number, name in enumerate(self.dense)}
        family = self.family(lambda key, _: self.dense[key[0]])
        self.ids(family, np.arange(len(self.dense), dtype=np.uint32).reshape(-1, 1))

    def __len__(self) -> int:
        return len(self.native)

    def family(self, render: Callable[[Sequence[int], int], str], *, members: int = 1) -> Family:
        """A new family of features; the function names the feature of a key and a member."""
        self.families.append(Family(len(self.families), members, render=render))
        return self.families[-1]

    def named(self, prefix: str, layout: str = "", members: Sequence[str] = ()) -> Family:
        """A new family whose names begin with a prefix."""
        copied = bool(self.domains) and not self.augmented.isdisjoint((prefix, "*"))
        own = max(len(members), 1)
        copies = len(self.domains) if copied else 0
        family = Family(len(self.families), own * (1 + copies), own if copied else 0)
        self.names.add(family.number, prefix, layout, list(members), copied)
        self.prefixes.append(prefix)
        self.families.append(family)
        return family

    def ids(self, family: Family, keys: npt.NDArray[np.uint32] | Ragged) -> npt.NDArray[np.int32]:
        """The numbers of keys, one a row: for a new key as many in a row as the family has members.

        The first of each key's is given.
        """
        if isinstance(keys, Ragged):
            return self.native.intern_rows(family.number, keys.items, keys.ends, family.members)
        return self.native.intern(
            family.number, np.ascontiguousarray(keys, np.uint32), family.members
        )

    def id(self, name: str) -> int:
        """The number of a dense feature."""
        if name not in self._dense_ids:
            raise ConfigError(f"no dense feature is called {name!r}; {nearest(name, self.dense)}")
        return self._dense_ids[name]

    def add(self, name: str) -> int:
        """The number of a feature, the next one if it is new; its family must be a named one."""
        number = self._dense_ids.get(name, -1)
        if number < 0:
            number = self.names.id(name)
        if number < 0:
            raise ConfigError(f"the model has no feature {name!r}; {nearest(name, self.dense)}")
        return number

    def name(self, number: int) -> str:
        """What a feature is called, in a file or an explanation."""
        (family, *key), member = self.native.key(int(number))
        render = self.families[family].render
        return self.names.name(int(number)) if render is None else render(key, member)

    def weights(self, values: Mapping[str, float]) -> npt.NDArray[np.float64]:
        """Weights of features by name, and 0 for all that are not named."""
        for name, value in values.items():
            if not np.isfinite(value):
                raise ConfigError(f"the weight of {name} is {value}; it must be a finite number")
        numbers = [self.add(name) for name in values]
        weights = np.zeros(len(self))
        weights[numbers] = list(values.values())
        return weights


def _words(known: MappedVocabulary | None) -> Words:
    return Words(MappedVocabulary(*Vocabulary().arrays()) if known is None else known)
