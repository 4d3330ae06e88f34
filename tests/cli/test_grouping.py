"""`miriam tune --algorithm oscar` and `miriam weights`: groups of rules, for both kinds of them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from conftest import Miriam
from miriam.features.weights import read_weights
from toy_model import NOUNS, VERBS, write_text

IDS = ["--set", 'features.templates=[{kind="rule-indicator"}]']
QUICK = ["--set", "nbest=20", "--set", "learner.rounds=2", "--set", "learner.tuner_rounds=2",
         "--set", "learner.groups.passes=5", "--set", "learner.groups.batch=50",
         "--set", "learner.groups.pairs.draws=40", "--set", "learner.groups.pairs.keep=40",
         "--set", "learner.groups.regulariser.lambda2=1e-5"]  # fmt: skip


@pytest.fixture(scope="module", params=["phrases", "hierarchical"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of one kind with a feature for each rule; training text and a development set.

    Training has "The" twice as often as "A", and the development set has "A".
    """
    folder = tmp_path_factory.mktemp(request.param)
    source, target = write_text(folder)
    for file, old, new in ((source, "", ""), (target, "The", "A")):
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(lines + [line.replace(old, new) for line in lines[::2]]))
    preset = "words" if request.param == "phrases" else "hierarchical"
    result = Miriam()("train", "--source", source, "--target", target, "--out", folder / "m",
                      "--preset", preset, "--no-tune", *IDS)  # fmt: skip
    assert result.returncode == 0, result.stderr
    pairs = [(f"Der {a} {v} einen {a}.", f"A {NOUNS[a]} {VERBS[v]} a {NOUNS[a]}.")
             for a in NOUNS for v in VERBS]  # fmt: skip
    for name, column in zip(("dev.de", "dev.en"), zip(*pairs, strict=True), strict=True):
        (folder / name).write_text("".join(f"{line}\n" for line in column))
    return folder


def tune(folder: Path, out: Path, *args: object) -> subprocess.CompletedProcess[str]:
    return Miriam()(
        "tune", "--model", folder / "m", "--source", folder / "a.de",
        "--references", folder / "a.en", "--out", out, *args,
    )  # fmt: skip


def dev(folder: Path) -> list[object]:
    return ["--dev-source", folder / "dev.de", "--dev-references", folder / "dev.en"]


def weights(miriam: Miriam, *args: object) -> dict[str, Any]:
    result = miriam("weights", *args, "--json")
    assert result.returncode == 0, result.stderr
    told: dict[str, Any] = json.loads(result.stdout)
    return told


