"""The contract of feature templates.

A local template sees batches of rules and answers with arrays, once for each rule and run. The
templates of what lies between rules only give each rule integers, from which the decoder computes
the rest: keys of orientations, boundary keys, flags. A non-local feature of any other kind is a
Python object with a state: slow, and it works.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from miriam.errors import InputError
from miriam.features.table import Family, Features

__all__ = [
    "AdjacentFlag", "BoundaryTemplate", "LocalTemplate", "NonLocalFeature", "OrientationTemplate",
    "Rule", "RuleBatch", "RuleFunction",
]  # fmt: skip

NO_KEY = 2**32 - 1  # of a rule that has none
Ids = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Rule:
    """A rule as a template sees it."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[tuple[int, int], ...] = ()
    count: float = 0.0  # how often it was seen in training
    unknown: bool = False  # the copy of an unknown word
    domains: int = 0  # a bit for each domain it was seen in


@dataclass(frozen=True)
class RuleBatch:
    """Rules that a template is asked about, by number and one by one."""

    ids: npt.NDArray[np.uint32]
    rules: Sequence[Rule]

    def __len__(self) -> int:
        return len(self.rules)


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

    def __call__(self, batch: RuleBatch) -> Sequence[tuple[Ids, npt.NDArray[np.float64]]]:
        """The features of each rule: their ids and values."""
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
        self._id = np.empty(0, np.int32)

    def prepare(self, features: Features) -> None:
        """Find the feature's number."""
        self._id = np.array([features.id(self.names[0])], np.int32)

    def __call__(self, batch: RuleBatch) -> Sequence[tuple[Ids, npt.NDArray[np.float64]]]:
        """The function's value of each rule."""
        return [(self._id, self._value(rule)) for rule in batch.rules]

    def _value(self, rule: Rule) -> npt.NDArray[np.float64]:
        try:
            return finite(self.names, [self.function(rule)])
        except Exception as error:  # a function of the user's may raise anything
            raise failed(self.names, rule, error) from error


@dataclass
class OrientationTemplate:
    """Indicators of a rule's key and how the rule lies to its neighbours.

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

        def render(key: Sequence[int], member: int) -> str:
            side = "WithPrevious" if member < 4 else "WithNext"
            return f"{self.name}:{self.classes[member % 4][0]}{side}:{self.render(key)}"

        self.family = features.family(render)

    @property
    def events(self) -> list[int]:
        """The events of each class, as bits."""
        return 2 * [sum(1 << "mslr".index(e) for e in events) for _, events in self.classes]


@dataclass
class BoundaryTemplate:
    """A feature for each pair of keys at the boundary of two rules.

    `keys` gives a rule's left and right key, or None where it has no target words.
    """

    name: str
    keys: Callable[[Rule], tuple[int, int] | None]
    begin: int
    end: int
    render: Callable[[int], str] = str
    family: Family = field(init=False)

    def prepare(self, features: Features) -> None:
        """Make the template's family."""
        self.family = features.family(
            lambda key, _: f"{self.name}:{self.render(key[0])}-{self.render(key[1])}"
        )


@dataclass
class AdjacentFlag:
    """A dense feature that fires when a rule and the one before it both have a flag."""

    name: str
    flag: Callable[[Rule], bool]


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
