"""How long it takes from text to a model, and to open the model."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness import SHARED, Row, best_seconds, run_process
from miriam.pipeline.translator import Translator

MULTI30K = SHARED / "data/multi30k-de-en"


def rows() -> Iterator[Row]:
    if not MULTI30K.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        train = run_process(
            [sys.executable, "-m", "miriam", "train", "--tokens", "--no-tune", "--out", str(model),
             "--source", str(MULTI30K / "train.de.gz"), "--target", str(MULTI30K / "train.en.gz")]
        )  # fmt: skip
        yield Row(what="train, Multi30k (29k pairs)", ours=train.wall, unit="s", target="< 25")
        yield Row(what="train, Multi30k", ours=train.cpu, unit="CPU s")
        yield Row(what="train, Multi30k, peak memory", ours=train.peak_mb, unit="MB")
        seconds = best_seconds(lambda: Translator(model))
        yield Row(what="open the model", ours=1000 * seconds, unit="ms", target="< 50")
