"""Hierarchical translation as people meet it: grammars that are wrong, sentences of any length."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from conftest import Miriam
from toy_model import write_text

GOOD = "[X] ||| der [X,1] ||| the [1] ||| EgivenF=0.3 ||| 0-0\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "[X] ||| [X,1] ||| [1] ||| EgivenF=1 ||| 0-0\n",
            "line 2: a source side that is but a gap",
        ),
        (
            "[X] ||| ein [NP,1] ||| a [1] ||| EgivenF=1 ||| 0-0\n",
            "line 2: the non-terminal [NP,1] is not",
        ),
        ("[S] ||| ein ||| a ||| EgivenF=1 ||| 0-0\n", "line 2: the non-terminal [S] is not"),
        ("[X] ||| ein [X,1] ||| a ||| EgivenF=1 ||| 0-0\n", "line 2: the gaps do not pair up"),
        ("[X] ||| ein [X,1] ||| a [2] ||| EgivenF=1 ||| 0-0\n", "line 2: the gaps do not pair up"),
        ("[X] ||| ein [X,1", "line 2: "),
    ],
)
def test_a_bad_grammar_is_named_by_its_line(
    miriam: Miriam, tmp_path: Path, line: str, message: str
) -> None:
    (tmp_path / "grammar").write_text(GOOD + line)
    told = miriam.fails(1, "rules", "import", tmp_path / "grammar", "--out", tmp_path / "table")
    assert f"grammar, {message}" in told
    assert [path.name for path in tmp_path.iterdir()] == ["grammar"]


def test_a_grammar_cut_short(miriam: Miriam, tmp_path: Path) -> None:
    whole = gzip.compress((GOOD + GOOD.replace("der", "die")).encode())
    (tmp_path / "grammar.gz").write_bytes(whole[:-12])
    told = miriam.fails(1, "rules", "import", tmp_path / "grammar.gz", "--out", tmp_path / "table")
    assert "the compressed data ends early" in told
    assert not (tmp_path / "table").exists()


def test_empty_sentences_and_those_beyond_the_span(miriam: Miriam, tmp_path: Path) -> None:
    source, target = write_text(tmp_path)
    trained = miriam("train", "--source", source, "--target", target, "--out", tmp_path / "m",
                     "--preset", "hierarchical", "--no-tune")  # fmt: skip
    assert trained.returncode == 0, trained.stderr
    sentence = "Der Hund sieht einen Ball . "
    text = f"\n{sentence}\n\n{sentence * 90}\n"
    model = ["--model", tmp_path / "m", "--tokens", "--set", "search.pops=20"]
    result = miriam("translate", *model, stdin=text)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert [lines[0], lines[2]] == ["", ""]
    assert lines[1] == "The dog sees a ball ."
    assert len(lines[3].split()) == 540
    nbest = miriam("translate", *model, "--nbest", "2", stdin=f"{sentence * 4}\n").stdout
    assert "Glue= -" in nbest, "no rule reaches over 24 words"
    assert "no words to explain" in miriam.fails(1, "explain", "--model", tmp_path / "m", " ")
