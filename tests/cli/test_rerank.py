"""`miriam rerank`: learning weights from n-best files, using them, and failing in one sentence."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import Miriam
from miriam.features.weights import read_weights, write_weights

WORDS = ["the", "a", "dog", "cat", "runs", "sleeps", "on", "under", "green", "grass"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """20 sentences: `good` marks the reference, the others say nothing."""
    lists, references = [], []
    for i in range(20):
        right = " ".join(WORDS[(i + j * (1 + i % 3)) % 10] for j in range(7))
        references.append(right)
        for j in range(6):
            words = right.split()
            words[: 5 - j] = ["x"] * (5 - j)
            noise, good = ((31 * i + 17 * j * j) % 7) / 10, int(j == 5)
            features = f"LM= {noise} const= 1 0 good= {good} w{i}=1"
            lists.append(f"{i} ||| {' '.join(words)} ||| {features} ||| {-j} ||| 0=0\n")
    (tmp_path / "nbest").write_text("".join(lists))
    (tmp_path / "ref").write_text("\n".join(references) + "\n")
    return tmp_path


def tune(files: Path, *args: object) -> list[object]:
    return [
        "rerank", "tune", "--nbest", files / "nbest", "--references", files / "ref",
        "--out", files / "weights", *args,
    ]  # fmt: skip


ALGORITHMS = ["online", "mert", "pro", "kbmira", "expected-bleu", "mira", "arow", "perceptron"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_learns_and_its_weights_choose(
    algorithm: str, files: Path, miriam: Miriam
) -> None:
    few = ["--set", "learner.restarts=2"] if algorithm == "mert" else []
    result = miriam(*tune(files, "--algorithm", algorithm, *few, "--threads", 2))
    assert result.returncode == 0, result.stderr
    weights = read_weights(files / "weights")
    assert weights["good"] > 0
    assert not list(files.glob("*.checkpoint"))
    applied = miriam(
        "rerank", "apply", "--nbest", files / "nbest", "--weights", files / "weights",
        "--nbest-out", files / "new.jsonl",
    )  # fmt: skip
    assert applied.returncode == 0, applied.stderr
    assert applied.stdout == (files / "ref").read_text()
    first = json.loads((files / "new.jsonl").read_text().split("\n")[0])
    assert first["hypothesis"] == applied.stdout.split("\n")[0]
    assert first["features"]["good"] == 1


def test_oscar_writes_groups_beside_the_weights(files: Path, miriam: Miriam) -> None:
    args = tune(
        files, "--algorithm", "oscar", "--dev-nbest", files / "nbest",
        "--dev-references", files / "ref", "--set", "learner.groups.passes=3",
        "--set", "learner.groups.regulariser.features=['good', 'LM']",
    )  # fmt: skip
    result = miriam(*args)
    assert result.returncode == 0, result.stderr
    assert "groups 2, active 2, of 2 of 2 features" in result.stderr
    weights = read_weights(files / "weights")
    assert weights["good"] > 0
    groups = [line.split() for line in (files / "weights.groups").read_text().splitlines()]
    assert [(number, member) for number, _, member in groups] == [("1", "+good"), ("2", "-LM")]
    assert [float(weight) for _, weight, _ in groups] == [weights["good"], -weights["LM"]]
    again = (files / "weights").read_bytes()
    assert miriam(*args, "--threads", 3).returncode == 0
    assert (files / "weights").read_bytes() == again


def test_the_same_seed_gives_the_same_bytes(files: Path, miriam: Miriam) -> None:
    small = ["--set", "learner.pieces.batch=3"]
    made = []
    for threads in (1, 3):
        assert miriam(*tune(files, *small, "--threads", threads, "--seed", 7)).returncode == 0
        made.append((files / "weights").read_bytes())
    assert made[0] == made[1]
    miriam(*tune(files, *small, "--seed", 8))
    assert (files / "weights").read_bytes() != made[0]


def test_pieces_settings_development_columns_and_log(files: Path, miriam: Miriam) -> None:
    lines = (files / "nbest").read_text().count("\n")
    (files / "column").write_text("".join(f"{(i % 6 == 5):d}\n" for i in range(lines)))
    column = f"neural={files / 'column'}"
    result = miriam(*tune(
        files, "--dev-nbest", files / "nbest", "--dev-references", files / "ref",
        "--column", column, "--dev-column", column, "--loss", "expected", "--updater", "sgd",
        "--regulariser", "l2", "--set", "learner.epochs=3", "--log", files / "log",
    ))  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "epoch  3" in result.stderr
    assert "length ratio 1.0" in result.stderr
    assert (
        result.stderr.strip().split("\n")[-1].startswith(f"{len(read_weights(files / 'weights'))} ")
    )
    records = [json.loads(line) for line in (files / "log").read_text().splitlines()]
    assert [r["epoch"] for r in records if r["event"] == "epoch"] == [0, 1, 2, 3]
    assert read_weights(files / "weights")["neural"] > 0


def test_a_config_file_says_it_all(files: Path, miriam: Miriam) -> None:
    (files / "run.toml").write_text(
        '[learner]\nkind = "online"\nepochs = 2\n[learner.pieces]\nbatch = 5\n'
        '[learner.pieces.loss]\nkind = "hope-fear"\n[learner.pieces.updater]\nkind = "mira"\n'
        '[learner.pieces.regulariser]\nkind = "none"\n[gold]\nkind = "chrf"\n'
    )
    result = miriam(*tune(files, "--config", files / "run.toml"))
    assert result.returncode == 0, result.stderr
    assert "epoch  2" in result.stderr


def test_weights_to_start_with_stay_named(files: Path, miriam: Miriam) -> None:
    write_weights(files / "start", {"good": 1.0, "elsewhere": 0.5, "w3": 0.0})
    assert miriam(*tune(files, "--weights", files / "start")).returncode == 0
    weights = read_weights(files / "weights")
    assert weights["elsewhere"] == 0.5, "a feature that never fires keeps its weight"
    assert "w3" in weights


def test_a_run_that_collapses_says_so_and_keeps_the_best(files: Path, miriam: Miriam) -> None:
    write_weights(files / "start", {"good": 1.0})
    result = miriam(*tune(
        files, "--weights", files / "start", "--set", "learner.pieces.regulariser.strength=1000.0"
    ))  # fmt: skip
    assert result.returncode == 1
    last = result.stderr.strip().split("\n")[-1]
    assert last.startswith("miriam: all weights have become 0; ")
    assert last.endswith("weights has the best weights so far")
    assert read_weights(files / "weights") == {"good": 1.0}


def test_sentences_without_candidates_are_empty_lines(files: Path, miriam: Miriam) -> None:
    (files / "nbest").write_text("1 ||| a dog ||| A= 1\n1 ||| dogs ||| A= 2\n3 ||| b ||| A= 1\n")
    (files / "weights").write_text("A 1\n")
    result = miriam("rerank", "apply", "--nbest", files / "nbest", "--weights", files / "weights")
    assert result.stdout == "\ndogs\n\nb\n"


def test_strange_names_are_told(files: Path, miriam: Miriam) -> None:
    (files / "weights").write_text("good 1\nnobody 2\n")
    result = miriam("rerank", "apply", "--nbest", files / "nbest", "--weights", files / "weights")
    assert result.returncode == 0
    assert "without a weight in" in result.stderr
    assert "LM, const.0, const.1 and" in result.stderr
    assert "without a feature in" in result.stderr
    assert "nobody" in result.stderr


@pytest.mark.parametrize(
    ("nbest", "weights", "message"),
    [
        ("", "A 1\n", "nbest: the n-best file is empty"),
        ("0 ||| a ||| A= x\n", "A 1\n", "nbest, line 1: feature 'A': the value 'x' is not"),
        ("1 ||| a ||| A= 1\n0 ||| a ||| A= 1\n", "A 1\n", "sentence 0 comes after sentence 1"),
        ("0 ||| a ||| A= 1\n", "B 1\n", "none of its weights (B) is of a feature of"),
        ("0 ||| a ||| A= 1\n", "", "weights: there is no weight of a feature of"),
        ("0 ||| a ||| A= 1\n", "A\n", "weights, line 1: 'A' is not a weight"),
        ("0 ||| a ||| A= 1\n", "A 1\nA 2\n", "weights, line 2: the feature 'A' has two weights"),
        ("0 ||| a ||| A= 1\n", "A nan\n", "weights, line 1: the weight 'nan' is not a finite"),
        ("0 ||| \udcff ||| A= 1\n", "A 1\n", "nbest, line 1: not UTF-8 at byte 7"),
    ],
)
def test_apply_fails_in_one_sentence(
    nbest: str, weights: str, message: str, tmp_path: Path, miriam: Miriam
) -> None:
    (tmp_path / "nbest").write_bytes(nbest.encode("utf-8", "surrogateescape"))
    (tmp_path / "weights").write_text(weights)
    said = miriam.fails(
        1, "rerank", "apply", "--nbest", tmp_path / "nbest", "--weights", tmp_path / "weights",
        "--out", tmp_path / "out", "--nbest-out", tmp_path / "lists",
    )  # fmt: skip
    assert message in said
    assert sorted(p.name for p in tmp_path.iterdir()) == ["nbest", "weights"]


@pytest.mark.parametrize(
    ("status", "args", "message"),
    [
        (2, ["--algorithm", "merk"], "algorithm 'merk' is not known; did you mean 'mert'?"),
        (2, ["--loss", "hing"], "loss 'hing' is not known; did you mean 'hinge'?"),
        (2, ["--algorithm", "pro", "--loss", "hinge"], "loss 'hinge': pro has its own"),
        (2, ["--updater", "mira"], "updater 'mira' cannot go with loss 'logistic'"),
        (2, ["--set", "learner.epoch=3"], "unknown setting 'learner.epoch' (= 3); did you mean"),
        (2, ["--set", "learner.epochs=0"], "learner.epochs = 0: expected `int` >= 1"),
        (2, ["--regulariser", "oscar"], "updater 'adagrad' cannot go with regulariser 'oscar'"),
        (
            2,
            ["--updater", "sgd", "--regulariser", "oscar", "--set", "learner.shards=2"],
            "regulariser 'oscar' cannot go with shards > 1",
        ),
        (2, ["--algorithm", "oscar"], "give it a development set too"),
        (
            2,
            ["--algorithm", "oscar", "--set", "learner.groups.updater.kind=adagrad"],
            "learner.groups.updater.kind = 'adagrad' is not known",
        ),
        (2, ["--dev-nbest", "x"], "--dev-nbest and --dev-references belong together"),
        (
            2,
            ["--dev-nbest", "x", "--dev-references", "y", "--column", "n=z"],
            "--column and --dev-column must name the same features",
        ),
        (2, ["--out", "nowhere/w"], "--out nowhere/w: there is no folder nowhere"),
        (2, ["--column", "x"], "--column x: expected NAME=FILE"),
        (2, ["--no-such"], "no such option"),
        (1, ["--weights", "nowhere"], "nowhere: no such file or directory"),
        (1, ["--column", "n=nowhere"], "nowhere: no such file or directory"),
    ],
)
def test_a_wrong_call_is_refused(
    status: int, args: list[str], message: str, files: Path, miriam: Miriam
) -> None:
    assert message.lower() in miriam.fails(status, *tune(files, *args)).lower()
    assert not (files / "weights").exists()


@pytest.mark.parametrize(
    ("nbest", "references", "message"),
    [
        ("0 ||| a ||| A= 1\n1 ||| a ||| A= 1\n", "a\n", "sentence 1 of the n-best file has no ref"),
        ("0 ||| a ||| A= 1\n0 ||| a ||| A= 2\n", "a\n", "is nothing to learn"),
        ("0 ||| a\n", "a\n", "nbest, line 1: expected `id ||| hypothesis"),
        ("", "a\n", "nbest: the n-best file is empty"),
    ],
)
@pytest.mark.parametrize("algorithm", ["online", "mert"])
def test_data_that_cannot_be_learnt_from(
    nbest: str, references: str, message: str, algorithm: str, files: Path, miriam: Miriam
) -> None:
    (files / "nbest").write_text(nbest)
    (files / "ref").write_text(references)
    result = miriam(*tune(files, "--algorithm", algorithm))
    assert result.returncode == 1
    assert message in result.stderr.strip().split("\n")[-1]


def test_an_interrupted_run_goes_on_where_it_was(files: Path, miriam: Miriam) -> None:
    args = [str(a) for a in tune(files, "--set", "learner.epochs=60")]
    assert miriam(*args).returncode == 0
    expected = (files / "weights").read_bytes()
    (files / "weights").unlink()
    checkpoint = files / "weights.checkpoint"
    process = subprocess.Popen([sys.executable, "-m", "miriam", *args], stderr=subprocess.PIPE)
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    if process.returncode:  # else it was quicker than we
        assert errors.decode().strip().split("\n")[-1].startswith("miriam: interrupted")
        assert checkpoint.exists()
        assert not (files / "weights").exists()
        assert "another" not in miriam(*args).stderr
    assert (files / "weights").read_bytes() == expected
    assert not checkpoint.exists()


def test_help_names_the_two(miriam: Miriam) -> None:
    assert "tune" in miriam("rerank", "--help").stdout
    assert "--algorithm" in miriam("rerank", "tune", "--help").stdout
