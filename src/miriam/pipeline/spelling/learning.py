"""Learns what ranks the candidates of a word: the weights of all features."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy import sparse

from miriam.features.spelling import SpellingFeatures
from miriam.pipeline.spelling.held_out import Lists
from miriam.pipeline.spelling.prior import START
from miriam.tune.loglinear import Choices, LogLinear
from miriam.tune.losses.loss import Array

__all__ = ["Learnt", "learn"]

NEGLIGIBLE = 1e-4  # a weight of an edit below this is left out


class Learnt(NamedTuple):
    """Weights by name, and how often they choose right."""

    weights: dict[str, float]
    accuracy: float  # of the different held-out words whose right form was offered, in percent


def learn(lists: Iterable[Lists], features: SpellingFeatures, settings: LogLinear) -> Learnt:
    """The weights under which the right candidates are likely."""
    parts, right, ends = [], [], [np.zeros(1, np.int64)]
    for part in lists:
        parts.append(features.rows(part.candidates, part.known, grow=True))
        right.append(part.right)
        ends.append(part.candidates.ends + ends[-1][-1])
    names = features.names
    for rows in parts:  # edits that later parts brought
        rows.resize((rows.shape[0], len(names)))
    matrix = sparse.csr_array(sparse.vstack(parts))
    choices = Choices(matrix, np.concatenate(ends[1:]), np.concatenate(right))
    start = np.array([START.get(name, 0.0) for name in names])
    weights = settings.learn(choices, start, indicators=len(names) - len(features.edits))
    named = {
        name: weight
        for name, weight in zip(names, weights.tolist(), strict=True)
        if abs(weight) >= NEGLIGIBLE or not name.startswith("Edit:")
    }
    return Learnt(named, _accuracy(choices, matrix @ weights))


def _accuracy(choices: Choices, scores: Array) -> float:
    spans = itertools.pairwise([0, *choices.ends.tolist()])
    chosen = [begin + int(np.argmax(scores[begin:end])) for begin, end in spans if end > begin]
    return float(100 * choices.right[chosen].sum() / max(choices.right.sum(), 1.0))