def test_groups_are_learnt_tuned_saved_and_counted(
    miriam: Miriam, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "m"
    result = tune(folder, out, "--algorithm", "oscar", *QUICK, *dev(folder), "--threads", 2)
    assert result.returncode == 0, result.stderr
    assert miriam("check", out).returncode == 0
    epochs = [
        json.loads(line) for line in (out / "runs" / "tune" / "log.jsonl").read_text().splitlines()
    ]
    outer = [record for record in epochs if record["event"] == "epoch"]
    assert [record["epoch"] for record in outer] in ([0, 1], [0, 1, 2])
    assert {record["round"] for record in epochs if record["event"] == "inner"} >= {1}
    best = max(outer, key=lambda record: (record["score"], -record["epoch"]))
    assert best["epoch"] > 0, "grouping was better than nothing"
    assert f"groups {best['groups']:,}" in result.stderr

    tied = read_weights(out / "weights.txt")
    assert (out / "runs" / "tune" / "groups.txt").read_text() == (out / "groups.txt").read_text()
    lines = (out / "groups.txt").read_text().splitlines()
    assert len(lines) == best["groups"]
    members = 0
    for line in lines:
        _, weight, *names = line.split()
        members += len(names)
        for name in names:
            signed = float(weight) if name[0] == "+" else -float(weight)
            assert tied.get(name[1:], 0.0) == pytest.approx(signed)
    assert members == best["members"] <= best["known"]
    assert len(lines) < members, "some rules share a weight"

    told = weights(miriam, "--model", out, "--source", folder / "dev.de", "--nbest", 50)
    named = {line["template"]: line for line in told["templates"]}
    assert named["dense"]["reused"] == named["dense"]["active"]
    assert 0 < named["PT"]["reused"] <= named["PT"]["active"] <= members
    assert len(told["groups"]) == best["active"]
    assert any(group["reused"] for group in told["groups"])
    shown = miriam("weights", "--model", out).stdout
    assert "groups" in shown
    assert told["groups"][0]["title"].split()[0][:40] in shown

    again = miriam("tune", "--model", out, "--source", folder / "dev.de", "--references",
                   folder / "dev.en", "--algorithm", "pro", "--set", "rounds=1")  # fmt: skip
    assert again.returncode == 0, again.stderr
    assert not (out / "groups.txt").exists(), "these weights are in no groups"
    assert weights(miriam, "--model", out)["groups"] == []
    with_file = [*("--weights", out / "runs/tune/weights.txt"),
                 *("--groups", out / "runs/tune/groups.txt")]  # fmt: skip
    assert len(weights(miriam, "--model", out, *with_file)["groups"]) == best["active"]


def test_the_same_bytes_with_any_number_of_threads(folder: Path, tmp_path: Path) -> None:
    for threads in (1, 3):
        result = tune(folder, tmp_path / str(threads), "--algorithm", "oscar", *QUICK, *dev(folder),
                      "--threads", threads, "--set", "learner.rounds=1")  # fmt: skip
        assert result.returncode == 0, result.stderr
    one, three = (tmp_path / n for n in ("1", "3"))
    for name in ("weights.txt", "groups.txt"):
        assert (one / name).read_bytes() == (three / name).read_bytes()


@pytest.mark.parametrize("tuner", ["mert", "kbmira", "expected-bleu"])
def test_any_learner_tunes_the_groups(folder: Path, tmp_path: Path, tuner: str) -> None:
    result = tune(
        folder, tmp_path / "m", "--algorithm", "oscar", *QUICK, *dev(folder),
        "--set", f"learner.tuner.kind={tuner}", "--set", "learner.rounds=1",
        "--set", "learner.groups.batch=1", "--set", "learner.groups.passes=1",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "m" / "tuning.toml").read_text().count(f'kind = "{tuner}"') == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--algorithm", "oscar"], "give it a development set too"),
        (["--regulariser", "oscar"], "updater 'adagrad' cannot go with regulariser 'oscar'"),
        (["--regulariser", "oscar", "--updater", "arow-linearised"], "updater 'arow-linearised'"),
        (["--regulariser", "oscar-as-printed"], "cannot go with regulariser 'oscar-as-printed'"),
        (["--regulariser", "oscar", "--updater", "sgd", "--set", "learner.shards=2"],
         "a mean of several learners' weights has lost their ties"),
        (["--regulariser", "oscar", "--updater", "sgd", "--set", "learner.pieces.average=true"],
         "average = true cannot go with regulariser 'oscar'"),
    ],
)  # fmt: skip
def test_what_oscar_cannot_go_with_is_refused_by_name(
    folder: Path, tmp_path: Path, args: list[str], message: str
) -> None:
    result = tune(folder, tmp_path / "m", *args)
    assert result.returncode == 2, result.stderr
    assert message in result.stderr.splitlines()[-1]
    assert not (tmp_path / "m").exists()


def test_rules_without_features_cannot_be_grouped(folder: Path, tmp_path: Path) -> None:
    result = tune(folder, tmp_path / "m", "--algorithm", "oscar", *QUICK, *dev(folder),
                  "--set", 'learner.groups.regulariser.features=["RULE:"]')  # fmt: skip
    assert result.returncode == 2, result.stderr
    assert "no feature's name begins with 'RULE:'" in result.stderr.splitlines()[-1]


def test_weights_of_what_is_no_model(miriam: Miriam, folder: Path, tmp_path: Path) -> None:
    assert "no manifest" in miriam.fails(1, "weights", "--model", tmp_path)
    shutil.copytree(folder / "m", tmp_path / "m")
    (tmp_path / "groups").write_text("1 0.5 a\n")
    call = ["weights", "--model", tmp_path / "m", "--groups", tmp_path / "groups"]
    assert "is not a name behind + or -" in miriam.fails(1, *call)
    assert "no such file" in miriam.fails(1, "weights", "--model", tmp_path / "m", "--source", "x")
