"""`miriam demo`: what a newcomer sees, at a tenth of its size and at its full one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Miriam


def demonstrate(miriam: Miriam, folder: Path, *options: str) -> list[float]:
    """Run it, and look at all that it leaves; the BLEU of no, untuned and tuned translation."""
    result = miriam("demo", "--out", folder, *options)
    assert result.returncode == 0, result.stderr
    prose = [line for line in result.stdout.splitlines() if str(folder) not in line]
    assert max(map(len, prose)) <= 100
    assert "public domain" in result.stdout
    assert f"{folder}/report.html" in result.stdout
    assert "epoch  1 " in result.stderr
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Development score" in page
    assert "Ecclesiastes" in result.stdout
    assert miriam("check", folder / "model").returncode == 0
    told = miriam("translate", "--model", folder / "model", stdin="Whither goest thou?\n")
    assert told.stdout.endswith("?\n")
    scores = re.search(r"^BLEU +(\S+) +(\S+) +(\S+)", result.stdout, re.MULTILINE)
    assert scores
    return [float(score) for score in scores.groups()]


def test_a_tenth_of_the_demonstration(miriam: Miriam, tmp_path: Path) -> None:
    before, untuned, tuned = demonstrate(miriam, tmp_path / "demo", "--quick")
    assert before + 4 < untuned
    assert before + 4 < tuned


@pytest.mark.slow
def test_the_demonstration(miriam: Miriam, tmp_path: Path) -> None:
    before, untuned, tuned = demonstrate(miriam, tmp_path / "demo")
    assert before + 5 < untuned < tuned
