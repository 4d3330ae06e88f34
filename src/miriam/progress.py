"""How far a long piece of work has come, told to whoever wants to show it.

The library prints nothing. A caller that wants a progress bar passes a `Report`; the command line
has one. A native call runs on a thread of its own so that Ctrl-C reaches it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from miriam._core import Progress

__all__ = ["Report", "run_native", "silent"]

Report = Callable[[str, int, int], None]
"""Called with the name of the step, what is done and the total (0: not known)."""

T = TypeVar("T")


def silent(step: str, done: int, total: int) -> None:
    """Report nothing: the default wherever a `Report` is taken."""


def run_native(task: Callable[[Progress], T], *, step: str, report: Report = silent) -> T:
    """The result of `task(progress)`, a native call that may take long; Ctrl-C stops it.

    >>> run_native(lambda progress: progress.done, step="nothing")
    0
    """
    progress = Progress()
    with ThreadPoolExecutor(max_workers=1) as pool:
        future = pool.submit(task, progress)
        try:
            while not wait([future], timeout=0.1).done:
                report(step, progress.done, progress.total)
        except BaseException:
            progress.stop()  # the pool's exit waits until the call has unwound
            raise
        result = future.result()
    report(step, progress.total, progress.total)
    return result
