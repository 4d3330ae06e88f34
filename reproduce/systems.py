"""Systems as a user makes them: `miriam train`, `tune` and `translate`, measured.

All text is tokens, and all scores are sacreBLEU's with `--tokenize none` on text as it is.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from miriam.metrics import Bleu, corpus_stats
from miriam.metrics.metric import Stats, segments_of
from miriam.text.files import read_lines
from rows import CACHE, Figures, Row, digest

__all__ = [
    "BIBLE", "DATA", "MULTI30K", "Data", "Texts", "bleu_stats", "locked", "model", "run",
    "translate", "tuned_row",
]  # fmt: skip

SHARED = Path(
    os.environ.get("MIRIAM_SHARED", Path(__file__).resolve().parents[2] / "shared")
).resolve()
NEAR = 0.1  # BLEU: as good as the best development score
METRIC = Bleu(tokenize="none")


@dataclass(frozen=True)
class Texts:
    """A file of sentences, and files of their references."""

    source: Path
    references: tuple[Path, ...]
    domains: Path | None = None  # the domains of each sentence


@dataclass(frozen=True)
class Data:
    """A data set: what to train and tune on, what chooses the epoch, and the tests."""

    name: str
    train: Sequence[str]  # arguments of `miriam train`
    tuning: Texts
    tests: dict[str, Texts]
    development: Texts | None = None  # None: the tuning set
    variant: str = ""  # what tells it from another of the same name, with other arguments

    @property
    def chooses(self) -> Texts:
        """The set whose score chooses the epoch."""
        return self.development or self.tuning


def _texts(folder: Path, stem: str, source: str, target: Sequence[str]) -> Texts:
    return Texts(folder / f"{stem}.{source}", tuple(folder / f"{stem}.{t}" for t in target))


def _multi30k() -> Data:
    folder = SHARED / "data" / "multi30k-de-en"
    train = ["--source", str(folder / "train.de.gz"), "--target", str(folder / "train.en.gz")]
    tests = {name: _texts(folder, name, "de", ["en"]) for name in ("test2016", "test2017")}
    return Data("multi30k", train, _texts(folder, "dev", "de", ["en"]), tests)


def _bible() -> Data:
    folder = SHARED / "data" / "bible-ar-en"
    references = [f"en.{i}" for i in range(4)]
    train = ["--source", str(folder / "train.ar.gz"), "--target", str(folder / "train.en.gz"),
             "--mono", str(folder / "mono.en.gz")]  # fmt: skip
    tests = {name: _texts(folder, name, "ar", references) for name in ("test1", "test2")}
    return Data(
        "bible", train, _texts(folder, "tune", "ar.gz", [f"{r}.gz" for r in references]), tests,
        development=_texts(folder, "dev", "ar", references),
    )  # fmt: skip


MULTI30K, BIBLE = _multi30k(), _bible()
DATA = {data.name: data for data in (MULTI30K, BIBLE)}


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Only one process at a time makes what is at a path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f"{path.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run(command: str, *args: object, **streams: Any) -> subprocess.CompletedProcess[str]:
    """Run a command of Miriam."""
    call = [sys.executable, "-m", "miriam", command, *map(str, args)]
    return subprocess.run(call, check=True, text=True, **streams)


def model(data: Data, args: Sequence[object] = ()) -> Path:
    """The model of a data set, trained once with these further arguments of `miriam train`."""
    files = data.train if data.variant else []
    path = CACHE / f"{data.name}-{digest([*files, *(str(a) for a in args)])}"
    work = CACHE / f"{data.name}.work"  # steps that the arguments do not change are done once
    with locked(path), locked(work):
        if not path.exists():
            run("train", *data.train, "--tokens", "--no-tune", "--out", path, "--work", work, *args)
    return path


def translate(folder: Path, texts: Texts, out: Path, args: Sequence[object] = ()) -> Figures:
    """Translate with a model into a file; BLEU, and words by words of the references."""
    opened = read_lines(texts.source)
    source = "".join(f"{line}\n" for line in opened)
    domains = ["--domains", texts.domains] if texts.domains else []
    with out.open("w", encoding="utf-8") as file:
        run("translate", "--model", folder, "--tokens", *domains, *args, input=source, stdout=file)
    stats = bleu_stats(out, texts).sum(axis=0)
    return {"bleu": METRIC.score(stats), "ratio": float(stats[0] / stats[1])}


def bleu_stats(hypotheses: Path, texts: Texts) -> Stats:
    """The statistics of each sentence; the first two are the lengths."""
    lines = [list(read_lines(path)) for path in (hypotheses, *texts.references)]
    ((stats,),) = corpus_stats([METRIC], segments_of(lines[:1], lines[1:]))
    return stats


def tuned_row(
    data: Data, name: str, tune: Sequence[object] = (), *, seed: int = 1,
    train: Sequence[object] = (), threads: int = 1, decode: Sequence[object] = (),
) -> Row:  # fmt: skip
    """A row: a model with these arguments of `miriam train`, tuned with these of `miriam tune`.

    `decode` are arguments of the final translation. Its figures are those of `tune_and_test`.
    """
    settings = {"train": [*map(str, train)], "tune": [*map(str, tune)], "threads": threads}
    if decode:
        settings["decode"] = [*map(str, decode)]
    if data.variant:
        settings["data"] = data.variant

    def measure(folder: Path) -> Figures:
        start = model(data, train)
        return tune_and_test(data, start, [*tune, "--seed", seed, "--threads", threads], folder,
                             decode)  # fmt: skip

    return Row(data=data.name, name=name, seed=seed, settings=settings, measure=measure)


def tune_and_test(
    data: Data, start: Path, args: Sequence[object], folder: Path, decode: Sequence[object] = ()
) -> Figures:
    """Tune a model, and translate the sets with it; hypotheses and weights stay in the folder."""
    tuned = folder / "model"
    shutil.rmtree(tuned, ignore_errors=True)
    figures = _tune(data, start, tuned, args)
    outputs = {"dev": data.chooses, **data.tests}
    scores = {
        name: translate(tuned, texts, folder / f"{name}.hyp", decode)
        for name, texts in outputs.items()
    }
    for name in ("weights.txt", "tuning.toml", "groups.txt"):
        if (tuned / name).exists():
            shutil.copyfile(tuned / name, folder / name)
    shutil.rmtree(tuned)
    for figure in ("bleu", "ratio"):
        figures[figure] = {name: round(s[figure], 4) for name, s in scores.items()}
    return figures


def _tune(data: Data, start: Path, out: Path, args: Sequence[object]) -> dict[str, Any]:
    """Run `miriam tune`, with the clock beside each epoch it reports."""
    command = ["tune", "--model", start, "--out", out, "--tokens", *_files("", data.tuning)]
    if data.development:
        command += _files("dev-", data.development)
    log = out.with_suffix(".jsonl")
    log.unlink(missing_ok=True)
    begun = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "miriam", *map(str, [*command, "--log", log, *args])],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    clock: list[tuple[float, float]] = []
    said: list[str] = []
    assert process.stderr is not None
    for line in process.stderr:
        said.append(line)
        if line.startswith(("epoch", "round")):
            clock.append((time.monotonic() - begun, _cpu(process.pid)))
    if process.wait():
        raise RuntimeError(f"miriam {' '.join(map(str, command))}: {''.join(said)}")
    records = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return _curve([r for r in records if r["event"] == "epoch"], clock)


def _files(prefix: str, texts: Texts) -> list[object]:
    domains = [f"--{prefix}domains", texts.domains] if texts.domains else []
    return [*domains, f"--{prefix}source", texts.source, f"--{prefix}references", *texts.references]


def _cpu(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def _curve(
    epochs: Sequence[dict[str, Any]], clock: Sequence[tuple[float, float]]
) -> dict[str, Any]:
    """What is worth keeping of the epochs, the untuned weights being the first."""
    scores = [e["score"] for e in epochs]
    best = int(np.argmax(scores))
    near = next(i for i, score in enumerate(scores) if score >= scores[best] - NEAR)
    (wall, cpu), (wall_best, cpu_best), (wall_near, cpu_near) = (
        clock[i] for i in (-1, best, near)
    )  # fmt: skip
    return {
        "epochs": len(epochs) - 1, "best": best, "near": near,
        "wall": round(wall, 1), "cpu": round(cpu, 1),
        "wall_best": round(wall_best, 1), "cpu_best": round(cpu_best, 1),
        "wall_near": round(wall_near, 1), "cpu_near": round(cpu_near, 1),
        "features": epochs[best]["features"], "curve": [round(s, 3) for s in scores],
        "split": _split(epochs),
    }  # fmt: skip


def _split(epochs: Sequence[dict[str, Any]]) -> dict[str, float]:
    """The seconds of all epochs by what they were spent on."""
    kinds = dict.fromkeys(kind for epoch in epochs for kind in epoch.get("split", {}))
    return {kind: round(sum(e.get("split", {}).get(kind, 0) for e in epochs), 1) for kind in kinds}
