"""Feature-rich models: what templates cost in tuning, and what a million weights cost."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from harness import SHARED, Row, run_process

DATA = SHARED / "data" / "multi30k-de-en"
EPOCHS = 3
KNOWN = 1_000_000
LOAD = """
import resource, sys, time
from miriam.features import Features
from miriam.features.weights import read_known_weights
features = Features(["LM"])
features.named("PT", "S>T")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
_, ids, values = read_known_weights(sys.argv[1], features)
assert len(ids) == 1_000_000
seconds = time.process_time() - start
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(seconds, (after - before) / 1024)
"""


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        yield from _weights(Path(folder) / "weights")
        if DATA.exists():
            yield from _tuning(Path(folder))


def _weights(path: Path) -> Iterator[Row]:
    """A million rule indicators, of pairs of words of which there are a thousand a side."""
    draw = np.random.default_rng(1)
    values = draw.normal(size=KNOWN)
    with path.open("w") as file:
        for i, value in enumerate(values.tolist()):
            file.write(f"PT:quelle{i % 1000}-wort>target{i // 1000}-word {value!r}\n")
    call = [sys.executable, "-c", LOAD, str(path)]
    runs = [subprocess.run(call, check=True, capture_output=True, text=True) for _ in range(3)]
    found = [[float(number) for number in run.stdout.split()] for run in runs]
    yield Row(what="1 M weights by name: load", ours=min(f[0] for f in found), unit="CPU s",
              target="< 1 s")  # fmt: skip
    yield Row(what="the same, memory", ours=max(f[1] for f in found), unit="MB", target="< 200 MB")


def _tuning(folder: Path) -> Iterator[Row]:
    """Epochs of online tuning with the templates of E+F, of E, and with dense features alone."""
    miriam = [sys.executable, "-m", "miriam"]
    model = folder / "model"
    files = ["--source", str(DATA / "train.de.gz"), "--target", str(DATA / "train.en.gz")]
    command = [*miriam, "train", *files, "--tokens", "--no-tune", "--out", str(model),
               "--set", "features.set=extended+lexical"]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    rates = {}
    for name in ("dense", "extended", "extended+lexical"):
        seconds = [_tune_seconds(folder, model, name, epochs) for epochs in (1, 1 + EPOCHS)]
        rates[name] = EPOCHS * 1014 / (seconds[1] - seconds[0])
        yield Row(what=f"online tuning, {name}, 400 pops, an epoch's decoding and learning",
                  ours=rates[name], unit="sentences/CPU s")  # fmt: skip
    for name in ("extended", "extended+lexical"):
        yield Row(what=f"{name} over dense", ours=rates[name] / rates["dense"], unit="times",
                  target="0.6")  # fmt: skip


def _tune_seconds(folder: Path, model: Path, name: str, epochs: int) -> float:
    """The processor's time of a tuning whose epochs are judged on a single sentence."""
    for side in ("de", "en"):
        (folder / f"one.{side}").write_text((DATA / f"dev.{side}").read_text().split("\n")[0])
    command: list[str | Path] = [
        sys.executable, "-m", "miriam", "tune", "--model", model, "--out", folder / "tuned",
        "--tokens", "--features", name, "--source", DATA / "dev.de",
        "--references", DATA / "dev.en", "--dev-source", folder / "one.de",
        "--dev-references", folder / "one.en", "--set", f"learner.epochs={epochs}",
        "--set", "learner.patience=0",
    ]  # fmt: skip
    return run_process(command).cpu
