"""Extraction, its memory, and the table: on Multi30k with alignments of our own fast aligner."""

from __future__ import annotations

import gzip
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from harness import SHARED, Row, best_seconds, run_process
from miriam.rules.table import RuleTable

MIRIAM = [sys.executable, "-m", "miriam"]
SIDES = {"source": "train.de.gz", "target": "train.en.gz"}
ALL_ORIENTATIONS = 'orientations=["hier-mslr","phrase-msd","wbe-msd"]'
MOSES_SECONDS = 28.6  # lexical table, extraction, scoring and one reordering model, as recorded


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        once = corpus(folder, 1)
        usage = run_process(extract(once, "--set", ALL_ORIENTATIONS), repeat=3)
        yield Row(
            what="extract, Multi30k, all orientations", ours=usage.cpu, unit="CPU s",
            target="< 4 CPU s", peer="Moses", theirs=MOSES_SECONDS,
        )  # fmt: skip
        usage = run_process(extract(once), repeat=3)
        yield Row(what="extract, Multi30k, defaults", ours=usage.cpu, unit="CPU s")
        yield Row(what="extract, Multi30k, memory", ours=usage.peak_mb, unit="MB",
                  target="< 2048 MB", peer="Moses", theirs=145)  # fmt: skip
        yield from table_rows(once / "out", "Multi30k")
        large = corpus(folder, 10)
        usage = run_process(extract(large, "--memory", "1G"))
        yield Row(what="extract, 10 x Multi30k", ours=usage.cpu, unit="CPU s")
        yield Row(what="extract, 10 x Multi30k, --memory 1G", ours=usage.peak_mb, unit="MB",
                  target="< 1024 MB")  # fmt: skip
        yield from table_rows(large / "out", "10 x Multi30k")


def corpus(folder: Path, copies: int) -> Path:
    """A folder with the corpus so many times, each time with words of its own, and its links."""
    folder = folder / str(copies)
    folder.mkdir()
    for side, name in SIDES.items():
        text = gzip.decompress((SHARED / "data/multi30k-de-en" / name).read_bytes()).decode()
        lines = text.split("\n")[:-1]
        with (folder / side).open("w", encoding="utf-8") as out:
            for copy in range(copies):
                mark = f"_{copy}" if copy else ""
                out.writelines(
                    " ".join(word + mark for word in line.split()) + "\n" for line in lines
                )
    run_process([
        *MIRIAM, "align", "--model", "fast", "--symmetrise", "grow-diag-final-and",
        "--source", folder / "source", "--target", folder / "target", "--out", folder / "aligned",
    ])  # fmt: skip
    return folder


def extract(folder: Path, *options: str) -> list[str | Path]:
    return [
        *MIRIAM, "extract", "--source", folder / "source", "--target", folder / "target",
        "--alignment", folder / "aligned", "--out", folder / "out", "--threads", "1", *options,
    ]  # fmt: skip


def table_rows(path: Path, name: str) -> Iterator[Row]:
    seconds = best_seconds(lambda: RuleTable.open(path))
    yield Row(what=f"open the table of {name}", ours=1000 * seconds, unit="ms", target="< 20 ms")
    table = RuleTable.open(path)
    chosen = np.random.default_rng(1).permutation(table.source_count)[:500_000]
    begins = table.heads[chosen, 0].astype(np.int64)
    lengths = table.heads[chosen + 1, 0].astype(np.int64) - begins
    ends = np.cumsum(lengths)
    places = np.repeat(begins - ends + lengths, lengths) + np.arange(ends[-1])
    words = table.container["source.words"][places]
    phrase_ends = ends.astype(np.uint64)
    seconds = best_seconds(lambda: table.native.find(words, phrase_ends))
    yield Row(what=f"look up a source phrase, {name}", ours=1e9 * seconds / len(chosen), unit="ns",
              target="< 300 ns")  # fmt: skip
