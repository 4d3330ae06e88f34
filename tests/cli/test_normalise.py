"""`miriam train --preset characters` and `miriam normalise`, as a historian uses them."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import ROOT, Miriam

FILES = ROOT / "tests" / "docs" / "files"
TRAIN = ["train", "--preset", "characters", "--pairs", FILES / "spellings.tsv"]
MODERN = ["--modern", FILES / "words.en"]
LETTER = FILES / "letter.txt"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spelling") / "english"
    result = Miriam()(*TRAIN, *MODERN, "--out", folder)
    assert result.returncode == 0, result.stderr
    assert "149" in result.stdout
    return folder


def test_text_keeps_all_but_its_spelling(miriam: Miriam, model: Path) -> None:
    result = miriam("normalise", "--model", model, stdin="Vnto  the OLDE citie;\n\n\t(To morow)")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "Unto  the OLD city;\n\n\t(Tomorrow)\n"


def test_doubtful_words_are_marked_and_listed(miriam: Miriam, model: Path, tmp_path: Path) -> None:
    for name in ("review.tsv", "review.html"):
        result = miriam("normalise", "--model", model, "--mark", "--doubt", 0.9,
                        "--review", tmp_path / name, stdin=LETTER.read_text())  # fmt: skip
        assert result.returncode == 0, result.stderr
    assert "lanthorne" in LETTER.read_text()  # no example has taught that
    marked = [word for word in result.stdout.split() if "[?]" in word]
    heading, *rows = (tmp_path / "review.tsv").read_text().splitlines()
    assert f"doubtful words: {len(marked)} of 65" in result.stderr
    assert heading.split("\t")[:4] == ["word", "form", "confidence", "times"]
    assert sum(int(row.split("\t")[3]) for row in rows) == len(marked) > 0
    page = (tmp_path / "review.html").read_text()
    assert page.count("<tr><td") == len(rows)
    assert all(f">{row.split(chr(9))[0]}</td>" in page for row in rows)


def test_what_a_text_says_is_no_markup_of_the_page(
    miriam: Miriam, model: Path, tmp_path: Path
) -> None:
    miriam("normalise", "--model", model, "--doubt", 1, "--review", tmp_path / "r.html",
           stdin="<b>qvx<b> & <script>")  # fmt: skip
    page = (tmp_path / "r.html").read_text()
    assert "<script>" not in page
    assert "&lt;b&gt;" in page


def test_words_and_columns(miriam: Miriam, model: Path) -> None:
    words = miriam("normalise", "--model", model, "--input", "words", "--nbest", 2,
                   stdin="olde\n\nto morow\n")  # fmt: skip
    first, empty, last = words.stdout.splitlines()
    assert (first.split("\t")[:2], empty) == (["olde", "old"], "")
    assert [len(line.split("\t")) for line in (first, last)] == [5, 5]
    assert last.split("\t")[1] == "tomorrow"
    plain = miriam("normalise", "--model", model, "--input", "words", stdin="olde\nVP\n1611\n")
    assert plain.stdout == "old\nUP\n1611\n"
    columns = miriam("normalise", "--model", model, "--input", "columns", stdin="olde\tfol. 3\n")
    assert columns.stdout.startswith("olde\tfol. 3\told\t")


def test_threads_and_interruptions_do_not_change_the_model(
    miriam: Miriam, model: Path, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    for number in (1, 2):
        result = miriam(*TRAIN, *MODERN, "--out", tmp_path / f"m{number}", "--work", work,
                        "--threads", number)  # fmt: skip
        assert result.returncode == 0, result.stderr
        (work / "weights.done.json").unlink()
        (work / "part 2.done.json").unlink()
    manifests = [path / "manifest.json" for path in (model, tmp_path / "m1", tmp_path / "m2")]
    assert len({manifest.read_bytes() for manifest in manifests}) == 1


def test_capitals_are_spelling_where_modern_forms_have_any(miriam: Miriam, tmp_path: Path) -> None:
    lines = [f"hauß{i}\tHaus{i}\nvnd{i}\tund{i}\n" for i in range(15)]
    (tmp_path / "pairs.tsv").write_text("".join(lines), encoding="utf-8")
    miriam("train", "--preset", "characters", "--pairs", tmp_path / "pairs.tsv",
           "--out", tmp_path / "m", "--set", "folds=2")  # fmt: skip
    result = miriam("normalise", "--model", tmp_path / "m", stdin="vnd3 hauß3")
    assert result.stdout == "und3 Haus3\n"


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ("", "0 words with modern forms are too few"),
        ("vnd\tund\n" * 5, "5 words with modern forms are too few"),
        ("vnd\tund\n" * 30 + "vnd,und\n", "line 31: expected a word, a tab and its modern form"),
        ("vnd\tund\tx\n", "found 3 columns"),
        ("vnd\t\n", "'vnd' stands alone"),
        ("vnd\t" + "u" * 101 + "\n", "more than 100 characters"),
        (b"vnd\t\xfc\n", "line 1: not UTF-8"),
        ("vnd\tu\x01nd\n", "a control character"),
    ],
)
def test_tables_that_cannot_be_learnt_from(
    miriam: Miriam, tmp_path: Path, pairs: str | bytes, message: str
) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes(pairs if isinstance(pairs, bytes) else pairs.encode())
    result = miriam("train", "--preset", "characters", "--pairs", file, "--out", tmp_path / "m")
    assert result.returncode == 1
    assert message in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["train", "--preset", "characters", "--out", "m"], 2, "needs --pairs"),
        (["train", "--pairs", "p", "--out", "m"], 2, "goes with --preset characters"),
        ([*TRAIN, "--out", "m", "--source", "a.de"], 2, "--source does not go with"),
        ([*TRAIN, "--out", "m", "--set", "ordr=3"], 2, "did you mean 'order'?"),
        ([*TRAIN, "--out", "m", "--modern", "none"], 1, "none: not a file"),
        (["normalise", "--model", "none"], 1, "not a model"),
        (["normalise", "--model", "m", "--nbest", "2"], 2, "--input words or columns"),
    ],
)
def test_wrong_calls(
    miriam: Miriam, tmp_path: Path, arguments: list[object], status: int, message: str
) -> None:
    result = miriam(*arguments, cwd=tmp_path)
    assert result.returncode == status, result.stderr
    assert message in result.stderr.splitlines()[-1]


def test_odd_input(miriam: Miriam, model: Path) -> None:
    assert miriam("normalise", "--model", model, stdin="").stdout == ""
    long = "x" * 5000
    assert miriam("normalise", "--model", model, stdin=f"{long} 😀").stdout == f"{long} 😀\n"
    assert "line 1: not UTF-8" in miriam.fails(1, "normalise", "--model", model, stdin=b"\xff\n")


def test_a_damaged_model_is_refused(miriam: Miriam, model: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(model, copy)
    (copy / "pairs.tsv").write_text("vnd\tund\n")
    assert "pairs.tsv" in miriam.fails(1, "normalise", "--model", copy)
