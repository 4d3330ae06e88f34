"""What a person sees of an online learner: its loss on each batch before it learns from it.

Progressive validation, reported when the number of sentences has doubled, and a record an epoch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["Log", "Monitor", "Record", "no_log", "render"]

Record: TypeAlias = dict[str, Any]
"""One event, ready for JSON: `progress`, `epoch`, `inner` (of a tuner in it), a batch `step`."""

Log: TypeAlias = Callable[[Record], None]


def no_log(record: Record) -> None:
    """Tell nobody: the default wherever a `Log` is taken."""


class Monitor:
    """Means of the loss: since the beginning, and since the last report.

    >>> monitor = Monitor(lambda record: print(render(record)))
    >>> for loss in (4.0, 2.0, 1.0, 1.0):
    ...     monitor.see(loss)
           1 sentences   loss 4.0000   since 4.0000
           2 sentences   loss 3.0000   since 2.0000
           4 sentences   loss 2.0000   since 1.0000
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.count = self.last = 0
        self.total = self.since = 0.0

    def see(self, loss: float) -> None:
        """Count the loss of one sentence."""
        self.count += 1
        self.total += loss
        self.since += loss
        if self.count & (self.count - 1) == 0:
            recent = self.since / (self.count - self.last)
            self.log({
                "event": "progress", "sentences": self.count,
                "loss": self.total / self.count, "since": recent,
            })  # fmt: skip
            self.last, self.since = self.count, 0.0

    def state(self) -> list[float]:
        """Plain data to go on from."""
        return [self.count, self.last, self.total, self.since]

    def restore(self, state: list[float]) -> None:
        """Go on from a `state`."""
        self.count, self.last = int(state[0]), int(state[1])
        self.total, self.since = state[2], state[3]


def render(record: Record) -> str:
    """A record as a line for a person."""
    if record["event"] == "progress":
        return "{sentences:>8} sentences   loss {loss:.4f}   since {since:.4f}".format(**record)
    if record["event"] == "step":
        return "step {step} of {steps}   score {score:.2f}".format(**record)
    line = "epoch {epoch:>2}   features {features:,}   {seconds:.1f} s".format(**record)
    if record["event"] == "inner":
        line = "     groups of epoch {round}: {line}".format(line=line, **record)
    if record["score"] is not None:
        line += "   score {score:.2f}".format(**record)
    if record.get("length_ratio") is not None:
        line += "   length ratio {length_ratio:.3f}".format(**record)
    if record.get("known"):
        line += (
            "   groups {groups:,}, active {active:,}, of {members:,} of {known:,} features"
        ).format(**record)
    return line
