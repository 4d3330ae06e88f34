"""`miriam train`, killed in any step and started again, ends as if nothing had happened."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import ROOT, Miriam
from toy_model import write_text

STEPS = ["hold-out", "prepare", "compounds", "align", "rules", "lm", "classes-source",
         "classes-target", "assemble", "tune", "evaluate"]  # fmt: skip
SETTINGS = ["hold_out.tuning=24", "hold_out.test=12", "features.set=extended", "classes.classes=4",
            "tune.learner.epochs=3", "tune.learner.pieces.batch=4",
            "tune.learner.checkpoint_batches=1", "tune.nbest=20", "search.pops=50"]  # fmt: skip
TIMES = {"log.txt", "log.jsonl", "timings.json", "about.json"}  # tell when and how long


def call(folder: Path, out: str) -> list[str]:
    options = [word for setting in SETTINGS for word in ("--set", setting)]
    files = ["--source", "a.de", "--target", "a.en", "--out", out, "--work", f"{out}.work"]
    return ["train", *(w if w.startswith("--") else str(folder / w) for w in files), *options]


def content(model: Path) -> dict[str, bytes]:
    files = (path for path in model.rglob("*") if path.is_file() and path.name not in TIMES)
    return {str(path.relative_to(model)): path.read_bytes() for path in files}


def kill_in(step: str, delay: float, folder: Path) -> bool:
    """Start the training, and kill it so long after this step has begun; whether it was killed."""
    command = [sys.executable, "-m", "miriam", *call(folder, "killed")]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=ROOT)
    log = folder / "killed.work" / "log.txt"
    while process.poll() is None:
        if log.exists() and f"{step} begins\n" in log.read_text():
            time.sleep(delay)
            break
        time.sleep(0.001)
    process.kill()
    process.communicate()
    return process.returncode == -9


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus, and what an undisturbed training makes of it."""
    folder = tmp_path_factory.mktemp("killed")
    write_text(folder)
    result = Miriam()(*call(folder, "straight"))
    assert result.returncode == 0, result.stderr
    return folder


def goes_on(folder: Path, steps: list[str]) -> None:
    """Kill it once in each of the steps, at a random moment, and compare what it ends with."""
    told = json.loads((folder / "straight" / "runs" / "train" / "timings.json").read_text())
    seconds = {timing["step"]: timing["seconds"] for timing in told}
    assert list(seconds) == STEPS
    draw = random.Random(",".join(steps))
    killed = [kill_in(step, draw.random() * seconds[step], folder) for step in steps]
    assert 2 * sum(killed) > len(steps), killed
    result = Miriam()(*call(folder, "killed"))
    assert result.returncode == 0, result.stderr
    straight, again = content(folder / "straight"), content(folder / "killed")
    assert straight.keys() == again.keys()
    assert [name for name in straight if straight[name] != again[name]] == []
    left = {path.name for path in folder.iterdir() if path.name.startswith(".")}
    assert left == set()


def test_killed_where_it_takes_longest(folder: Path) -> None:
    goes_on(folder, ["rules", "tune"])


@pytest.mark.slow
def test_killed_ten_times(folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("killed*"):
        path.rename(tmp_path / path.name)
    goes_on(folder, STEPS)
