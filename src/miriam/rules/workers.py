"""Several native calls at a time, their results in order; Ctrl-C stops all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from miriam._core import Progress
from miriam.progress import Report, silent

__all__ = ["in_order"]

T = TypeVar("T")


def in_order(
    tasks: Iterable[Callable[[Progress], T]],
    *,
    threads: int,
    step: str,
    report: Report = silent,
    total: int = 0,
) -> Iterator[T]:
    """The results of the tasks, in the order of the tasks, whatever the number of threads.

    At most `threads` tasks are begun and not yet taken, so no more are in memory. The number of
    tasks done is reported, out of `total` if that is known.

    >>> list(in_order([lambda _: 1, lambda _: 2], threads=2, step="count"))
    [1, 2]
    """
    progress = Progress()
    waiting: deque[Future[T]] = deque()
    done = 0

    def take() -> T:
        while not wait([waiting[0]], timeout=0.1).done:
            report(step, done, total)
        return waiting.popleft().result()

    with ThreadPoolExecutor(max_workers=threads) as pool:
        try:
            for task in tasks:
                waiting.append(pool.submit(task, progress))
                if len(waiting) == threads:
                    result, done = take(), done + 1
                    yield result
            while waiting:
                result, done = take(), done + 1
                yield result
        except BaseException:
            progress.stop()  # the pool's exit waits until the calls have unwound
            for future in waiting:
                future.cancel()
            raise
    report(step, done, done)
