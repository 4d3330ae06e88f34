"""The decoder on Moses' model of Multi30k: score against time over pop limits, threads, memory."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil

from harness import SHARED, Row
from miriam.lm.arpa import read_arpa
from miriam.lm.model import LanguageModel, write_model
from miriam.rules.moses_import import import_moses
from miriam.search import Decoder, SearchSettings

FOLDER = SHARED / "parity" / "decode"
WEIGHTS = [
    0.0456367215560655, 0.0295371745343138, 0.0679381463749583, 0.0366581710791708,
    0.151059220185562, 0.0269247175986431, 0.0529259949826207,
    0.0944011438662686, 0.0583991589071604, 0.0860914315150839,
]  # fmt: skip
OTHERS = {
    "LM": 0.0955210806624715, "LinearDistortion": 0.0263066436931236,
    "WordPenalty": -0.126818393891924, "PhrasePenalty": 0.101782001152634, "UnknownWord": 100.0,
}  # fmt: skip
# Moses2's mean score and CPU seconds by pops, from the README of the data (another machine).
MOSES2 = {
    100: (-49.2630, 2.0), 400: (-49.2551, 6.2), 1000: (-49.2530, 15.0), 5000: (-49.2527, 86.6)
}  # fmt: skip


def moses2_seconds(score: float) -> float:
    """Moses2's time at this mean score: linear in the logarithm between measured points."""
    scores, seconds = zip(*MOSES2.values(), strict=True)
    return float(np.exp(np.interp(score, scores, np.log(seconds))))


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        reordering = FOLDER / "reordering-table.wbe-msd-bidirectional-fe.gz"
        table = import_moses(FOLDER / "phrase-table.gz", folder, reordering=[reordering])
        write_model(Path(folder) / "lm", read_arpa(FOLDER / "lm.arpa.gz")[0])
        process = psutil.Process()
        before = process.memory_full_info().uss
        decoder = Decoder(table, {"LM": LanguageModel.load(Path(folder) / "lm")})
        weights = decoder.features.weights(OTHERS)
        weights[: len(WEIGHTS)] = WEIGHTS
        weights.setflags(write=False)
        loaded = process.memory_full_info().uss
        yield Row(what="private memory of a loaded model", ours=(loaded - before) / 2**20,
                  unit="MB", target="< 50 MB")  # fmt: skip
        sources = (FOLDER / "input.de").read_text(encoding="utf-8").splitlines()
        yield from curve(decoder, sources, weights)
        used = process.memory_full_info().uss
        yield Row(what="the same and its arena, 1000 pops", ours=(used - before) / 2**20, unit="MB")
        yield from two_threads(decoder, sources, weights)


def curve(decoder: Decoder, sources: list[str], weights: np.ndarray) -> Iterator[Row]:
    for pops in (100, 200, 400, 700, 1000):
        decoder.settings = SearchSettings(pops=pops)
        start = time.process_time()
        decoded = decoder.decode(sources, weights)
        seconds = time.process_time() - start
        score = float(np.mean(decoded.arrays[2]))
        yield Row(
            what=f"2,000 sentences, 1 thread, {pops} pops: mean score {score:.4f}",
            ours=seconds, unit="CPU s", target="a third of Moses2's", peer="Moses2 (README)",
            theirs=moses2_seconds(score),
        )  # fmt: skip


def two_threads(decoder: Decoder, sources: list[str], weights: np.ndarray) -> Iterator[Row]:
    walls = []
    for threads in (1, 2):
        start = time.perf_counter()
        decoder.decode(sources, weights, threads=threads)
        walls.append(time.perf_counter() - start)
    yield Row(what="two threads over one", ours=walls[0] / walls[1], unit="times", target="1.9")
