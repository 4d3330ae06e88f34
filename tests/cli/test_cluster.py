"""`miriam cluster`: maps that it learns and converts, and calls that are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Miriam
from miriam.lexicon.classes import read_classes

TEXT = "a dog sees a cat\nthe cat sees the dog\n"


@pytest.mark.parametrize("name", ["map.tsv", "map.classes"])
def test_it_learns_classes(miriam: Miriam, tmp_path: Path, name: str) -> None:
    result = miriam(
        "cluster", "--text", "-", "--out", name, "--classes", 3, "--clip", 0,
        stdin=TEXT, cwd=tmp_path,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "5 different words, 5 after digits and rare words (0.0% fewer), in 3" in result.stderr
    classes = read_classes(tmp_path / name)
    assert classes["dog"] == classes["cat"] != classes["the"] == classes["a"]


def test_passes_as_json(miriam: Miriam, tmp_path: Path) -> None:
    (tmp_path / "text").write_text(TEXT)
    args = ["cluster", "--text", "text", "--out", "map", "--classes", 2, "--clip", 0, "--json"]
    found = json.loads(miriam(*args, cwd=tmp_path).stdout)
    objectives = [p["objective"] for p in found["passes"]]
    assert objectives == sorted(objectives)
    assert found["passes"][-1]["moved"] == 0
    assert found["types"] == found["words"] == 5


def test_it_converts_maps_of_other_tools(miriam: Miriam, tmp_path: Path) -> None:
    (tmp_path / "paths").write_text("0110\tdog\t7\n0111\tcat\t3\n")
    result = miriam("cluster", "--map", "paths", "--out", "map.tsv", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "map.tsv").read_text() == "dog\t0110\ncat\t0111\n"


def test_wrong_calls(miriam: Miriam, tmp_path: Path) -> None:
    assert "give --text" in miriam.fails(2, "cluster", "--out", tmp_path / "map")
    (tmp_path / "text").write_text(TEXT)
    call = ["cluster", "--text", tmp_path / "text", "--out", tmp_path / "map", "--classes", 9]
    assert "too few for 9 classes" in miriam.fails(1, *call)
    assert not (tmp_path / "map").exists()
