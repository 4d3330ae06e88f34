"""The contract of feature templates, and the doors for a user's own.

A local template sees a batch of rules and answers with arrays, once for each rule and run. The
templates of what lies between rules only give each rule integers, from which the decoder computes
the rest: keys of orientations, boundary keys, flags, counts. A non-local feature of any other kind
is a Python object with a state: slow, and it works.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from miriam.errors import InputError
from miriam.features.ragged import Ragged
from miriam.features.rules import Fired, Rule, RuleBatch
from miriam.features.table import Family, Features

__all__ = [
    "NO_KEY", "AdjacentFlag", "Boundary", "BoundaryTemplate", "LocalTemplate", "NonLocalFeature",
    "Orientation", "OrientationTemplate", "Ratio", "RuleFunction",
]  # fmt: skip

NO_KEY = 2**32 - 1  # of a rule that has none
Ids = npt.NDArray[np.int32]


def finite(names: Sequence[str], values: Sequence[float]) -> npt.NDArray[np.float64]:
    """The values of features as an array, one for each name and all of them finite."""
    found = np.array([float(value) for value in values])
    if len(found) != len(names):
        raise ValueError(f"{len(found)} values for {len(names)} names")
    if not np.isfinite(found).all():
        raise ValueError(f"a value is {found[~np.isfinite(found)][0]}, and must be a finite number")
    return found


def failed(names: Sequence[str], rule: Rule, error: Exception) -> InputError:
    """What to say of a user's feature that raised an error."""
    of = f"{' '.join(rule.source)!r} → {' '.join(rule.target)!r}"
    return InputError(
        f"the feature {', '.join(names)} failed on the rule {of}: {type(error).__name__}: {error}"
    )


class LocalTemplate(Protocol):
    """Features of a rule alone."""

    def prepare(self, features: Features) -> None:
        """Make the template's families."""
        ...

    def __call__(self, batch: RuleBatch) -> Fired:
        """The features of the rules."""
        ...


class Orientation(Protocol):
    """Indicators of a rule's key and of how the rule lies to its neighbours."""

    family: Family

    @property
    def blocks(self) -> bool:
        """Whether the neighbours are blocks, not phrases."""

    @property
    def events(self) -> list[int]:
        """The events of each of eight classes, as bits: four with the previous, four with the next.

        Bit 0 is for monotone, 1 for swap, 2 for left and 3 for right.
        """

    def prepare(self, features: Features) -> None:
        """Make the template's family, which has eight members."""
        ...

    def ids(self, batch: RuleBatch) -> Ids:
        """The first of the eight features of each rule; -1 for a rule without."""
        ...


class Boundary(Protocol):
    """A feature for each pair of keys at the boundary of two rules."""

    family: Family
    begin: int  # the keys of the begin and the end of the sentence
    end: int

    def prepare(self, features: Features) -> None:
        """Make the template's family, whose keys are pairs."""
        ...

    def keys(self, batch: RuleBatch) -> npt.NDArray[np.uint32]:
        """The left and right key of each rule `[n, 2]`; `NO_KEY` where it has no target words."""
        ...


class Ratio(Protocol):
    """A count of what a derivation's rules have, divided by the same of the source sentence."""

    def prepare(self, features: Features) -> int:
        """The feature's number."""
        ...

    def counts(self, batch: RuleBatch) -> npt.NDArray[np.uint8]:
        """What each rule adds."""
        ...

    def total(self, source: Sequence[str]) -> int:
        """What is divided by; where it is 0, there is no such feature."""
        ...


class RuleFunction:
    """A dense local feature from a Python function of a rule.

    >>> length = RuleFunction("TargetLength", lambda rule: len(rule.target))
    >>> length.names
    ('TargetLength',)
    """

    def __init__(self, name: str, function: Callable[[Rule], float]) -> None:
        self.names = (name,)
        self.function = function
        self._id = 0

    def prepare(self, features: Features) -> None:
        """Find the feature's number."""
        self._id = features.id(self.names[0])

    def __call__(self, batch: RuleBatch) -> Fired:
        """The function's value of each rule."""
        values = np.array([self._value(rule) for rule in batch.rules], np.float64)
        return Fired(np.arange(len(batch)), np.full(len(batch), self._id, np.int32), values)

    def _value(self, rule: Rule) -> float:
        try:
            return float(finite(self.names, [self.function(rule)])[0])
        except Exception as error:  # a function of the user's may raise anything
            raise failed(self.names, rule, error) from error


