"""`miriam evaluate`: what it prints, and what it says of bad input."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import pytest

from conftest import Miriam
from miriam.metrics import CorpusMetric

REFERENCE = "A dog runs .\nThe cat sleeps all day .\n\n"
HYPOTHESIS = "A dog runs .\nthe cat slept all day .\nx\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a hypothesis and two references, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    Path("ours").write_text(HYPOTHESIS)
    Path("theirs").write_text("a b c\n" * 3)
    Path("dev.0").write_text(REFERENCE)
    Path("dev.1").write_text(REFERENCE.replace("runs", "is running"))
    return tmp_path


def score(miriam: Miriam, *args: str) -> dict[str, Any]:
    """What `--json` gives for these arguments."""
    result = miriam("evaluate", *args, "--json")
    assert result.returncode == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def scores(miriam: Miriam, *args: str) -> dict[str, float]:
    """The scores of the one system by metric."""
    return {
        m["metric"]: next(iter(m["systems"].values()))["score"]
        for m in score(miriam, *args)["metrics"]
    }


def test_a_table_and_signatures(miriam: Miriam, folder: Path) -> None:
    result = miriam("evaluate", "--hypothesis", "ours", "--references", "dev.0", "dev.1")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["metric", "system", "score"]
    assert [line.split()[:2] for line in lines[1:4]] == [
        ["BLEU", "ours"],
        ["chrF2", "ours"],
        ["TER", "ours"],
    ]
    assert [line.partition("|")[0] for line in lines[5:]] == ["BLEU", "chrF2", "TER"]
    assert "nrefs:2|case:mixed|eff:no|tok:13a" in lines[5]
    assert result.stderr == ""


def test_a_baseline_brings_intervals_and_probabilities(miriam: Miriam, folder: Path) -> None:
    args = ["--hypothesis", "ours", "--baseline", "theirs", "--references", "dev", "--metric=chrf"]
    (chrf,) = score(miriam, *args)["metrics"]
    baseline, ours = chrf["systems"].values()
    assert list(chrf["systems"]) == ["theirs", "ours"]
    assert baseline["p_bootstrap"] is baseline["p_randomisation"] is None
    assert 0 < ours["p_bootstrap"] <= 1
    assert 0 < ours["p_randomisation"] <= 1
    assert ours["interval"] >= 0
    lines = miriam("evaluate", *args).stdout.splitlines()
    assert lines[0].endswith("p (AR)   p (BS)")
    assert f"{ours['p_randomisation']:.4f}" in lines[2]
    assert any("against the first system, seed 12345" in line for line in lines)


def test_the_seed_decides(miriam: Miriam, folder: Path) -> None:
    args = ["--hypothesis", "ours", "--baseline", "theirs", "--references", "dev", "--metric=wer"]
    assert score(miriam, *args) == score(miriam, *args, "--seed", "12345")
    assert score(miriam, *args) != score(miriam, *args, "--seed", "7")


def test_options_with_many_values(miriam: Miriam, folder: Path) -> None:
    wanted = score(miriam, "--hypothesis", "ours", "theirs", "--references", "dev.0", "dev.1")
    assert wanted["lines"] == 3
    for args in (
        ["--hypothesis=ours", "theirs", "--references", "dev"],
        ["--references", "dev.0", "--hypothesis", "ours", "--references=dev.1", "--hypothesis",
         "theirs", "--metric", "bleu", "chrf,ter"],
    ):  # fmt: skip
        assert score(miriam, *args) == wanted


def test_standard_input(miriam: Miriam, folder: Path) -> None:
    result = miriam("evaluate", "--hypothesis", "-", "--references", "dev", stdin=HYPOTHESIS)
    plain = miriam("evaluate", "--hypothesis", "ours", "--references", "dev")
    assert result.stdout.replace("-   ", "ours") == plain.stdout
    message = miriam.fails(2, "evaluate", "--hypothesis", "-", "--references", "-")
    assert "only one" in message


def test_case_and_tokens(miriam: Miriam, folder: Path) -> None:
    args = ("--hypothesis", "ours", "--references", "dev", "--metric", "bleu", "ter", "wer")
    default, cased = scores(miriam, *args), scores(miriam, *args, "--cased")
    lower = scores(miriam, *args, "--lowercase")
    assert default["BLEU"] == cased["BLEU"] < lower["BLEU"]
    assert default["TER"] == lower["TER"] < cased["TER"]
    assert default["WER"] == cased["WER"] > lower["WER"]
    as_tokens = score(miriam, *args, "--tokens")
    assert "tok:none" in as_tokens["metrics"][0]["signature"]
    assert as_tokens == score(miriam, *args, "--tokenize", "none")


def test_rates(miriam: Miriam, folder: Path) -> None:
    args = ("--hypothesis", "ours", "--references", "dev", "--metric", "wer,cer,accuracy")
    found = scores(miriam, *args)
    assert found["WER"] == pytest.approx(100 * 3 / 10)
    assert found["CER"] == pytest.approx(100 * (1 + 2 + 1) / 36)
    assert found["accuracy"] == pytest.approx(100 / 3)


def test_help_names_every_metric(miriam: Miriam) -> None:
    shown = miriam("evaluate", "--help").stdout
    for kind in get_args(CorpusMetric):
        assert kind.__struct_config__.tag in shown


def test_crlf_and_an_empty_line_are_accepted(miriam: Miriam, folder: Path) -> None:
    plain = score(miriam, "--hypothesis", "ours", "--references", "dev.0")
    Path("ours").write_bytes(HYPOTHESIS.replace("\n", "\r\n").encode())
    assert score(miriam, "--hypothesis", "ours", "--references", "dev.0") == plain
    Path("ours").write_text("\n\n\n")
    assert scores(miriam, "--hypothesis", "ours", "--references", "dev.0")["BLEU"] == 0


@pytest.mark.parametrize(
    ("bad", "line", "message"),
    [
        ("ours", b"\xff b", "not UTF-8 at byte 1"),
        ("dev.1", b"\xff b", "not UTF-8 at byte 1"),
        ("ours", b"a\0b", "the character U+0000"),
        ("dev.0", b"a\rb", "the character U+000D"),
        ("ours", "a\u2028b".encode(), "the character U+2028"),
        ("dev.1", b"x" * 1_000_000, "a line of a megabyte or more"),
    ],
    ids=["utf-8", "utf-8 of a reference", "nul", "cr", "line separator", "megabyte"],
)
def test_a_bad_line_is_refused_or_left_out(
    miriam: Miriam, folder: Path, bad: str, line: bytes, message: str
) -> None:
    args = ["evaluate", "--hypothesis", "ours", "--references", "dev", "--metric", "wer"]
    Path(bad).write_bytes(b"a\n" + line + b"\nb\n")
    assert f"{bad}, line 2: {message}" in miriam.fails(1, *args)
    result = miriam(*args, "--on-bad", "skip", "--json")
    assert result.stderr == "miriam: bad lines left out: 1\n"
    assert json.loads(result.stdout)["lines"] == 2
    assert json.loads(result.stdout)["bad_lines"] == 1


def test_files_that_cannot_be(miriam: Miriam, folder: Path) -> None:
    def fails(hypothesis: str, *more: str) -> str:
        return miriam.fails(
            1, "evaluate", "--hypothesis", hypothesis, "--references", "dev.0", *more
        )

    Path("short").write_text("a\n")
    assert "short has 1, dev.0 has 3" in fails("short")
    Path("empty").write_text("")
    assert "empty has 0, dev.0 has 3" in fails("empty")
    Path("dev.0").write_text("")
    assert fails("empty") == "empty: the file is empty"
    Path("folder").mkdir()
    assert fails("folder") == "folder: a directory, where a file is needed"
    assert fails("missing") == "missing: no such file or directory"
    message = miriam.fails(1, "evaluate", "--hypothesis", "ours", "--references", "missing")
    assert message == "missing: no such file, and no missing.0 either"
    Path("cut.gz").write_bytes(gzip.compress(HYPOTHESIS.encode())[:-9])
    assert "cut.gz: the compressed data ends early" in fails("cut.gz")
    Path("dev.0").write_bytes(b"\xff\n")
    Path("short").write_text("a\n")
    skipped = miriam("evaluate", "--hypothesis=short", "--references=dev.0", "--on-bad=skip")
    assert skipped.returncode == 1
    assert "short: no line is left" in skipped.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--metric", "blue"], "--metric 'blue': not known; did you mean 'bleu'?"),
        (["--tokenize", "31a"], "--tokenize '31a': not known; did you mean '13a'?"),
        (["--hypothesis", "--json"], "'--hypothesis' needs one or more values"),
        (["--metric"], "'--metric' needs one or more values"),
        (["--json", "ours"], "unexpected extra argument"),
        (["--hypothesis", "ours"], "names a file twice"),
        (["--baseline", "ours"], "no system but the baseline"),
        (["--seed", "0"], "'--seed'"),
        (["--metrics", "bleu"], "--metrics"),
    ],
)
def test_a_wrong_call(miriam: Miriam, folder: Path, args: list[str], message: str) -> None:
    call = ["evaluate", "--hypothesis", "ours", "--references", "dev", *args]
    assert message in miriam.fails(2, *call)


@pytest.mark.skipif(find_spec("MeCab") is not None, reason="the tokeniser is installed")
def test_a_tokeniser_that_is_not_installed(miriam: Miriam, folder: Path) -> None:
    call = ["evaluate", "--hypothesis", "ours", "--references", "dev", "--tokenize", "ja-mecab"]
    assert "the tokeniser 'ja-mecab' cannot be used" in miriam.fails(2, *call)


def test_help_imports_nothing_heavy() -> None:
    code = "import sys, miriam.cli.evaluate; print({'numpy', 'sacrebleu', 'rich'} & {*sys.modules})"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "set()\n"


def test_kinds_of_words_are_scored_apart(miriam: Miriam, tmp_path: Path) -> None:
    texts = {"old": "vnd\nin\njm\n", "ours": "und\nin\njm\n", "right": "und\nin\nim\n",
             "pairs": "Vnd\tund\n"}  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    options = ["evaluate", "--metric", "accuracy", "cer", "--hypothesis", tmp_path / "ours",
               "--references", tmp_path / "right", "--source", tmp_path / "old"]  # fmt: skip
    result = miriam(*options, "--pairs", tmp_path / "pairs", "--json")
    scores = {
        metric["metric"]: next(iter(metric["systems"].values()))["score"]
        for metric in json.loads(result.stdout)["metrics"]
    }
    assert scores["accuracy, known: 1"] == scores["accuracy, unchanged: 1"] == 100
    assert scores["accuracy, unknown: 2"] == scores["accuracy, changed: 2"] == 50
    assert scores["CER, changed: 2"] == pytest.approx(20)
    tested = miriam(*options, "--baseline", tmp_path / "old")
    assert "accuracy, changed: 2" in tested.stdout
    assert "p (AR)" in tested.stdout
    assert tested.stdout.count("CER|") == 1
    assert "--pairs needs --source" in miriam.fails(
        2, "evaluate", "--hypothesis", tmp_path / "ours", "--references", tmp_path / "right",
        "--pairs", tmp_path / "pairs",
    )  # fmt: skip
