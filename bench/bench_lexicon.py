"""Clustering words: seconds, memory, how time grows with text, and how good the classes are."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence

from harness import SHARED, Row, run_process
from miriam.lexicon.cluster import ClusterSettings, exchange
from miriam.text.files import read_lines

TEXT = SHARED / "data" / "bible-ar-en" / "mono.en.gz"
THREADS = 2
PASSES = 3


def rows() -> Iterator[Row]:
    if not TEXT.exists():
        return
    lines = list(read_lines(TEXT))
    what = f"{_tokens(lines) / 1e6:.1f} M tokens into 512 classes, {THREADS} threads"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "miriam", "cluster", "--text", str(TEXT)]
        command += ["--out", f"{folder}/map.tsv", "--threads", str(THREADS)]
        used = run_process(command)
    yield Row(what=what, ours=used.wall, unit="s", target="< 60 s")
    yield Row(what="the same, both processors", ours=used.cpu, unit="CPU s")
    yield Row(what="the same, peak memory", ours=used.peak_mb, unit="MB", target="< 1000 MB")
    for part in (4, 2, 1):
        some = lines[::part]
        seconds = _seconds(some)
        yield Row(
            what=f"{PASSES} passes over {_tokens(some) / 1e6:.2f} M tokens, for each million",
            ours=seconds / _tokens(some) * 1e6, unit="CPU s", target="linear: the same",
        )  # fmt: skip
    yield from _against_sequential(lines)


def _against_sequential(lines: Sequence[str]) -> Iterator[Row]:
    """Batches of words against words one by one, both until no move helps or 100 passes."""
    ours, one_by_one = (
        exchange(lines, ClusterSettings(passes=passes, batch=batch), threads=THREADS).passes[-1]
        for passes, batch in ((30, 512), (100, 1))
    )
    yield Row(
        what="objective below that of sequential exchange to convergence",
        ours=100 * (one_by_one.objective - ours.objective) / abs(one_by_one.objective), unit="%",
        target="< 0.5 %",
    )  # fmt: skip


def _seconds(lines: Sequence[str]) -> float:
    start = time.process_time()
    exchange(lines, ClusterSettings(passes=PASSES))
    return time.process_time() - start


def _tokens(lines: Sequence[str]) -> int:
    return sum(len(line.split()) for line in lines)
