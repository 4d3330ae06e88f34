"""Which features may learn: not the frozen ones, and none before enough sentences have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from miriam.features.nbest import Names
from miriam.tune.prefixes import Prefixed

if TYPE_CHECKING:
    from miriam.tune.learner import Gradient

__all__ = ["Admission"]


class Admission:
    """A gate for gradients: frozen features by prefix, and a cut-off (Green et al., 2014, 6.1).

    A feature is admitted when `min_sentences` different sentences have had a gradient for it.
    """

    def __init__(self, frozen: tuple[str, ...], min_sentences: int, names: Names) -> None:
        self.frozen, self.min_sentences = frozen, min_sentences
        self.is_frozen = Prefixed(frozen, names)
        self.seen: dict[int, set[int]] = {}  # of features not yet admitted
        self.admitted: set[int] = set()

    def admit(self, gradient: Gradient) -> Gradient:
        """The gradient of those features that may learn."""
        if not self.frozen and self.min_sentences <= 1:
            return gradient
        ids = gradient.ids
        keep = np.ones(len(ids), dtype=bool)
        if self.frozen:
            keep &= ~self.is_frozen(ids)
        if self.min_sentences > 1:
            keep &= np.array([self._often(int(i), gradient.sentence) for i in ids], dtype=bool)
        return gradient._replace(ids=ids[keep], values=gradient.values[keep])

    def _often(self, feature: int, sentence: int) -> bool:
        if feature in self.admitted:
            return True
        sentences = self.seen.setdefault(feature, set())
        sentences.add(sentence)
        if len(sentences) < self.min_sentences:
            return False
        del self.seen[feature]
        self.admitted.add(feature)
        return True

    def state(self) -> dict[str, list[list[int]]]:
        """What has been counted, as plain data."""
        return {
            "seen": [[feature, *sorted(s)] for feature, s in sorted(self.seen.items())],
            "admitted": [sorted(self.admitted)],
        }

    def restore(self, state: Mapping[str, list[list[int]]]) -> None:
        """Go on from a `state`."""
        self.seen = {feature: set(sentences) for feature, *sentences in state["seen"]}
        self.admitted = set(state["admitted"][0])
