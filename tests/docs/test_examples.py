"""The examples: each script and each cell of the notebook runs, and says what it is to say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

EXAMPLES = ROOT / "examples"
# What the output has, as a pattern.
SAYS = {
    "translate": r"He said to them, Whence come you\?[\s\S]*\d+\.\d%",
    "explain": r"straightway → [\s\S]*explanation\.html",
    "feature": r"weight \+0\.0: .*\(kept = [0-8]\)\nweight \+3\.0: .*\(kept = (9|1\d)\)",
    "loss": r"derivative: \d\.\de-(09|10|11)\nListNet .* \d\d\.\d\d\nLogistic",
    "rerank": r"BLEU of the other half: \d+\.\d+ as it came, \d+\.\d+ reranked",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where they run, one after the other: the first trains their model."""
    return tmp_path_factory.mktemp("examples")


def test_all_are_listed() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*SAYS, "mark"}


@pytest.mark.parametrize("name", SAYS)
def test_an_example(name: str, folder: Path) -> None:
    result = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    assert re.search(SAYS[name], result.stdout), result.stdout


def test_the_notebook(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(EXAMPLES)
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "tour.ipynb", "exec"), names)  # noqa: S102  # ours
            assert cell["outputs"] == []
    assert (folder / "jonah.png").stat().st_size > 1000
