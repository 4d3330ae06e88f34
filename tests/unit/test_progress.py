"""Native calls on a thread of their own: reports, results, errors, Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from miriam._core import Progress
from miriam.errors import InputError
from miriam.progress import run_native, silent


def seven(progress: Progress) -> int:
    return 7


def test_the_result_and_the_last_report() -> None:
    reports: list[tuple[str, int, int]] = []

    def report(step: str, done: int, total: int) -> None:
        reports.append((step, done, total))

    assert run_native(seven, step="count", report=report) == 7
    assert reports[-1] == ("count", 0, 0)


def test_reports_come_while_the_call_runs() -> None:
    reports: list[str] = []
    enough = threading.Event()

    def report(step: str, done: int, total: int) -> None:
        reports.append(step)
        if len(reports) == 3:
            enough.set()

    def task(progress: Progress) -> bool:
        return enough.wait(30)

    assert run_native(task, step="wait", report=report)
    assert len(reports) >= 4  # three while it ran, and one at its end


def test_the_call_is_on_another_thread() -> None:
    def task(progress: Progress) -> int:
        return threading.get_ident()

    assert run_native(task, step="where") != threading.get_ident()


@pytest.mark.parametrize("kind", [InputError, ValueError, KeyboardInterrupt])
def test_an_error_of_the_call_reaches_the_caller(kind: type[BaseException]) -> None:
    error = kind("bad")

    def fail(progress: Progress) -> None:
        raise error

    with pytest.raises(kind) as caught:
        run_native(fail, step="fail")
    assert caught.value is error


def test_an_error_of_the_report_ends_the_call() -> None:
    ended = threading.Event()

    def report(step: str, done: int, total: int) -> None:
        raise BrokenPipeError

    def task(progress: Progress) -> None:
        time.sleep(0.3)
        ended.set()

    with pytest.raises(BrokenPipeError):
        run_native(task, step="", report=report)
    assert ended.is_set()  # no thread is left behind


def test_silence_is_the_default() -> None:
    silent("step", 1, 2)
    assert run_native(seven, step="count") == 7


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Ctrl-C for this process, once, after some time."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def test_ctrl_c_reaches_the_caller_when_the_call_has_unwound() -> None:
    ended = threading.Event()

    def task(progress: Progress) -> None:
        time.sleep(0.6)
        ended.set()

    with pytest.raises(KeyboardInterrupt), interrupted_after(0.2):
        run_native(task, step="sleep")
    assert ended.is_set()
