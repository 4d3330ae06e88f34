"""`import miriam`, and what it offers."""

from __future__ import annotations

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


def test_errors_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not a model"):
        miriam.load(tmp_path)
    for name in "ab":
        (tmp_path / name).touch()
    with pytest.raises(ConfigError, match="--tokens"):
        miriam.train(source=tmp_path / "a", target=tmp_path / "b", out=tmp_path / "m")
