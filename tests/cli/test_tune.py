"""`miriam tune`: a model with other weights, from raw text, in one sentence where it cannot be."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import ROOT, Miriam
from toy_model import NOUNS, write_text

QUICK = ["--set", "learner.epochs=3", "--set", "learner.pieces.batch=2",
         "--set", "learner.pieces.updater.eta=0.2"]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that prefers "the", and sentences whose references prefer "a"."""
    folder = tmp_path_factory.mktemp("toy")
    source, target = write_text(folder)
    for file, old, new in ((source, "", ""), (target, "The", "A")):
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(lines + [line.replace(old, new) for line in lines[::3]]))
    result = Miriam()("train", "--source", source, "--target", target, "--out", folder / "m")
    assert result.returncode == 0, result.stderr
    pairs = [(f"Der {a} sieht einen {b}.", f"A {NOUNS[a]} sees a {NOUNS[b]}.")
             for a in NOUNS for b in NOUNS]  # fmt: skip
    for name, column in zip(("t.de", "t.en"), zip(*pairs, strict=True), strict=True):
        (folder / name).write_text("".join(f"{line}\n" for line in column))
    return folder


def tune(folder: Path, out: Path, *args: object) -> subprocess.CompletedProcess[str]:
    return Miriam()(
        "tune", "--model", folder / "m", "--source", folder / "t.de",
        "--references", folder / "t.en", "--out", out, *QUICK, *args,
    )  # fmt: skip


def test_a_tuned_model_is_better_whole_and_tells_how_it_was_tuned(
    miriam: Miriam, folder: Path, tmp_path: Path
) -> None:
    result = tune(folder, tmp_path / "m", "--log", tmp_path / "log")
    assert result.returncode == 0, result.stderr
    epochs = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    scores = [record["score"] for record in epochs if record["event"] == "epoch"]
    assert max(scores) > scores[0]
    assert "is the best" in result.stderr
    split = [record for record in epochs if record["event"] == "epoch"][1]["split"]
    assert set(split) == {"decoding", "extraction", "gold", "learning", "development"}
    assert miriam("check", tmp_path / "m").returncode == 0
    untuned, tuned = folder / "m" / "weights.txt", tmp_path / "m" / "weights.txt"
    assert (tmp_path / "m" / "weights.untuned.txt").read_text() == untuned.read_text()
    assert tuned.read_text() != untuned.read_text()
    run = tmp_path / "m" / "runs" / "tune"
    assert (run / "log.jsonl").read_text() == (tmp_path / "log").read_text()
    assert (run / "weights.untuned.txt").read_text() == untuned.read_text()
    assert f"{max(scores):.2f}" in miriam("runs", tmp_path / "m").stdout
    again = miriam("tune", "--config", tmp_path / "m" / "tuning.toml", "--model", folder / "m",
                   "--source", folder / "t.de", "--references", folder / "t.en",
                   "--out", tmp_path / "again")  # fmt: skip
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again" / "weights.txt").read_text() == tuned.read_text()


def test_threads_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for threads in (1, 4):
        assert tune(folder, tmp_path / str(threads), "--threads", threads).returncode == 0
    one, four = ((tmp_path / str(n) / "weights.txt").read_bytes() for n in (1, 4))
    assert one == four


def test_kill_9_and_the_same_call_again_give_the_same_weights(folder: Path, tmp_path: Path) -> None:
    often = ["--set", "learner.checkpoint_batches=1", "--set", "learner.epochs=12",
             "--set", "learner.patience=0"]  # fmt: skip
    assert tune(folder, tmp_path / "straight", *often).returncode == 0
    checkpoint = tmp_path / "killed.tuning"
    command = [sys.executable, "-m", "miriam", "tune", "--model", folder / "m",
               "--source", folder / "t.de", "--references", folder / "t.en",
               "--out", tmp_path / "killed", *QUICK, *often]  # fmt: skip
    process = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL, cwd=ROOT)
    while process.poll() is None and not checkpoint.exists():
        time.sleep(0.002)
    process.kill()
    process.communicate()
    assert checkpoint.exists(), "it was killed before its end"
    assert tune(folder, tmp_path / "killed", *often).returncode == 0
    assert not checkpoint.exists()
    straight, killed = (tmp_path / n / "weights.txt" for n in ("straight", "killed"))
    assert straight.read_bytes() == killed.read_bytes()


def test_list_names_the_pieces(miriam: Miriam) -> None:
    listed = miriam("tune", "--list").stdout
    assert "kbmira" in listed
    assert "adagrad" in listed
    assert "logistic" in listed


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (["--dev-source", "x"], 2, "--dev-source and --dev-references belong together"),
        (["--algorithm", "mertt"], 2, "did you mean 'mert'"),
        (["--set", "learner.pieces.average=true"], 2, "average = true cannot go with regulariser"),
        (["--source", "missing"], 1, "missing"),
        (["--references", "empty"], 1, "empty has 0"),
        (["--model", "."], 1, "not a model"),
        (["--set", "nbest=1"], 2, "nbest"),
        (["--features", "extended"], 1, "the model has no word classes"),
        (["--features", "extnded"], 2, "features.set = 'extnded'"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    folder: Path, tmp_path: Path, args: list[str], status: int, message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("empty").touch()
    result = tune(folder, tmp_path / "out", *args)
    assert result.returncode == status, result.stderr
    assert message in result.stderr.splitlines()[-1]
    assert not (tmp_path / "out").exists()


def test_a_table_is_shared_and_the_model_may_replace_itself(
    miriam: Miriam, folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder / "m", tmp_path / "m")
    assert tune(folder, tmp_path / "m", "--model", tmp_path / "m").returncode == 0
    assert miriam("check", tmp_path / "m").returncode == 0
    first = (tmp_path / "m" / "weights.untuned.txt").read_bytes()
    assert tune(folder, tmp_path / "m", "--model", tmp_path / "m").returncode == 0
    assert (tmp_path / "m" / "weights.untuned.txt").read_bytes() == first
    runs = {path.name for path in (tmp_path / "m" / "runs").iterdir()}
    assert runs == {"train", "tune", "tune-2"}
