"""The log-linear learner stops where the slope by differences is 0."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from miriam.errors import InputError
from miriam.tune.loglinear import Choices, LogLinear, posteriors


def objective(choices: Choices, scale: np.ndarray, weights: np.ndarray, l2: float) -> float:
    """The loss by its definition, list by list."""
    dense, loss, begin = choices.features.toarray(), 0.0, 0
    for end in choices.ends.tolist():
        scores = dense[begin:end] @ weights
        for place, right in enumerate(choices.right[begin:end].tolist()):
            loss -= right * (scores[place] - np.log(np.exp(scores).sum()))
        begin = end
    return float(loss + l2 / 2 * np.sum((scale * weights) ** 2))


def spread(choices: Choices, indicators: int) -> np.ndarray:
    dense, begin = choices.features.toarray(), 0
    for end in choices.ends.tolist():
        dense[begin:end] -= dense[begin:end].mean(axis=0) if end > begin else 0.0
        begin = end
    scale: np.ndarray = np.sqrt((dense**2).mean(axis=0)) + 1e-3
    scale[indicators:] = 1.0
    return scale


@given(st.lists(st.integers(0, 4), min_size=1, max_size=5), st.integers(0, 10**6))
def test_the_slope_is_zero_where_it_stops(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    ends, count = np.cumsum([*sizes, 2]), sum(sizes) + 2
    features = rng.normal(size=(count, 3)) * [1.0, 10.0, 1.0]
    features[:, 2] = features[:, 2] > 0
    right = rng.integers(0, 3, count).astype(np.float64)
    right[-1] = 1.0
    choices = Choices(csr_array(features), ends, right)
    found = LogLinear(l2=0.7).learn(choices, np.zeros(3), indicators=2)
    scale = spread(choices, 2)
    for step in np.eye(3) * 1e-5 / scale:
        slope = objective(choices, scale, found + step, 0.7)
        slope -= objective(choices, scale, found - step, 0.7)
        assert slope / 2e-5 == pytest.approx(0.0, abs=1e-3)


def test_nothing_right_is_refused() -> None:
    choices = Choices(csr_array(np.eye(2)), np.array([2]), np.zeros(2))
    with pytest.raises(InputError, match="nothing to learn"):
        LogLinear().learn(choices, np.zeros(2), indicators=2)


def test_posteriors_of_lists_some_of_them_empty() -> None:
    found = posteriors(np.array([0.0, 1000.0, 3.0]), np.array([0, 2, 2, 3]))
    assert found.tolist() == [0.0, 1.0, 1.0]
