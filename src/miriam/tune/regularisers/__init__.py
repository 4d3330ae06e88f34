"""Regularisers: each is one small struct, and their union is the registry."""

from __future__ import annotations

from typing import TypeAlias

from miriam.tune.regularisers.cumulative import CumulativeL1
from miriam.tune.regularisers.norms import L1, L2, NoRegulariser
from miriam.tune.regularisers.oscar import Oscar, OscarAsPrinted

__all__ = [
    "L1", "L2", "AnyRegulariser", "CumulativeL1", "NoRegulariser", "Oscar", "OscarAsPrinted",
]  # fmt: skip

AnyRegulariser: TypeAlias = NoRegulariser | L1 | L2 | CumulativeL1 | Oscar | OscarAsPrinted
