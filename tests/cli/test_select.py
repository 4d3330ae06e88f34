"""`miriam select`: what it chooses, and calls that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Miriam

POOL = ["the cat sat", "stocks fell", "the court ruled", "the court sat", "cats sleep"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "all.de").write_text("\n".join(POOL) + "\n")
    (tmp_path / "all.en").write_text("\n".join(line.upper() for line in POOL) + "\n")
    (tmp_path / "law").write_text("the court ruled\n")
    (tmp_path / "money").write_text("stocks rose\n")
    return tmp_path


def test_it_writes_the_chosen_pairs_and_their_numbers(miriam: Miriam, files: Path) -> None:
    result = miriam(
        "select", "--source", "all.de", "--target", "all.en", "--in-domain", "law", "--count", 2,
        "--out-source", "law.de", "--out-target", "law.en", "--out-lines", "lines", cwd=files,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "law: 2 of 5 lines\n" in result.stderr
    assert (files / "law.de").read_text() == "the court ruled\nthe court sat\n"
    assert (files / "law.en").read_text() == "THE COURT RULED\nTHE COURT SAT\n"
    assert (files / "lines").read_text() == "3\n4\n"


def test_it_labels_the_lines_of_several_domains(miriam: Miriam, files: Path) -> None:
    result = miriam(
        "select", "--source", "all.de", "--in-domain", "law=law", "--in-domain", "money=money",
        "--out-domains", "labels", cwd=files,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "money: 1 of 5 lines; no other has a word of it" in result.stderr
    assert (files / "labels").read_text() == "law\nmoney\nlaw\nlaw\n\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "nowhere to write to"),
        (["--out-target", "x"], "--out-target needs --target"),
        (["--out-domains", "x"], "--out-domains needs a name for each text"),
        (["--out-lines", "x", "--in-domain", "a=law"], "several texts are for --out-domains alone"),
    ],
)
def test_wrong_calls(miriam: Miriam, files: Path, args: list[str], message: str) -> None:
    call = ["select", "--source", files / "all.de", "--in-domain", files / "law", *args]
    assert message in miriam.fails(2, *call)
