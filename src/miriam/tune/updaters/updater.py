"""What an updater is: the step size of each coordinate that fired."""

from __future__ import annotations

from typing import ClassVar, Literal, Protocol

from miriam.config import Config
from miriam.tune.losses.loss import Array
from miriam.tune.table import Rows

__all__ = ["ClosedForm", "GradientUpdater", "Updater"]


class Updater(Protocol):
    """A rule for the rates r of w <- w - r g. What it remembers lies in columns of the table."""

    columns: ClassVar[tuple[str, ...]]
    """The columns it needs, all 0 at first."""

    idle: ClassVar[Literal["same", "common", "none"]]
    """The rate of a coordinate while it is idle: its own last one (`same`), the one of all
    coordinates (`common`), or there is none that a regulariser could follow (`none`)."""

    closed_form: ClassVar[bool]
    """Whether it solves a single hinge exactly, a sentence at a time; else it takes gradients."""

    def rates(self, rows: Rows, gradient: Array, *, loss: float, step: int) -> Array:
        """The rate of each coordinate of a gradient without zeros; `step` counts from 1.

        It writes to its columns of `rows`. `loss` is the hinge at the current weights.
        """


class GradientUpdater(Config, frozen=True, kw_only=True):
    """The settings of an updater that takes a step along a gradient, with rates that last."""

    columns: ClassVar[tuple[str, ...]] = ()
    idle: ClassVar[Literal["same", "common", "none"]] = "same"
    closed_form: ClassVar[bool] = False


class ClosedForm(Config, frozen=True, kw_only=True):
    """The settings of an updater that solves a single hinge exactly."""

    columns: ClassVar[tuple[str, ...]] = ()
    idle: ClassVar[Literal["same", "common", "none"]] = "none"
    closed_form: ClassVar[bool] = True
