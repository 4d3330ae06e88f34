"""What tuning runs took: epochs to the best one, seconds an epoch (Green et al., 2013, Table 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from miriam.analysis.run import Epoch, Run
from miriam.errors import InputError

__all__ = ["WORK", "Runtime", "runtime_of"]

WORK: Mapping[str, str] = {  # `tune.clock.Work`
    "decoding": "the search",
    "extraction": "features of the candidates",
    "gold": "scores against the references",
    "learning": "gradients and updates",
    "development": "judging the epoch",
}
NEAR = 0.1  # points of the development score: as good as the best


class Runtime(msgspec.Struct, frozen=True, kw_only=True):
    """A run; seconds are means over its epochs, by the clock."""

    name: str
    epochs: int
    best: int  # the epoch that was kept
    near: int  # the first within 0.1 of its score
    features: int | None  # active in the best epoch
    seconds: float | None  # of an epoch, without judging it on the development set
    split: dict[str, float]  # by kind of work; kinds that overlap count each for itself


def runtime_of(run: Run, name: str) -> Runtime:
    r"""What a run took, refused if its log has no epochs.

    Epoch 0, the weights it began with, is no epoch of learning.

    >>> import tempfile
    >>> from pathlib import Path
    >>> log = '{"event": "epoch", "epoch": %d, "score": %d, "features": 19, "seconds": 2.0}\n'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "log.jsonl").write_text("".join(log % (i, 30 + i) for i in range(3)))
    ...     found = runtime_of(Run(Path(folder)), "first")
    >>> found.epochs, found.best, found.seconds
    (2, 2, 2.0)
    """
    best, learnt = run.best, [epoch for epoch in run.epochs if epoch.epoch > 0]
    if best is None or not learnt:
        raise InputError("the run has no epochs to time", path=run.folder)
    timed = [epoch.seconds for epoch in learnt if epoch.seconds is not None]
    return Runtime(
        name=name, epochs=len(learnt), best=best.epoch, near=_near(run.epochs, best),
        features=best.features, seconds=float(np.mean(timed)) if timed else None,
        split={
            work: float(np.mean([epoch.split.get(work, 0.0) for epoch in learnt]))
            for work in WORK
            if any(work in epoch.split for epoch in learnt)
        },
    )  # fmt: skip


def _near(epochs: Sequence[Epoch], best: Epoch) -> int:
    if best.score is None:
        return best.epoch
    return next(
        epoch.epoch
        for epoch in epochs
        if epoch.score is not None and epoch.score >= best.score - NEAR
    )
