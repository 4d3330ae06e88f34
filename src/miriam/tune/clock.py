"""What the time of an epoch was spent on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Literal, TypeAlias

__all__ = ["Clock", "Work"]

Work: TypeAlias = Literal["decoding", "extraction", "gold", "learning", "development"]
"""Search; features of the candidates; gold scores; gradients and updates; judging an epoch."""


class Clock:
    """Adds up seconds by kind of work, from several threads at once.

    Work that goes on side by side counts each for itself, so the sum may be more than has passed.

    >>> clock = Clock()
    >>> with clock.on("decoding"):
    ...     pass
    >>> list(clock.take()), clock.take()
    (['decoding'], {})
    """

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._lock = Lock()

    @contextmanager
    def on(self, work: Work) -> Iterator[None]:
        """Count the time of a block."""
        begin = time.monotonic()
        try:
            yield
        finally:
            seconds = time.monotonic() - begin
            with self._lock:
                self._seconds[work] = self._seconds.get(work, 0.0) + seconds

    def take(self) -> dict[str, float]:
        """What has been counted; the next count begins at 0."""
        with self._lock:
            taken, self._seconds = self._seconds, {}
        return {work: round(seconds, 4) for work, seconds in taken.items()}
