"""What feature templates say of rules, put into the arrays that the core keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from miriam._core.features import collect
from miriam._core.search import RuleAnswers
from miriam.features.feature_set import FeatureSet
from miriam.features.rules import RuleBatch

__all__ = ["answer"]


def answer(templates: FeatureSet, ids: npt.NDArray[np.uint32], batch: RuleBatch) -> RuleAnswers:
    """The answers of all templates about a batch of rules with these numbers."""
    fired = [template(batch) for template in templates.local]
    ends, features, values = collect(
        len(batch),
        np.concatenate([np.empty(0, np.uint32), *(f.rows.astype(np.uint32) for f in fired)]),
        np.concatenate([np.empty(0, np.int32), *(f.ids for f in fired)]),
        np.concatenate([np.empty(0), *(f.values for f in fired)]),
    )
    orientations = [orientation.ids(batch) for orientation in templates.orientations]
    boundaries = [boundary.keys(batch) for boundary in templates.boundaries]
    counts = [ratio.counts(batch) for ratio in templates.ratios]
    flags = np.zeros(len(batch), np.uint8)
    for bit, flag in enumerate(templates.adjacent):
        flags |= flag.flags(batch).astype(np.uint8) << np.uint8(bit)
    with_domains = bool(batch.features.domains)
    strides = batch.features.native.strides(features if with_domains else features[:0])
    domains = batch.domains if with_domains else batch.domains[:0]
    none = (len(batch), 0)
    return RuleAnswers(
        ids, ends, features, values,
        _side_by_side(orientations, np.empty(none, np.int32)),
        _side_by_side(boundaries, np.empty(none, np.uint32)),
        _side_by_side(counts, np.empty(none, np.uint8)),
        flags, strides, domains,
    )  # fmt: skip


T = TypeVar("T", bound=np.generic)


def _side_by_side(columns: Sequence[npt.NDArray[T]], none: npt.NDArray[T]) -> npt.NDArray[T]:
    """A row for each rule, with what each column says of it."""
    parts = [column.reshape(len(none), -1).astype(none.dtype) for column in columns]
    return np.concatenate([none, *parts], axis=1).reshape(-1)
