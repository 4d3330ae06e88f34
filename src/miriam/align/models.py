"""The alignment models and their settings, and how each is reestimated from what it counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from miriam._core.align import Diagonal, Jumps, Uniform
from miriam.config import Config

__all__ = [
    "AlignSettings",
    "Fast",
    "Hmm",
    "Ibm1",
    "Model",
    "Positions",
    "parameters",
    "reestimate",
    "stages",
    "with_parameters",
]

Positions = Uniform | Diagonal | Jumps
Statistics = npt.NDArray[np.float64]

Iterations = Annotated[int, Meta(ge=0, le=1000)]
Probability = Annotated[float, Meta(gt=0, lt=1)]

UNSEEN_JUMPS = 1e-3  # added to the count of each jump, so that none becomes impossible
TENSIONS = (0.1, 30.0)


class Ibm1(Config, frozen=True, kw_only=True, tag="ibm1", tag_field="kind"):
    """IBM 1 (Brown et al. 1993): which words translate which, wherever they stand."""

    iterations: Iterations = 5
    agreement: bool = False  # count the product of both directions' posteriors


class Hmm(Config, frozen=True, kw_only=True, tag="hmm", tag_field="kind"):
    """HMM (Vogel, Ney and Tillmann 1996), trained by agreement (Liang, Taskar and Klein 2006)."""

    ibm1_iterations: Iterations = 5
    iterations: Iterations = 5
    agreement: bool = True  # count the product of both directions' posteriors
    null: Probability = 0.2  # that an observed word translates none
    window: Annotated[int, Meta(ge=1, le=100)] = 8  # jumps this far or farther share one weight


class Fast(Config, frozen=True, kw_only=True, tag="fast", tag_field="kind"):
    """IBM 2 with a diagonal prior (Dyer, Chahuneau and Smith 2013)."""

    iterations: Iterations = 5
    null: Probability = 0.08
    tension: Annotated[float, Meta(ge=TENSIONS[0], le=TENSIONS[1])] = 4.0  # to begin with
    alpha: Annotated[float, Meta(ge=0, le=100)] = (
        0.01  # of the Dirichlet prior of translations; 0: none
    )


Model = Hmm | Fast | Ibm1


class AlignSettings(Config, frozen=True, kw_only=True):
    """All settings of `miriam align`.

    >>> from miriam.config import load
    >>> load(AlignSettings, overrides=["model.kind=fast", "symmetrise=grow"]).model.alpha
    0.01
    """

    model: Model = Hmm()
    # `posterior`: the links whose mean posterior reaches the threshold; the others are made of the
    # best alignments of both directions.
    symmetrise: Literal[
        "intersection",
        "union",
        "grow",
        "grow-diag",
        "grow-diag-final",
        "grow-diag-final-and",
        "posterior",
    ] = "grow-diag"
    threshold: Annotated[float, Meta(gt=0, le=1)] = 0.4  # of `posterior`
    max_length: Annotated[int, Meta(ge=1)] = 1000  # words; a pair with a longer side has no links


@dataclass(frozen=True)
class Stage:
    """Some iterations of EM with one kind of position model."""

    name: str
    positions: Positions  # to begin with, in both directions
    iterations: int
    agreement: bool = False
    alpha: float = 0.0


def stages(model: Model) -> list[Stage]:
    """How a model is trained, step by step."""
    if isinstance(model, Fast):
        first = Diagonal(model.tension, model.null)
        return [Stage("fast", first, model.iterations, alpha=model.alpha)]
    if isinstance(model, Ibm1):
        return [Stage("IBM 1", Uniform(), model.iterations, model.agreement)]
    bins = 2 * model.window + 1
    return [
        Stage("IBM 1", Uniform(), model.ibm1_iterations, model.agreement),
        Stage("HMM", Jumps([1.0] * bins, model.null), model.iterations, model.agreement),
    ]


def reestimate(positions: Positions, statistics: Statistics) -> Positions:
    """The position model that fits the statistics of an E-step better (see docs/rooms/align.md)."""
    if isinstance(positions, Diagonal):
        return Diagonal(_tension(positions.tension, *statistics[1:]), positions.null)
    if isinstance(positions, Jumps):
        taken, expected = np.split(statistics[1:], 2)
        weights = (taken + UNSEEN_JUMPS) / (expected + UNSEEN_JUMPS)
        return Jumps((weights / weights.sum()).tolist(), positions.null)
    return positions


def _tension(tension: float, gradient: float, information: float) -> float:
    """One Newton step, at most to half or double the tension."""
    if information <= 0:
        return tension
    step = np.clip(tension + gradient / information, tension / 2, tension * 2)
    return float(np.clip(step, *TENSIONS))


def parameters(positions: Positions) -> npt.NDArray[np.float64]:
    """What a position model has learnt, as it is saved; `with_parameters` is the way back."""
    if isinstance(positions, Diagonal):
        return np.array([positions.tension])
    if isinstance(positions, Jumps):
        return np.array(positions.weights)
    return np.empty(0)


def with_parameters(model: Model, values: npt.NDArray[np.float64]) -> Positions:
    """The position model of a saved aligner."""
    if isinstance(model, Fast):
        return Diagonal(float(values[0]), model.null)
    if isinstance(model, Hmm):
        return Jumps(values.tolist(), model.null)
    return Uniform()
