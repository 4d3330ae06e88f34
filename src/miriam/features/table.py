"""Features as dense numbers, and their names, which are rendered only when somebody reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from miriam._core.features import FeatureTable
from miriam.config import nearest
from miriam.errors import ConfigError
from miriam.features.weights import is_name

__all__ = ["Family", "Features", "escape"]

ESCAPED = "%=|>-:, \t\n\r"
DENSE = 0  # the family of the dense features, whose key is their number


def escape(word: str) -> str:
    """A word as it stands in a feature's name: different words stay different.

    >>> escape("vis-à-vis"), escape("50%")
    ('vis%2Dà%2Dvis', '50%25')
    """
    if not any(mark in word for mark in ESCAPED):
        return word
    return "".join(f"%{ord(c):02X}" if c in ESCAPED else c for c in word)


@dataclass(frozen=True)
class Family:
    """The features of one template: `render` names the feature of a key (and of a member)."""

    number: int
    render: Callable[[Sequence[int], int], str]


@dataclass
class Features:
    """All features that are known, dense ones first.

    >>> features = Features(["LM", "WordPenalty"])
    >>> shapes = features.family(lambda key, member: f"RSHP:{key[0]}-{key[1]}")
    >>> ids = features.ids(shapes, np.array([[2, 1], [1, 1], [2, 1]], np.uint32))
    >>> ids.tolist(), features.name(ids[0]), len(features)
    ([2, 3, 2], 'RSHP:2-1', 4)
    """

    dense: Sequence[str] = ()
    native: FeatureTable = field(default_factory=FeatureTable)
    families: list[Family] = field(default_factory=list)

    def __post_init__(self) -> None:
        twice = sorted({name for name in self.dense if list(self.dense).count(name) > 1})
        if twice:
            raise ConfigError(f"two dense features are called {twice[0]!r}; give them other names")
        if odd := [name for name in self.dense if not is_name(name)]:
            raise ConfigError(f"a feature cannot be called {odd[0]!r}; leave out blanks")
        family = self.family(lambda key, _: self.dense[key[0]])
        self.ids(family, np.arange(len(self.dense), dtype=np.uint32).reshape(-1, 1))

    def __len__(self) -> int:
        return len(self.native)

    def family(self, render: Callable[[Sequence[int], int], str]) -> Family:
        """A new family of features, for a template."""
        self.families.append(Family(len(self.families), render))
        return self.families[-1]

    def ids(
        self, family: Family, keys: npt.NDArray[np.uint32], *, members: int = 1
    ) -> npt.NDArray[np.int32]:
        """The numbers of keys, one a row; a new key gets `members` numbers in a row."""
        return self.native.intern(family.number, np.ascontiguousarray(keys, np.uint32), members)

    def id(self, name: str) -> int:
        """The number of a dense feature."""
        if name not in self.dense:
            raise ConfigError(f"no dense feature is called {name!r}; {nearest(name, self.dense)}")
        return list(self.dense).index(name)

    def name(self, number: int) -> str:
        """What a feature is called, in a file or an explanation."""
        (family, *key), member = self.native.key(int(number))
        return self.families[family].render(key, member)

    def weights(self, values: dict[str, float]) -> npt.NDArray[np.float64]:
        """Weights of the dense features by name, and 0 for all that are not named."""
        weights = np.zeros(len(self))
        for name, value in values.items():
            if not np.isfinite(value):
                raise ConfigError(f"the weight of {name} is {value}; it must be a finite number")
            weights[self.id(name)] = value
        return weights
