"""Model directories that are whole, and those that are not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from miriam.container import ContainerWriter
from miriam.errors import InputError, MiriamError, ModelError
from miriam.model.directory import MANIFEST, new_model, open_model

TABLE = "t.safetensors"


def make_model(path: Path, number: int = 1) -> Path:
    table = path.parent / f"table.{number}"
    with ContainerWriter(table, kind="demo", version=1) as writer:
        writer.add("numbers", np.full(100, number, np.int32))
    with new_model(path, {TABLE: table}) as inside:
        (inside / "weights.txt").write_text("LM 0.5\n")
    table.unlink()
    return path


def cut_table(model: Path) -> None:
    data = (model / TABLE).read_bytes()
    (model / TABLE).write_bytes(data[:-8])


def swap_table(model: Path) -> None:
    other = make_model(model.parent / "other", 2)
    shutil.copyfile(other / TABLE, model / TABLE)


def change_manifest(key: str, value: object) -> Callable[[Path], None]:
    def change(model: Path) -> None:
        tree = json.loads((model / MANIFEST).read_text())
        (model / MANIFEST).write_text(json.dumps({**tree, key: value}))

    return change


DAMAGE: list[tuple[Callable[[Path], object], str]] = [
    (cut_table, "bytes and should have"),
    (swap_table, "the table is of build"),
    (lambda m: (m / TABLE).unlink(), f"{TABLE}: the file is missing"),
    (lambda m: (m / MANIFEST).unlink(), "not a model, for it has no manifest.json"),
    (lambda m: (m / MANIFEST).write_text('{"form'), "cut short or damaged"),
    (lambda m: (m / "weights.txt").write_text("LM 0.6\n"), "weights.txt: not the content"),
    (change_manifest("format", 2), "format version 2, and this Miriam reads version 1"),
    (change_manifest("files", {"a": 1}), "cut short or damaged"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGE)
def test_a_damaged_model_is_refused(
    tmp_path: Path, damage: Callable[[Path], object], message: str
) -> None:
    model = make_model(tmp_path / "model")
    damage(model)
    with pytest.raises(ModelError, match=message):
        open_model(model)


def test_only_verify_reads_the_arrays(tmp_path: Path) -> None:
    model = make_model(tmp_path / "model")
    data = bytearray((model / TABLE).read_bytes())
    data[-40] ^= 1  # in the last array
    (model / TABLE).write_bytes(data)
    opened = open_model(model)
    with pytest.raises(ModelError, match="not the content that the manifest has a checksum of"):
        opened.verify()


def test_a_whole_model_is_verified(tmp_path: Path) -> None:
    model = open_model(make_model(tmp_path / "model"))
    assert model.verify() == sum(
        f.stat().st_size for f in model.path.iterdir() if f.name != MANIFEST
    )


def test_an_interrupted_model_leaves_nothing_and_keeps_the_old_one(tmp_path: Path) -> None:
    model = make_model(tmp_path / "model")
    before = (model / MANIFEST).read_bytes()

    def interrupted() -> None:
        with new_model(model, {}) as inside:
            (inside / "weights.txt").write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert (model / MANIFEST).read_bytes() == before


def test_a_model_is_replaced_by_a_new_one(tmp_path: Path) -> None:
    first = open_model(make_model(tmp_path / "model")).manifest.build
    second = open_model(make_model(tmp_path / "model", 2)).manifest.build
    assert first != second
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_the_same_content_has_the_same_bytes(tmp_path: Path) -> None:
    one, two = (make_model(tmp_path / name) for name in ("one", "two"))
    for file in one.iterdir():
        assert file.read_bytes() == (two / file.name).read_bytes()


@pytest.mark.parametrize("kind", ["file", "folder", "nowhere"])
def test_nothing_else_is_overwritten(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out"
    if kind == "file":
        out.write_text("mine")
    elif kind == "folder":
        out.mkdir()
        (out / "mine").write_text("mine")
    else:
        out = tmp_path / "no" / "out"
    with pytest.raises(InputError), new_model(out, {}):
        pass
    assert kind == "nowhere" or any(
        f.read_text() == "mine" for f in tmp_path.rglob("*") if f.is_file()
    )


def test_a_table_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("text")
    with pytest.raises(MiriamError), new_model(tmp_path / "m", {TABLE: tmp_path / "bad"}):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["bad"]
