"""Losses of a list of candidates: each is one small struct, and their union is the registry."""

from __future__ import annotations

from typing import TypeAlias

from miriam.tune.losses.expected import Expected
from miriam.tune.losses.hope_fear import HopeFear, Ramp
from miriam.tune.losses.pairwise import Hinge, Logistic, Perceptron
from miriam.tune.losses.softmax import Softmax

__all__ = [
    "AnyLoss", "Expected", "Hinge", "HopeFear", "Logistic", "Perceptron", "Ramp", "Softmax",
]  # fmt: skip

AnyLoss: TypeAlias = Logistic | Hinge | Perceptron | Expected | Softmax | Ramp | HopeFear
