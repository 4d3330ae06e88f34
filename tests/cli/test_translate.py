"""`miriam train`, `translate`, `explain` and `check`, from raw text to raw text."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from conftest import Miriam
from toy_model import write_text

SENTENCE = "Der Baum malt einen Hund."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy")
    source, target = write_text(folder)
    result = Miriam()("train", "--source", source, "--target", target, "--out", folder / "m")
    assert result.returncode == 0, result.stderr
    assert sorted(f.name for f in folder.iterdir()) == ["a.de", "a.en", "m"]
    return folder / "m"


def weights_without(model: Path, name: str, out: Path) -> Path:
    lines = (model / "weights.txt").read_text().splitlines()
    out.write_text("".join(f"{x}\n" for x in lines if not x.startswith(f"{name} ")))
    return out


def test_raw_text_in_and_out(miriam: Miriam, model: Path) -> None:
    text = f"{SENTENCE}\n\nDer Mann sieht einen Ball.\n"
    result = miriam("translate", "--model", model, stdin=text)
    assert result.stdout == "The tree paints a dog.\n\nThe man sees a ball.\n", result.stderr


def test_tokens_in_and_out(miriam: Miriam, model: Path) -> None:
    result = miriam("translate", "--model", model, "--tokens", stdin="Der Hund hat\n")
    assert result.stdout == "The dog has\n"


def test_threads_give_the_same_in_order(miriam: Miriam, model: Path) -> None:
    text = "".join(f"Der Hund sieht einen Ball {i}.\n" for i in range(450))
    one, two = (miriam("translate", "--model", model, "--threads", n, stdin=text) for n in (1, 2))
    assert one.stdout == two.stdout
    lines = one.stdout.splitlines()
    assert len(lines) == 450
    assert all(f" {i}" in line for i, line in enumerate(lines))


def test_moses_format(miriam: Miriam, model: Path) -> None:
    result = miriam(
        "translate", "--model", model, "--nbest", 5, "--distinct", stdin=f"{SENTENCE}\n"
    )
    rows = [line.split(" ||| ") for line in result.stdout.splitlines()]
    assert {len(row) for row in rows} == {4}
    assert rows[0][:2] == ["0", "The tree paints a dog."]
    assert "LM= " in rows[0][2]
    scores = [float(row[3]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert len({row[1] for row in rows}) == len(rows)


def test_json_lines_have_a_confidence(miriam: Miriam, model: Path) -> None:
    result = miriam("translate", "--model", model, "--format", "jsonl", stdin=f"{SENTENCE}\n\n")
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert first["translation"] == "The tree paints a dog."
    assert 0 < first["confidence"] <= 1
    assert second["translation"] == ""


def test_what_must_not_be_translated_survives(miriam: Miriam, model: Path) -> None:
    result = miriam("translate", "--model", model, stdin="Der Hund sieht <b>%s</b>.\n")
    assert "<b>%s</b>" in result.stdout


@pytest.mark.parametrize(
    "line", ["Hund " * 500, "x" * 5000, "Xyz Abc Uvw", "⟦ ||| <b", "Der Hund\tsieht"]
)
def test_odd_sentences_are_translated(miriam: Miriam, model: Path, line: str) -> None:
    result = miriam("translate", "--model", model, stdin=f"{line}\n")
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("\n") == 1
    assert result.stdout.strip()


def test_explanations(miriam: Miriam, model: Path) -> None:
    result = miriam("explain", "--model", model, SENTENCE)
    assert result.stdout.startswith("The tree paints a dog.\n")
    assert "LM" in result.stdout
    tree = json.loads(miriam("explain", "--model", model, SENTENCE, "--json").stdout)
    assert sum(f["product"] for f in tree["features"]) == pytest.approx(tree["score"], abs=1e-4)
    assert "<table>" in miriam("explain", "--model", model, SENTENCE, "--html").stdout
    assert "no words" in miriam.fails(1, "explain", "--model", model, "")
    assert "ask for one" in miriam.fails(2, "explain", "--model", model, "a", "--json", "--html")


def test_weights_of_other_features_are_refused(miriam: Miriam, model: Path, tmp_path: Path) -> None:
    file = tmp_path / "w"
    file.write_text((model / "weights.txt").read_text() + "LMM 1\n")
    error = miriam.fails(1, "translate", "--model", model, "--weights", file)
    assert error == f"{file}: the model has no feature LMM; did you mean 'LM'?"


def test_missing_weights_are_refused_unless_allowed(
    miriam: Miriam, model: Path, tmp_path: Path
) -> None:
    file = weights_without(model, "LM", tmp_path / "w")
    options = ["translate", "--model", model, "--weights", file]
    assert f"{file}: no weight for LM" in miriam.fails(1, *options)
    result = miriam(*options, "--allow-missing-weights", stdin=f"{SENTENCE}\n")
    assert result.returncode == 0, result.stderr


def test_a_weight_that_is_no_number_is_refused(miriam: Miriam, model: Path, tmp_path: Path) -> None:
    file = weights_without(model, "LM", tmp_path / "w")
    file.write_text(f"{file.read_text()}LM nan\n")
    error = miriam.fails(1, "translate", "--model", model, "--weights", file)
    assert "the weight 'nan' is not a finite number" in error


def test_check(miriam: Miriam, model: Path, tmp_path: Path) -> None:
    assert "all as they were written" in miriam("check", model).stdout
    assert json.loads(miriam("check", model, "--json").stdout)["format"] == 1
    damaged = tmp_path / "damaged"
    shutil.copytree(model, damaged)
    table = damaged / "TM.rules.safetensors"
    table.write_bytes(table.read_bytes()[:-100])
    for command in (["check"], ["translate", "--model"]):
        assert miriam.fails(1, *command, damaged).startswith(f"{table}: the file has ")
    assert "not a model" in miriam.fails(1, "check", tmp_path)


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--nbest", "5", "--format", "text"], 2, "needs --format moses or jsonl"),
        (["--nbest", "0"], 2, "--nbest"),
        (["--set", "search.pop=5"], 2, "did you mean 'pops'?"),
        (["--weights", "/no/such"], 1, "no such file"),
    ],
)
def test_wrong_calls(
    miriam: Miriam, model: Path, options: list[str], status: int, message: str
) -> None:
    assert message in miriam.fails(status, "translate", "--model", model, *options)


def test_bad_text(miriam: Miriam, model: Path) -> None:
    assert "standard input, line 1: not UTF-8 at byte 1" in miriam.fails(
        1, "translate", "--model", model, stdin=b"\xff\n"
    )
