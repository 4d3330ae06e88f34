"""The decoder on Moses' model of Multi30k: score against time over pop limits, threads, memory.

Seconds of Moses and Moses2 are from the README of the data, which were measured elsewhere. Where
KenLM's `query` is found ($KENLM_BIN or the PATH), its time here over its time there says how much
slower or faster this machine is, and theirs are multiplied by it; else they stand as they are.
"""

from __future__ import annotations

import gzip
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil

from harness import SHARED, Row, kenlm_program, run_process
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
Curve = dict[int, tuple[float, float]]  # by pops: mean score, CPU seconds
MOSES2: Curve = {
    100: (-49.2630, 2.0), 400: (-49.2551, 6.2), 1000: (-49.2530, 15.0), 5000: (-49.2527, 86.6)
}  # fmt: skip
MOSES: Curve = {100: (-49.2651, 4.6), 400: (-49.2554, 17.0), 1000: (-49.2531, 44.9)}
POPS = (50, 70, 85, 100, 140, 200, 300, 400, 700, 1000, 2000)
QUERY_SECONDS = 0.56  # of KenLM's query on the yardstick's text, where those were measured


def seconds_at(score: float, curve: Curve) -> float | None:
    """The time at this mean score: linear in the logarithm between measured points."""
    scores, seconds = zip(*curve.values(), strict=True)
    if not scores[0] <= score <= scores[-1]:
        return None
    return float(np.exp(np.interp(score, scores, np.log(seconds))))


def yardstick(folder: Path) -> float:
    """KenLM's time here over its time where Moses was measured; 1 without KenLM's programs."""
    build, query = kenlm_program("build_binary"), kenlm_program("query")
    if not build or not query:
        return 1.0
    arpa, model, text = (folder / name for name in ("yard.arpa", "yard.bin", "yard.txt"))
    arpa.write_bytes(gzip.decompress((FOLDER / "lm.arpa.gz").read_bytes()))
    text.write_bytes(gzip.decompress((FOLDER / "lm-text.en.gz").read_bytes()) * 10)
    run_process([build, "probing", arpa, model])
    with text.open("rb") as lines:
        used = run_process([query, "-v", "summary", str(model)], repeat=5, stdin=lines)
    return used.cpu / QUERY_SECONDS


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
        yield from speed(decoder, sources, weights, yardstick(Path(folder)))
        used = process.memory_full_info().uss
        yield Row(what=f"the same and its arena, {POPS[-1]} pops", ours=(used - before) / 2**20,
                  unit="MB")  # fmt: skip
        yield from two_threads(decoder, sources, weights)


def speed(decoder: Decoder, sources: list[str], weights: np.ndarray, yard: float) -> Iterator[Row]:
    measured: Curve = {}
    for pops in POPS:
        decoder.settings = SearchSettings(pops=pops)
        times = []
        for _ in range(3 if pops <= 400 else 1):
            start = time.process_time()
            decoded = decoder.decode(sources, weights)
            times.append(time.process_time() - start)
        score = float(np.mean(decoded.arrays[2]))
        measured[pops] = score, min(times)
        yield Row(
            what=f"2,000 sentences, 1 thread, {pops} pops: mean score {score:.4f}",
            ours=min(times), unit="CPU s",
        )  # fmt: skip
    yield Row(what="yardstick: KenLM's query here over there", ours=yard, unit="times")
    for name, theirs, target in (("Moses2", MOSES2, 3), ("Moses", MOSES, 10)):
        for pops, (score, seconds) in theirs.items():
            if ours := seconds_at(score, measured):
                yield Row(
                    what=f"speed over {name} at {score:.4f}, its {pops} pops, 1 thread",
                    ours=yard * seconds / ours, unit="times", target=f">= {target}",
                    peer=f"{name} (README, by the yardstick) {yard * seconds:.3g} CPU s, ours "
                    f"{ours:.3g} CPU s",
                )  # fmt: skip


def two_threads(decoder: Decoder, sources: list[str], weights: np.ndarray) -> Iterator[Row]:
    decoder.settings = SearchSettings(pops=1000)
    walls = []
    for threads in (1, 2):
        start = time.perf_counter()
        decoder.decode(sources, weights, threads=threads)
        walls.append(time.perf_counter() - start)
    yield Row(what="two threads over one", ours=walls[0] / walls[1], unit="times", target="1.9")
