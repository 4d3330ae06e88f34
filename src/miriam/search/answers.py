"""What feature templates say of rules, put into the arrays that the core keeps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from miriam._core.search import RuleAnswers
from miriam.features.feature_set import FeatureSet
from miriam.features.table import Features
from miriam.features.templates import NO_KEY, Rule, RuleBatch

__all__ = ["answer"]


def answer(
    templates: FeatureSet, features: Features, ids: npt.NDArray[np.uint32], rules: Sequence[Rule]
) -> RuleAnswers:
    """The answers of all templates about a batch of rules."""
    batch = RuleBatch(ids, rules)
    rows: list[list[tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]]] = [[] for _ in rules]
    for template in templates.local:
        for row, found in zip(rows, template(batch), strict=True):
            row.append(found)
    lengths = [sum(len(i) for i, _ in row) for row in rows]
    flat = [part for row in rows for part in row]
    orientations = np.full((len(rules), len(templates.orientations)), -1, np.int32)
    for column, orientation in enumerate(templates.orientations):
        for row_number, rule in enumerate(rules):
            if (key := orientation.key(rule)) is not None:
                keys = np.array([key], np.uint32)
                found_ids = features.ids(orientation.family, keys, members=8)
                orientations[row_number, column] = found_ids[0]
    boundaries = np.full((len(rules), len(templates.boundaries), 2), NO_KEY, np.uint32)
    for column, boundary in enumerate(templates.boundaries):
        for row_number, rule in enumerate(rules):
            if (pair := boundary.keys(rule)) is not None:
                boundaries[row_number, column] = pair
    flags = np.zeros(len(rules), np.uint8)
    for bit, flag in enumerate(templates.adjacent):
        flags |= np.array([bool(flag.flag(rule)) << bit for rule in rules], np.uint8)
    return RuleAnswers(
        ids,
        np.cumsum(lengths, dtype=np.uint64),
        np.concatenate([np.empty(0, np.int32), *(i for i, _ in flat)]),
        np.concatenate([np.empty(0), *(v for _, v in flat)]),
        orientations.reshape(-1),
        boundaries.reshape(-1),
        flags,
    )
