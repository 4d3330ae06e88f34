"""Feature-rich models: what templates cost in tuning, and what a million weights cost."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from harness import SHARED, Row, run_process
from miriam.text.files import open_write, read_lines

DATA = SHARED / "data" / "bible-ar-en"
PAIRS, SENTENCES = 20_000, 500  # to train on, to tune on
TUNE = ("tune.ar", *(f"tune.en.{i}" for i in range(4)))
FILES = ["--source", "train.ar", "--target", "train.en"]
MIRIAM = [sys.executable, "-m", "miriam"]
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
    for name, lines in (("train.ar", PAIRS), ("train.en", PAIRS), *((n, SENTENCES) for n in TUNE)):
        with open_write(folder / name) as file:
            some = islice(read_lines(DATA / f"{name}.gz"), lines)
            file.writelines(f"{line}\n".encode() for line in some)
    for name in TUNE:
        line = (folder / name).read_text(encoding="utf-8").split("\n")[0]
        (folder / f"one-{name}").write_text(f"{line}\n", encoding="utf-8")
    command = [*MIRIAM, "train", "--tokens", "--no-tune", "--out", "model", *FILES,
               "--set", "features.set=extended+lexical"]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    rates = {}
    for name in ("dense", "extended", "extended+lexical"):
        seconds = [_tune_seconds(folder, name, epochs) for epochs in (1, 1 + EPOCHS)]
        rates[name] = EPOCHS * SENTENCES / (seconds[1] - seconds[0])
        yield Row(what=f"online tuning, {name}, 400 pops", ours=rates[name],
                  unit="sentences/CPU s")  # fmt: skip
    for name in ("extended", "extended+lexical"):
        yield Row(what=f"{name} over dense", ours=rates[name] / rates["dense"], unit="times",
                  target="0.6")  # fmt: skip


def _tune_seconds(folder: Path, features: str, epochs: int) -> float:
    """The processor's time of a tuning whose epochs are judged on a single sentence."""
    texts: list[str | Path] = []
    for prefix, names in (("", TUNE), ("dev-", [f"one-{name}" for name in TUNE])):
        source, *references = [folder / name for name in names]
        texts += [f"--{prefix}source", source, f"--{prefix}references", *references]
    return run_process([
        *MIRIAM, "tune", "--tokens", "--model", folder / "model", "--out", folder / "tuned",
        "--features", features, *texts, "--set", f"learner.epochs={epochs}",
        "--set", "learner.patience=0",
    ]).cpu  # fmt: skip
