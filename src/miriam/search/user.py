"""A user's non-local features in Python, as the core calls them: states are numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
import numpy.typing as npt

from miriam.features.rules import Rule
from miriam.features.templates import NonLocalFeature, failed, finite
from miriam.search.sentence import Sentence

__all__ = ["UserFeatures"]

Values = npt.NDArray[np.float64]


class UserFeatures:
    """Numbers the states of several features together, and remembers each step."""

    def __init__(
        self,
        features: Sequence[NonLocalFeature],
        weights: Sequence[Values],
        sentences: Sequence[Sentence],
        rule: Callable[[int], Rule],
    ) -> None:
        self.features = features
        self.weights = np.concatenate(list(weights))
        self.sentences = sentences
        self.rule = rule
        self.states: list[tuple[Hashable, ...]] = []
        self.numbers: dict[tuple[Hashable, ...], int] = {}
        self.steps: dict[tuple[int, int, int, int], tuple[Values, int]] = {}

    def begin(self, sentence: int) -> int:
        """The number of the state in which a sentence begins."""
        source = self.sentences[sentence].tokens
        return self._number((sentence, *(f.begin(source) for f in self.features)))

    def extend(self, state: int, rule: int, begin: int, end: int) -> tuple[float, int]:
        """The weighted score of a step, and the number of the state behind it."""
        values, behind = self.step(state, rule, begin, end)
        return float(self.weights @ values), behind

    def finish(self, state: int) -> float:
        """The weighted score of the end of the sentence."""
        return float(self.weights @ self.end(state))

    def values(self, sentence: int, phrases: Sequence[tuple[int, int, int]]) -> Values:
        """The values of all features of a finished derivation."""
        state = self.begin(sentence)
        total = np.zeros(len(self.weights))
        for rule, begin, end in phrases:
            values, state = self.step(state, rule, begin, end)
            total += values
        return total + self.end(state)

    def step(self, state: int, rule: int, begin: int, end: int) -> tuple[Values, int]:
        """The values of a step, and the number of the state behind it."""
        key = (state, rule, begin, end)
        if key not in self.steps:
            sentence, *before = self.states[state]
            behind: list[Hashable] = [sentence]
            values = []
            for feature, own in zip(self.features, before, strict=True):
                next_state, found = _extended(feature, own, self.rule(rule), (begin, end))
                behind.append(next_state)
                values.append(found)
            self.steps[key] = (np.concatenate(values), self._number(tuple(behind)))
        return self.steps[key]

    def end(self, state: int) -> Values:
        """The values of the end of the sentence."""
        _, *before = self.states[state]
        ends = [
            finite(feature.names, feature.finish(own))
            for feature, own in zip(self.features, before, strict=True)
        ]
        return np.concatenate(ends)

    def _number(self, state: tuple[Hashable, ...]) -> int:
        number = self.numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        return number


def _extended(
    feature: NonLocalFeature, state: Hashable, rule: Rule, span: tuple[int, int]
) -> tuple[Hashable, Values]:
    """The state of a feature behind a rule, and its values, which are finite numbers."""
    try:
        behind, found = feature.extend(state, rule, span)
        hash(behind)
        return behind, finite(feature.names, found)
    except Exception as error:  # a feature of the user's may raise anything
        raise failed(feature.names, rule, error) from error
