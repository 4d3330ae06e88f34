"""Linear mixtures of models, with weights learnt on a development text by EM.

A mixture is computed when it is asked: p(w | h) = sum_m weight_m p_m(w | h), exact for models of
any kind and order. Its state, for a decoder, is the tuple of the states of its models.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from miriam.errors import ConfigError, InputError
from miriam.lm.model import Scoring, SentenceModel, WordScores

__all__ = ["Mixture", "interpolate"]

TOLERANCE = 1e-6
MAX_ITERATIONS = 200


class Mixture(Scoring):
    """Models and their weights, asked as one model.

    A model that does not have a word gives it the probability of its `<unk>`.

    >>> import math
    >>> from miriam.lm import Estimation, estimate
    >>> one, two = (estimate([t], Estimation(order=1)).model() for t in ("a b", "b b c"))
    >>> half = Mixture([one, two], [0.5, 0.5])
    >>> p = [math.exp(model.score_words(["b"]).logs[0]) for model in (one, two, half)]
    >>> math.isclose((p[0] + p[1]) / 2, p[2], rel_tol=1e-6)
    True
    """

    def __init__(self, models: Sequence[SentenceModel], weights: Sequence[float]) -> None:
        self.models = list(models)
        self.weights = np.array(weights, dtype=np.float64)
        if not self.models or len(self.models) != len(self.weights):
            raise ConfigError(
                f"a mixture needs a weight for each model, got {len(self.weights)} for "
                f"{len(self.models)}"
            )
        if (self.weights < 0).any() or abs(self.weights.sum() - 1) > TOLERANCE:
            raise ConfigError(
                f"the weights of a mixture must be at least 0 and sum to 1, got {list(weights)}"
            )

    def score_words(self, text: Sequence[str]) -> WordScores:
        """What the mixture says of each word of lines of tokens."""
        scores = [model.score_words(text) for model in self.models]
        logs = np.stack([s.logs for s in scores]).astype(np.float64)
        top = logs.max(axis=0)
        mixed = top + np.log(_weighted(self.weights, np.exp(logs - top)))
        return WordScores(
            mixed.astype(np.float32),
            np.max([s.orders for s in scores], axis=0),
            np.logical_and.reduce([s.unknown for s in scores]),
            scores[0].ends,
        )


def interpolate(models: Sequence[SentenceModel], text: Sequence[str]) -> Mixture:
    """The mixture under which a development text is most probable.

    Expectation maximisation: the new weight of a model is the mean, over the words, of the
    probability that it was the one that produced the word (Jelinek and Mercer 1980).

    >>> from miriam.lm import Estimation, estimate
    >>> models = [estimate([t], Estimation(order=1)).model() for t in ("a a b", "b b a")]
    >>> interpolate(models, ["a a a b"]).weights.argmax()
    np.int64(0)
    """
    if not any(line.split() for line in text):
        raise InputError("no words to learn the weights of a mixture from")
    logs = np.stack([model.score_words(text).logs for model in models]).astype(np.float64)
    likelihoods = np.exp(logs - logs.max(axis=0))
    weights = np.full(len(models), 1 / len(models))
    for _ in range(MAX_ITERATIONS):
        posteriors = weights[:, None] * likelihoods / _weighted(weights, likelihoods)
        updated = posteriors.mean(axis=1)
        moved = np.abs(updated - weights).max()
        weights = updated / updated.sum()
        if moved < TOLERANCE:
            break
    return Mixture(models, weights.tolist())


def _weighted(
    weights: npt.NDArray[np.float64], values: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The weighted sum over models, added up in their order."""
    total = np.zeros(values.shape[1])
    for weight, row in zip(weights, values, strict=True):
        total += weight * row
    return total