@dataclass
class OrientationTemplate:
    """An `Orientation` from a Python function of a rule.

    `key` gives a rule's key, or None for no features. The eight classes of a key, four with the
    previous phrase and four with the next, each fire at some of the events m(onotone), s(wap),
    l(eft) and r(ight).
    """

    name: str
    key: Callable[[Rule], Sequence[int] | None]
    render: Callable[[Sequence[int]], str]
    blocks: bool = False  # neighbours are blocks, not phrases
    classes: Sequence[tuple[str, str]] = (
        ("monotone", "m"), ("swap", "s"), ("discontinuous", "lr"), ("nonMonotone", "slr"),
    )  # fmt: skip
    family: Family = field(init=False)

    def prepare(self, features: Features) -> None:
        """Make the template's family."""
        names = self.members

        def render(key: Sequence[int], member: int) -> str:
            return f"{self.name}:{names[member]}:{self.render(key)}"

        self.family = features.family(render, members=8)

    @property
    def members(self) -> list[str]:
        """What the classes are called."""
        return [name + side for side in ("WithPrevious", "WithNext") for name, _ in self.classes]

    @property
    def events(self) -> list[int]:
        """The events of each class, as bits."""
        return 2 * [sum(1 << "mslr".index(e) for e in events) for _, events in self.classes]

    def ids(self, batch: RuleBatch) -> Ids:
        """The first of the eight features of each rule."""
        keys = [self.key(rule) for rule in batch.rules]
        found = np.full(len(keys), -1, np.int32)
        known = [list(key) for key in keys if key is not None]
        has_key = np.array([key is not None for key in keys], np.bool_)
        found[has_key] = batch.features.ids(self.family, Ragged.of(known))
        return found


@dataclass
class BoundaryTemplate:
    """A `Boundary` from a Python function of a rule.

    `pair` gives a rule's left and right key, or None where it has no target words.
    """

    name: str
    pair: Callable[[Rule], tuple[int, int] | None]
    begin: int
    end: int
    render: Callable[[int], str] = str
    family: Family = field(init=False)

    def prepare(self, features: Features) -> None:
        """Make the template's family."""
        self.family = features.family(
            lambda key, _: f"{self.name}:{self.render(key[0])}-{self.render(key[1])}"
        )

    def keys(self, batch: RuleBatch) -> npt.NDArray[np.uint32]:
        """The left and right key of each rule."""
        pairs = [self.pair(rule) or (NO_KEY, NO_KEY) for rule in batch.rules]
        return np.array(pairs, np.uint32).reshape(-1, 2)


@dataclass
class AdjacentFlag:
    """A dense feature that fires when a rule and the one before it both have a flag."""

    name: str
    flag: Callable[[Rule], bool]

    def flags(self, batch: RuleBatch) -> npt.NDArray[np.bool_]:
        """Which rules have it."""
        return np.array([self.flag(rule) for rule in batch.rules], np.bool_)


class NonLocalFeature(Protocol):
    """A user's own dense features that need a state; each step runs Python, so search is slow.

    States must be hashable, and equal exactly if every continuation will score alike.
    """

    names: Sequence[str]

    def begin(self, source: Sequence[str]) -> Hashable:
        """The state before the first rule."""
        ...

    def extend(
        self, state: Any, rule: Rule, span: tuple[int, int]
    ) -> tuple[Hashable, Sequence[float]]:
        """The state behind a rule that translates a span, and a value for each name."""
        ...

    def finish(self, state: Any) -> Sequence[float]:
        """What the end of the sentence adds to each name."""
        ...
