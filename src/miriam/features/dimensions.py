"""Templates of a rule's size."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from miriam.features.rules import Fired, RuleBatch
from miriam.features.table import Family, Features

__all__ = ["Dimension", "Side"]

Side = Literal["source", "target", "both"]
NAMES = {"source": ("SRCD", "n"), "target": ("TGTD", "n"), "both": ("RSHP", "n-n")}


@dataclass
class Dimension:
    """`SRCD:n` for a rule of n source words, `TGTD:m` for m target words, `RSHP:n-m` for both."""

    side: Side
    family: Family = field(init=False, repr=False)

    def prepare(self, features: Features) -> None:
        """Make the family."""
        self.family = features.named(*NAMES[self.side])

    def __call__(self, batch: RuleBatch) -> Fired:
        """One a rule."""
        lengths = {"source": batch.source.lengths, "target": batch.target.lengths}
        columns = list(lengths.values()) if self.side == "both" else [lengths[self.side]]
        keys = np.stack(columns, axis=1).astype(np.uint32)
        return Fired.once(np.arange(len(batch)), batch.features.ids(self.family, keys))
