"""What a regulariser is: a penalty that adds up while a coordinate is idle, and is paid at once.

A dense learner would penalise every weight at every update. Ours touches a weight when its feature
fires, or when somebody reads it, and pays then for all the updates that it was idle. That is exact
if penalties add up: paying a, then b, is paying a + b (`docs/rooms/tune.md` derives it).

A penalty that depends on other weights than its own does not add up. It is joint: nobody owes
anything, and all weights that are not 0 take a step together after each update.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Protocol

import msgspec
import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.features.nbest import Names
from miriam.tune.losses.loss import Array
from miriam.tune.table import Ids, Rows

if TYPE_CHECKING:
    from miriam.tune.regularisers.together import Together

__all__ = ["Penalty", "Regulariser", "Strength", "Strengths", "Unpaid"]

Strength = Annotated[float, Meta(ge=0)]


class Regulariser(Protocol):
    """A penalty: settings, and what one update at a given rate costs."""

    columns: ClassVar[tuple[str, ...]]
    """The columns it needs, all 0 at first."""

    penalises: ClassVar[bool]
    """False where a weight never owes anything."""

    joint: ClassVar[bool]
    """Whether all weights take a step together after each update."""

    linear: ClassVar[bool]
    """Whether an update costs in proportion to its strength."""

    thresholds: ClassVar[bool]
    """Whether a cost is what a weight moves towards 0, and no more is to be known of it."""

    @property
    def deferred(self) -> bool:
        """Whether nothing is due before the end of an epoch."""

    @property
    def strength(self) -> float | None:
        """λ of the features that no template of `templates` covers; None: by the loss."""

    @property
    def templates(self) -> dict[str, float]:
        """λ of the features whose names begin with a prefix."""

    def cost(self, rate: Array | float, strength: Array | float) -> Array:
        """What one update at a rate r costs with a strength λ."""

    def pay(self, rows: Rows, cost: Array) -> None:
        """Lower the weights of rows by the cost of one or more updates."""

    def together(self, frozen: tuple[str, ...], names: Names) -> Together | None:
        """What takes the step of all weights but the frozen ones; None if it is not joint."""


class Strengths:
    """λ by feature: by the longest prefix of its name, looked up once a feature."""

    def __init__(self, default: float, templates: dict[str, float], names: Names) -> None:
        self.default = default
        self.prefixes = sorted(templates.items(), key=lambda item: -len(item[0]))
        self.names = names
        self.known = np.empty(0)

    def of(self, ids: Ids) -> Array | float:
        """The strengths of some features, or the one that all have.

        >>> from miriam.lexicon.vocabulary import Vocabulary
        >>> names = Vocabulary()
        >>> ids = np.array([names.add(n) for n in ("LM", "PT:a>b", "PT:c>d")], dtype=np.int32)
        >>> Strengths(0.1, {"PT:": 0.5, "PT:c": 0.0}, names).of(ids).tolist()
        [0.1, 0.5, 0.0]
        """
        if not self.prefixes:
            return self.default
        if len(ids) and ids.max() >= len(self.known):
            new = range(len(self.known), len(self.names))
            self.known = np.append(self.known, [self._look_up(self.names.word(i)) for i in new])
        strengths: Array = self.known[ids]
        return strengths

    def _look_up(self, name: str) -> float:
        return next((s for prefix, s in self.prefixes if name.startswith(prefix)), self.default)


class Penalty(Config, frozen=True, kw_only=True):
    """The settings of regularisers under which each weight pays for itself."""

    strength: Strength | None = None
    templates: dict[str, Strength] = msgspec.field(default_factory=dict)

    penalises: ClassVar[bool] = True
    joint: ClassVar[bool] = False

    @property
    def deferred(self) -> bool:
        """No: each update is paid for at once."""
        return False

    def together(self, frozen: tuple[str, ...], names: Names) -> Together | None:
        """Nothing."""
        return None


class Unpaid(Config, frozen=True, kw_only=True):
    """The settings of regularisers under which no weight owes anything."""

    columns: ClassVar[tuple[str, ...]] = ()
    penalises: ClassVar[bool] = False
    joint: ClassVar[bool] = False
    linear: ClassVar[bool] = True
    thresholds: ClassVar[bool] = False
    deferred: ClassVar[bool] = False

    @property
    def strength(self) -> float | None:
        """0."""
        return 0.0

    @property
    def templates(self) -> dict[str, float]:
        """None."""
        return {}

    def cost(self, rate: Array | float, strength: Array | float) -> Array:
        """0."""
        return np.zeros(np.broadcast(rate, strength).shape)

    def pay(self, rows: Rows, cost: Array) -> None:
        """Nothing."""

    def together(self, frozen: tuple[str, ...], names: Names) -> Together | None:
        """Nothing."""
        return None
