"""The hierarchical decoder on grammars of Multi30k and the Bible: score against time over pops."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from harness import SHARED, Row, best_seconds, run_process
from miriam.pipeline.translator import Translator
from miriam.search import Decoder
from miriam.text.files import read_lines

# What PRO learns on Multi30k's development set.
WEIGHTS = """\
Glue 0.126
LM 0.293
RulePenalty -0.030
TM:count 0.035
TM:lex(e|f) 0.022
TM:lex(f|e) 0.129
TM:phi(e|f) 0.294
TM:phi(f|e) 0.120
TM:unique 0.605
UnknownWord -0.053
WordPenalty -0.308
"""
SETS = {
    "multi30k": ("multi30k-de-en/train.de.gz", "multi30k-de-en/train.en.gz",
                 "multi30k-de-en/test2016.de"),
    "bible": ("bible-ar-en/train.ar.gz", "bible-ar-en/train.en.gz", "bible-ar-en/test1.ar"),
}  # fmt: skip
POPS = (30, 100, 200, 400, 1000)
SENTENCES = 500


def rows() -> Iterator[Row]:
    for name, files in SETS.items():
        paths = [SHARED / "data" / file for file in files]
        if all(path.exists() for path in paths):
            yield from _of_set(name, *paths)


def _of_set(name: str, source: Path, target: Path, test: Path) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        model, weights = Path(folder) / "model", Path(folder) / "weights"
        train = run_process(
            [sys.executable, "-m", "miriam", "train", "--tokens", "--no-tune",
             "--preset", "hierarchical",
             "--source", source, "--target", target, "--out", model]
        )  # fmt: skip
        yield Row(what=f"{name}: train", ours=train.cpu, unit="CPU s")
        yield Row(what=f"{name}: train, peak memory", ours=train.peak_mb, unit="MB")
        weights.write_text(WEIGHTS)
        seconds = best_seconds(lambda: Translator(model, weights=weights), repeat=3)
        yield Row(what=f"{name}: open the model", ours=1000 * seconds, unit="ms")
        translator = Translator(model, weights=weights)
        sentences = [line.split() for line in read_lines(test)][:SENTENCES]
        yield from _curve(name, translator.decoder, sentences, translator.weights)


def _curve(
    name: str, decoder: Decoder, sentences: list[list[str]], weights: np.ndarray
) -> Iterator[Row]:
    words = sum(map(len, sentences))
    decoder.decode(sentences, weights)  # pages of the table
    for pops in POPS:
        decoder.settings = msgspec.structs.replace(decoder.settings, pops=pops)
        start = time.process_time()
        decoded = decoder.decode(sentences, weights)
        seconds = time.process_time() - start
        score = float(np.mean(decoded.arrays[2]))
        yield Row(
            what=f"{name}, {len(sentences)} sentences, {pops} pops: mean score {score:.4f}",
            ours=words / seconds, unit="words/CPU s",
        )  # fmt: skip
