"""`miriam demo`, which takes half a minute."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Miriam


@pytest.mark.slow
def test_the_demonstration(miriam: Miriam, tmp_path: Path) -> None:
    result = miriam("demo", "--out", tmp_path / "model")
    assert result.returncode == 0, result.stderr
    scores = re.search(r"^BLEU +(\S+) +(\S+)", result.stdout, re.MULTILINE)
    assert scores
    assert float(scores[2]) > float(scores[1]) + 5
    assert max(map(len, result.stdout.splitlines())) <= 100
    assert "public domain" in result.stdout
    assert miriam("check", tmp_path / "model").returncode == 0
