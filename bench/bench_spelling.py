"""Spelling: training and tuning on 10,000 Slovene words, and normalising a text of 20,919."""

from __future__ import annotations

import gzip
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness import SHARED, Row, run_process

DATA = SHARED / "data" / "histnorm-sl-gaj"
WORDS = 10_000


def rows() -> Iterator[Row]:
    if not DATA.is_dir():
        return
    with tempfile.TemporaryDirectory() as name:
        yield from _rows(Path(name))


def _rows(folder: Path) -> Iterator[Row]:
    miriam: list[str | Path] = [sys.executable, "-m", "miriam"]
    lines = _lines("train.tsv.gz")
    pairs, model, text = folder / "pairs.tsv", folder / "model", folder / "words.txt"
    pairs.write_text("\n".join(random.Random(1).sample(lines, WORDS)) + "\n", encoding="utf-8")
    train = [*miriam, "train", "--preset", "characters", "--pairs", pairs, "--out", model,
             "--modern", DATA / "modern.txt.gz", "--threads", "2"]  # fmt: skip
    taken = run_process(train)
    what = f"train and tune on {WORDS:,} Slovene words, two threads"
    yield Row(what=what, ours=taken.wall, unit="s", target="< 120 s")
    yield Row(what=what, ours=taken.cpu, unit="CPU s")
    yield Row(what=f"{what}, peak memory", ours=taken.peak_mb, unit="MB")
    words = [line.partition("\t")[0] for line in _lines("dev.tsv.gz")]
    text.write_text("\n".join(words) + "\n", encoding="utf-8")
    normalise = [*miriam, "normalise", "--model", model, "--threads", "2"]
    with text.open("rb") as stdin:
        taken = run_process(normalise, stdin=stdin)
    what = f"normalise {len(words):,} words, opening the model included, two threads"
    yield Row(what=what, ours=len(words) / taken.wall, unit="words/s", target="> 5,000")
    yield Row(what=what, ours=len(words) / taken.cpu, unit="words/CPU s")


def _lines(name: str) -> list[str]:
    return gzip.decompress((DATA / name).read_bytes()).decode().splitlines()
