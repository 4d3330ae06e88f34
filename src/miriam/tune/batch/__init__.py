"""Batch learners, which see all n-best lists at once; their union is the registry."""

from __future__ import annotations

from typing import TypeAlias

from miriam.tune.batch.expected_bleu import ExpectedBleu
from miriam.tune.batch.kbmira import KbMira
from miriam.tune.batch.mert import Mert
from miriam.tune.batch.pro import Pro

__all__ = ["AnyBatch", "ExpectedBleu", "KbMira", "Mert", "Pro"]

AnyBatch: TypeAlias = Mert | Pro | KbMira | ExpectedBleu
