"""Updaters: each is one small struct, and their union is the registry."""

from __future__ import annotations

from typing import TypeAlias

from miriam.tune.updaters.adagrad import AdaGrad
from miriam.tune.updaters.arow import Arow, ArowLinearised
from miriam.tune.updaters.mira import Mira
from miriam.tune.updaters.sgd import Sgd

__all__ = ["AdaGrad", "AnyUpdater", "Arow", "ArowLinearised", "Mira", "Sgd"]

AnyUpdater: TypeAlias = AdaGrad | Sgd | Mira | Arow | ArowLinearised
