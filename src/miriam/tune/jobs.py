"""What an online run has under way: mini-batches whose gradients are being computed."""

from __future__ import annotations

from concurrent.futures import Future
from typing import NamedTuple

from miriam.tune.learner import Gradient
from miriam.tune.snapshots import Snapshot

__all__ = ["Job"]


class Job(NamedTuple):
    """A mini-batch whose gradients are being computed."""

    gradients: Future[list[Gradient]]
    snapshot: Snapshot | None = None  # the weights it reads
