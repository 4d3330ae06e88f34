"""`miriam align`: it aligns, saves and re-uses an aligner, and refuses what it cannot use."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import Miriam
from oracles.languages import blocks


@pytest.fixture
def bitext(tmp_path: Path) -> tuple[Path, Path]:
    pairs = blocks(np.random.default_rng(2), 60, words=30)
    source, target = tmp_path / "train.s", tmp_path / "train.t"
    source.write_text("".join(" ".join(s) + "\n" for s, _, _ in pairs))
    target.write_text("".join(" ".join(t) + "\n" for _, t, _ in pairs))
    return source, target


def arguments(source: Path, target: Path, out: Path | str) -> list[object]:
    return ["align", "--source", source, "--target", target, "--out", out]


@pytest.mark.parametrize("model", ["hmm", "fast", "ibm1"])
def test_a_saved_aligner_gives_the_same_links(
    miriam: Miriam, tmp_path: Path, bitext: tuple[Path, Path], model: str
) -> None:
    out, saved = tmp_path / "aligned", tmp_path / "aligner"
    result = miriam(*arguments(*bitext, out), "--model", model, "--save", saved)
    assert result.returncode == 0, result.stderr
    assert f"60 sentence pairs, {len(out.read_text().split()):,} links" in result.stderr
    again = miriam(*arguments(*bitext, "-"), "--aligner", saved)
    assert again.stdout == out.read_text()
    union = miriam(*arguments(*bitext, "-"), "--aligner", saved, "--symmetrise", "union")
    assert set(again.stdout.split()) <= set(union.stdout.split())


def test_progress_is_a_line_a_step(miriam: Miriam, bitext: tuple[Path, Path]) -> None:
    result = miriam(*arguments(*bitext, "-"), "--set", "model.iterations=2")
    steps = [line.rpartition(":")[0] for line in result.stderr.splitlines()]
    assert steps[-4:-1] == ["HMM, iteration 1 of 2", "HMM, iteration 2 of 2", "align"]
    assert result.stdout.count("\n") == 60


def test_settings_come_from_a_file(
    miriam: Miriam, tmp_path: Path, bitext: tuple[Path, Path]
) -> None:
    (tmp_path / "c.toml").write_text('symmetrise = "union"\n[model]\nkind = "fast"\nalpha = 0.1\n')
    given = miriam(*arguments(*bitext, "-"), "--config", tmp_path / "c.toml")
    options = ["--model", "fast", "--symmetrise", "union", "--set", "model.alpha=0.1"]
    assert given.stdout == miriam(*arguments(*bitext, "-"), *options).stdout


def test_lines_stay_in_step_where_a_side_is_empty_or_long(miriam: Miriam, tmp_path: Path) -> None:
    source, target, out = tmp_path / "s", tmp_path / "t", tmp_path / "aligned"
    source.write_text("a b\n\na b\n" + "a " * 1001 + "\na\n")
    target.write_text("x y\nx\n  \nx\nx\n")
    result = miriam(*arguments(source, target, out))
    lines = out.read_text().split("\n")
    assert len(lines) == 6
    assert lines[1:4] == ["", "", ""]
    assert lines[4] == "0-0"
    assert "2 pairs have none, because a side is empty" in result.stderr
    assert "1 pairs have none, because a side has over 1,000 words" in result.stderr


def test_a_sentence_of_a_thousand_words(miriam: Miriam, tmp_path: Path) -> None:
    path, words = tmp_path / "long", [f"w{n}" for n in range(1000)]
    lines = [words, *(words[n : n + 5] for n in range(0, 996, 2))]
    path.write_text("".join(" ".join(line) + "\n" for line in lines))
    result = miriam(*arguments(path, path, "-"))
    assert result.stdout.splitlines()[0].split() == [f"{n}-{n}" for n in range(1000)]


def test_files_of_different_length(miriam: Miriam, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a\nb\nc\n")
    (tmp_path / "t").write_text("x\ny\n")
    message = miriam.fails(1, *arguments(tmp_path / "s", tmp_path / "t", tmp_path / "out"))
    assert "s has 3" in message
    assert "t has 2" in message
    assert sorted(p.name for p in tmp_path.iterdir()) == ["s", "t"]


def test_bad_utf8(miriam: Miriam, tmp_path: Path, bitext: tuple[Path, Path]) -> None:
    (tmp_path / "bad").write_bytes(b"a\n" * 30 + b"\xff\n" + b"a\n" * 29)
    message = miriam.fails(1, *arguments(bitext[0], tmp_path / "bad", tmp_path / "out"))
    assert "bad, line 31: not UTF-8 at byte 1" in message
    assert not (tmp_path / "out").exists()


def test_an_empty_file(miriam: Miriam, tmp_path: Path) -> None:
    (tmp_path / "none").write_text("")
    message = miriam.fails(1, *arguments(tmp_path / "none", tmp_path / "none", tmp_path / "out"))
    assert message.endswith("none: no sentence pair to learn from has words on both sides")
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_written_is_said_before_training(
    miriam: Miriam, tmp_path: Path, bitext: tuple[Path, Path]
) -> None:
    assert "there is no folder" in miriam.fails(1, *arguments(*bitext, tmp_path / "no" / "out"))
    assert "a directory" in miriam.fails(1, *arguments(*bitext, tmp_path))
    message = miriam.fails(1, *arguments(*bitext, tmp_path / "o"), "--save", tmp_path / "no" / "a")
    assert "its folder does not exist" in message
    assert not (tmp_path / "o").exists()


def test_an_aligner_that_is_none(miriam: Miriam, tmp_path: Path, bitext: tuple[Path, Path]) -> None:
    call = arguments(*bitext, tmp_path / "out")
    assert "no such file" in miriam.fails(1, *call, "--aligner", tmp_path / "none")
    assert "not a table of Miriam's" in miriam.fails(1, *call, "--aligner", bitext[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "ibm5"], "'ibm5' is not one of"),
        (["--symmetrise", "grow-final"], "'grow-final' is not one of"),
        (["--set", "model.iteration=3"], "did you mean 'iterations'?"),
        (["--set", "model.null=1.5"], "model.null = 1.5"),
        (["--aligner", "a", "--model", "fast"], "--aligner goes without --model"),
        (["--threads", "0"], "0 is not in the range"),
    ],
)
def test_wrong_calls(
    miriam: Miriam, tmp_path: Path, bitext: tuple[Path, Path], options: list[str], message: str
) -> None:
    assert message in miriam.fails(2, *arguments(*bitext, tmp_path / "out"), *options)
    assert not (tmp_path / "out").exists()


def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("a b c d e f g h i j k l m n o p\n" * 3000)  # an iteration takes a while
    call = [*arguments(text, text, tmp_path / "out"), "--save", tmp_path / "aligner"]
    with subprocess.Popen(
        [sys.executable, "-m", "miriam", *map(str, call), "--set", "model.iterations=1000"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    ) as process:
        assert process.stderr
        for line in process.stderr:
            if line.startswith("HMM"):
                break
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        assert process.wait() == 1
    assert rest.splitlines()[-1].startswith("miriam: interrupted")
    assert list(tmp_path.iterdir()) == [text]
