"""`import miriam`, and what it offers."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import miriam
from miriam.errors import ConfigError, ModelError


def test_the_import_is_light() -> None:
    code = "import sys, miriam; sys.exit('numpy' in sys.modules or 'miriam._core' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_train_load_translate(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("ein hund\nein mann\n")
    (tmp_path / "a.en").write_text("a dog\na man\n")
    steps: list[str] = []
    made = miriam.train(
        source=tmp_path / "a.de",
        target=tmp_path / "a.en",
        out=tmp_path / "m",
        tokens=True,
        report=lambda step, *_: steps.append(step),
    )
    again = miriam.load(tmp_path / "m", overrides=["search.pops=10"])
    assert made.translate("ein mann") == again.translate("ein mann") == "a man"
    assert again.translate(["ein hund", ""]) == ["a dog", ""]
    assert again.settings.search.pops == 10
    assert "HMM, iteration 5 of 5" in steps
    best = again.decode("ein hund", nbest=5)
    assert best[0].text == "a dog"
    assert [b.score for b in best] == sorted((b.score for b in best), reverse=True)


def test_tune(tmp_path: Path) -> None:
    ends = {"heute abend hier .": "here this evening .", "dort am fluss .": "there by the river ."}
    seen = {"ein hund": ["a dog", "a dog", "the dog"], "ein mann": ["a man", "a man", "the man"]}
    rows = [
        (f"{x} schläft {end}", f"{y} sleeps {ends[end]}")
        for x, ys in seen.items() for y in ys for end in ends
    ]  # fmt: skip
    wanted = [row for row in rows if row[1].startswith("the")]
    for name, pairs in (("a", rows), ("t", wanted)):
        for side, lines in zip(("de", "en"), zip(*pairs, strict=True), strict=True):
            (tmp_path / f"{name}.{side}").write_text("".join(f"{line}\n" for line in lines))
    files = {name: tmp_path / name for name in ("a.de", "a.en", "t.de", "t.en")}
    first = miriam.train(
        source=files["a.de"], target=files["a.en"], out=tmp_path / "m", tokens=True
    )
    done: list[int] = []
    quick = ["learner.epochs=5", "learner.pieces.batch=1", "learner.pieces.updater.eta=0.5"]
    tuned = miriam.tune(
        first, source=files["t.de"], references=files["t.en"], out=tmp_path / "tuned",
        features="2013", overrides=quick, report=lambda _, now, __: done.append(now),
    )  # fmt: skip
    assert inspect.ismodule(miriam.tune)  # the room, which can be called all the same
    sources = [source for source, _ in wanted]
    assert tuned.translate(sources) == [target for _, target in wanted] != first.translate(sources)
    assert miriam.load(tmp_path / "tuned").settings.features.set == "2013"
    assert done == sorted(done)
    with pytest.raises(ModelError, match="no word classes"):
        miriam.tune(first, source=files["t.de"], references=files["t.en"], features="extended")


def test_errors_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not a model"):
        miriam.load(tmp_path)
    for name in "ab":
        (tmp_path / name).touch()
    with pytest.raises(ConfigError, match="--tokens"):
        miriam.train(source=tmp_path / "a", target=tmp_path / "b", out=tmp_path / "m")
