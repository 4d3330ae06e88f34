"""How long it takes from text to a model, tuned and scored, and to open the model."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness import SHARED, Row, best_seconds, run_process
from miriam.analysis.run import read_run
from miriam.pipeline.translator import Translator

MULTI30K = SHARED / "data/multi30k-de-en"
TRAIN = [sys.executable, "-m", "miriam", "train", "--tokens"]
TESTS = {"test2016": 40.96, "test2017": 36.03}  # BLEU: half a point above the best tuned Moses


def rows() -> Iterator[Row]:
    if not MULTI30K.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        yield from _untuned(Path(folder))
        yield from _tuned(Path(folder))


def _untuned(folder: Path) -> Iterator[Row]:
    model = folder / "model"
    files: list[str | Path] = [
        "--source",
        MULTI30K / "train.de.gz",
        "--target",
        MULTI30K / "train.en.gz",
    ]
    train = run_process([*TRAIN, "--no-tune", "--out", model, *files])
    yield Row(what="train, Multi30k (29k pairs)", ours=train.wall, unit="s", target="< 25")
    yield Row(what="train, Multi30k", ours=train.cpu, unit="CPU s")
    yield Row(what="train, Multi30k, peak memory", ours=train.peak_mb, unit="MB")
    seconds = best_seconds(lambda: Translator(model))
    yield Row(what="open the model", ours=1000 * seconds, unit="ms", target="< 50")


def _tuned(folder: Path) -> Iterator[Row]:
    """The same to the end, with the settings that the corpus's size chooses."""
    sets = [("tuning", "dev"), *((f"tests.{test}", test) for test in TESTS)]
    lines = ["[data]", f"source = {_quoted('train.de.gz')}", f"target = {_quoted('train.en.gz')}"]
    for name, stem in sets:
        source, target = _quoted(f"{stem}.de"), _quoted(f"{stem}.en")
        lines.append(f"{name} = {{source = {source}, references = [{target}]}}")
    config, model = folder / "run.toml", folder / "tuned"
    config.write_text("\n".join(lines), encoding="utf-8")
    train = run_process([*TRAIN, "--config", config, "--out", model])
    what = "train, tune and score, Multi30k"
    yield Row(what=what, ours=train.wall, unit="s", target="< 75", peer="Moses", theirs=460)
    yield Row(what=what, ours=train.cpu, unit="CPU s")
    for score in read_run(model / "runs" / "train").scores:
        if score.metric == "BLEU":
            target = f"> {TESTS[score.test]}"
            yield Row(what=f"its BLEU on {score.test}", ours=score.score, unit="", target=target)


def _quoted(name: str) -> str:
    return json.dumps(str(MULTI30K / name))
