"""`miriam extract`, `rules show` and `export`: their work, and their one sentence when it fails."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from miriam.rules.table import TABLE_NAME, RuleTable

if TYPE_CHECKING:
    from conftest import Miriam

SOURCE = "ein hund läuft .\nder hund schläft .\nein roter hund .\n"
TARGET = "a dog runs .\nthe dog sleeps .\na red dog .\n"
LINKS = "0-0 1-1 2-2 3-3\n0-0 1-1 2-2 3-3\n0-0 1-1 2-2 3-3\n"


@pytest.fixture
def corpus(tmp_path: Path) -> list[str]:
    return options(tmp_path, SOURCE, TARGET, LINKS)


def options(folder: Path, source: str, target: str, links: str) -> list[str]:
    """The options of a call with these files."""
    made = []
    for name, text in {"source": source, "target": target, "alignment": links}.items():
        (folder / name).write_text(text, encoding="utf-8")
        made += [f"--{name}", str(folder / name)]
    return [*made, "--out", str(folder / "out")]


def clean(folder: Path) -> bool:
    """Whether a failed call left nothing but its input."""
    return {path.name for path in folder.iterdir()} <= {"source", "target", "alignment", "domains"}


def test_extract_show_and_export(miriam: Miriam, corpus: list[str], tmp_path: Path) -> None:
    result = miriam("extract", *corpus)
    assert (result.returncode, result.stdout) == (0, "")
    assert "rules of" in result.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == [TABLE_NAME]
    shown = miriam("rules", "show", tmp_path / "out", "ein hund")
    assert "a dog" in shown.stdout
    assert "0-0 1-1" in shown.stdout
    (rule,) = json.loads(miriam("rules", "show", tmp_path / "out", "ein hund", "--json").stdout)
    assert (rule["target"], rule["links"], rule["count"]) == ("a dog", [[0, 0], [1, 1]], 1)
    assert miriam("export", tmp_path / "out", "--out", tmp_path / "moses").returncode == 0
    assert (tmp_path / "moses" / "phrase-table.gz").exists()


def test_domains_and_settings(miriam: Miriam, corpus: list[str], tmp_path: Path) -> None:
    (tmp_path / "domains").write_text("news\n\nlaw news\n")
    result = miriam(
        "extract", *corpus, "--domains", tmp_path / "domains", "--max-length", 2,
        "--set", 'orientations=["wbe-msd"]',
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    table = RuleTable.open(tmp_path / "out")
    assert {rule.source: rule.domains for rule in table}["ein"] == ("news", "law")
    assert table.lookup("der hund")[0].domains == ()
    assert not table.lookup("der hund schläft")
    assert table.score_names[6] == "wbe-msd.previous.monotone"


def test_unchanged_shards_are_used_again(miriam: Miriam, corpus: list[str], tmp_path: Path) -> None:
    work = ["--work", str(tmp_path / "work")]
    assert miriam("extract", *corpus, *work).returncode == 0
    first = (tmp_path / "out" / TABLE_NAME).read_bytes()
    runs = {path: path.stat().st_mtime_ns for path in (tmp_path / "work").iterdir()}
    assert sorted(path.suffix for path in runs) == [".run", ".shard"]
    assert miriam("extract", *corpus, *work).returncode == 0
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "work").iterdir()} == runs
    assert (tmp_path / "out" / TABLE_NAME).read_bytes() == first


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ("0-0\n0-4\n0-0\n", "alignment, line 2: the point 0-4 lies outside its sentence pair"),
        ("0-0\n0:0\n0-0\n", "alignment, line 2: expected points such as 0-2, found '0:0'"),
        ("0-0\n0-0\n", "alignment has 2"),
    ],
)
def test_bad_links(miriam: Miriam, links: str, message: str, tmp_path: Path) -> None:
    corpus = options(tmp_path, SOURCE, TARGET, links)
    assert message in miriam.fails(1, "extract", *corpus)
    assert clean(tmp_path)


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_line_without_tokens(miriam: Miriam, side: str, tmp_path: Path) -> None:
    texts = {"source": SOURCE, "target": TARGET}
    lines = texts[side].split("\n")
    texts[side] = "\n".join([lines[0], " ", *lines[2:]])
    corpus = options(tmp_path, texts["source"], texts["target"], "0-0\n\n0-0\n")
    assert f"{side}, line 2: a line without tokens" in miriam.fails(1, "extract", *corpus)
    assert clean(tmp_path)
    skipped = miriam("extract", *corpus, "--on-bad", "skip")
    assert skipped.returncode == 0
    assert "1 lines could not be used" in skipped.stderr
    assert RuleTable.open(tmp_path / "out").lookup("ein")[0].count == 2


def test_lines_are_counted_right_after_others_were_skipped(miriam: Miriam, tmp_path: Path) -> None:
    corpus = options(tmp_path, "a\n\nb\x0b\nc\n", "x\ny\nz\nw\n", "0-0\n\n0-0\n0-0 7-7\n")
    skipped = miriam("extract", *corpus, "--on-bad", "skip")
    assert skipped.returncode == 0
    assert "3 lines could not be used" in skipped.stderr
    (tmp_path / "source").write_text("a\nd\nb\nc\n")
    assert "alignment, line 4: the point 7-7" in miriam.fails(1, "extract", *corpus)


def test_a_sentence_of_a_thousand_words_is_taken(miriam: Miriam, tmp_path: Path) -> None:
    words = " ".join(f"w{i}" for i in range(1000))
    links = " ".join(f"{i}-{i}" for i in range(1000))
    corpus = options(tmp_path, f"{words}\n", f"{words}\n", f"{links}\n")
    assert miriam("extract", *corpus).returncode == 0
    assert len(RuleTable.open(tmp_path / "out")) == sum(1000 - n for n in range(7))


def test_a_sentence_of_five_thousand_words_is_refused(miriam: Miriam, tmp_path: Path) -> None:
    target = TARGET.replace("the dog sleeps .", "w " * 5000)
    corpus = options(tmp_path, SOURCE, target, LINKS)
    message = miriam.fails(1, "extract", *corpus)
    assert "target, line 2: a sentence of 5,000 words; at most 4,000 are taken" in message
    assert clean(tmp_path)


def test_calls_that_are_wrong(miriam: Miriam, corpus: list[str], tmp_path: Path) -> None:
    assert "max_length = 16" in miriam.fails(2, "extract", *corpus, "--max-length", "16")
    assert "'lots' is no size" in miriam.fails(2, "extract", *corpus, "--memory", "lots")
    assert "orientations" in miriam.fails(2, "extract", *corpus, "--set", 'orientations=["msd"]')
    assert "no such file" in miriam.fails(1, "extract", *corpus, "--source", tmp_path / "none")
    assert clean(tmp_path)
    (tmp_path / "out").write_text("")
    assert "a file, where a folder" in miriam.fails(1, "extract", *corpus)


def test_damaged_tables(miriam: Miriam, corpus: list[str], tmp_path: Path) -> None:
    assert "there is no rule table" in miriam.fails(1, "rules", "show", tmp_path, "ein")
    miriam("extract", *corpus)
    table = tmp_path / "out" / TABLE_NAME
    whole = table.read_bytes()
    table.write_bytes(whole[:-64])
    assert "it was cut short or damaged" in miriam.fails(1, "rules", "show", table, "ein")
    table.write_bytes(whole.replace(b'"version":"1"', b'"version":"9"'))
    message = miriam.fails(1, "export", tmp_path / "out", "--out", tmp_path / "moses")
    assert "rules format version 9, and this Miriam reads version 1" in message
    assert not (tmp_path / "moses").exists()


def test_phrases_without_rules(miriam: Miriam, corpus: list[str], tmp_path: Path) -> None:
    miriam("extract", *corpus)
    message = miriam.fails(1, "rules", "show", tmp_path / "out", "ein hut")
    assert "no rule has the source phrase 'ein hut'; the corpus has no 'hut'" in message
    assert json.loads(miriam("rules", "show", tmp_path / "out", "x", "--json").stdout) == []


def test_a_disk_that_fills_up(corpus: list[str], tmp_path: Path) -> None:
    """A limit on the size of files stands for the end of the disk; it is met at any write."""
    for blocks in (0, 1, 4, 8):
        command = f'ulimit -f {blocks}; exec "$@"'
        result = subprocess.run(
            ["/bin/sh", "-c", command, "sh", sys.executable, "-m", "miriam", "extract", *corpus],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        assert (result.returncode, result.stderr.count("\n")) == (1, 1), result.stderr
        assert "file too large" in result.stderr
        assert clean(tmp_path)


def test_interrupted(corpus: list[str], tmp_path: Path) -> None:
    corpus[corpus.index("--source") + 1] = "-"
    process = subprocess.Popen(
        [sys.executable, "-m", "miriam", "extract", *corpus],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    process.stdin.write(SOURCE[:10])  # and no end: it waits, its temporary folder made
    process.stdin.flush()
    while not (tmp_path / "out").exists() or not any((tmp_path / "out").iterdir()):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate()
    assert process.returncode == 1
    assert message.strip() == "miriam: interrupted; no output file was left half-written"
    assert clean(tmp_path)


def test_hierarchical_rules(miriam: Miriam, corpus: list[str], tmp_path: Path) -> None:
    result = miriam("extract", *corpus, "--hierarchical", "--set", "max_symbols=3")
    assert (result.returncode, result.stdout) == (0, "")
    (rule,) = json.loads(
        miriam("rules", "show", tmp_path / "out", "[X,1] hund [X,2]", "--json").stdout
    )
    assert (rule["target"], rule["links"]) == ("[X,1] dog [X,2]", [[1, 1]])
    assert list(rule["scores"])[:4] == ["phi(f|e)", "lex(f|e)", "phi(e|f)", "lex(e|f)"]
    assert "phi(e|f)" in miriam("rules", "show", tmp_path / "out", "[X,1] hund [X,2]").stdout
    message = miriam.fails(2, "extract", *corpus, "--hierarchical", "--set", "max_gaps=3")
    assert "max_gaps = 3" in message
    message = miriam.fails(2, "extract", *corpus, "--hierarchical", "--max-length", "16")
    assert "max_length = 16" in message


def test_grammars_are_written(miriam: Miriam, corpus: list[str], tmp_path: Path) -> None:
    miriam("extract", *corpus, "--hierarchical")
    out, made = tmp_path / "out", tmp_path / "made"
    for notation, name in {"moses": "rule-table.gz", "cdec": "grammar.gz"}.items():
        assert miriam("export", out, "--format", notation, "--out", made).returncode == 0
        assert miriam("rules", "import", made / name, "--out", tmp_path / notation).returncode == 0
        assert len(RuleTable.open(tmp_path / notation)) == len(RuleTable.open(out))
    (tmp_path / "text").write_text("ein hund\nder hund .\n")
    options = ["export", out, "--out", tmp_path / "cdec", "--text", tmp_path / "text"]
    assert "2 grammars" in miriam(*options, "--format", "cdec", "--max-span", 3).stderr
    assert (tmp_path / "cdec" / "grammar.1.gz").exists()
    assert "give --format cdec" in miriam.fails(2, *options)
    miriam("extract", *corpus)
    assert "holds phrases" in miriam.fails(2, "export", out, "--format", "cdec", "--out", made)


def test_rules_are_filtered(miriam: Miriam, corpus: list[str], tmp_path: Path) -> None:
    miriam("extract", *corpus, "--hierarchical")
    out, small, text = (tmp_path / name for name in ("out", "small", "text"))
    text.write_text("kein hund rennt schnell .\n")
    options = ["rules", "filter", out, "--out", small]
    result = miriam(*options, "--text", text, "--max-span", 3, "--best", 1)
    assert (result.returncode, result.stdout) == (0, "")
    assert {r.source for r in RuleTable.open(small)} == {
        "hund", ".", "hund [X,1]", "[X,1] hund", "[X,1] hund [X,2]", "[X,1] .",
    }  # fmt: skip
    assert "nothing to filter by" in miriam.fails(2, *options)
    assert "the table has no score 'x'" in miriam.fails(2, *options, "--best", 1, "--score", "x")
    assert "no such file" in miriam.fails(1, *options, "--text", tmp_path / "none")


@pytest.mark.parametrize(("side", "gap"), [("source", "[X,1]"), ("target", "[X,2]")])
def test_text_with_the_word_for_a_gap(miriam: Miriam, side: str, gap: str, tmp_path: Path) -> None:
    texts = {"source": SOURCE, "target": TARGET}
    texts[side] = texts[side].replace("dog", gap, 1).replace("hund", gap, 1)
    corpus = options(tmp_path, texts["source"], texts["target"], LINKS)
    message = miriam.fails(1, "extract", *corpus, "--hierarchical")
    assert f"{side}, line 1: the word {gap} stands for a gap in hierarchical rules" in message
    assert clean(tmp_path)
    skipped = miriam("extract", *corpus, "--hierarchical", "--on-bad", "skip")
    assert "1 lines could not be used" in skipped.stderr
    assert miriam("extract", *corpus).returncode == 0  # a word like any other in phrases


def test_grammars_are_read(miriam: Miriam, tmp_path: Path) -> None:
    grammar = tmp_path / "grammar"
    grammar.write_text("[X] ||| der [X,1] ||| the [1] ||| EgivenF=0.3 ||| 0-0\n")
    read = miriam("rules", "import", grammar, "--out", tmp_path / "table")
    assert (read.returncode, read.stdout) == (0, "")
    assert "1 rules of 1 source phrases" in read.stderr
    assert "the [X,1]" in miriam("rules", "show", tmp_path / "table", "der [X,1]").stdout
    with grammar.open("a") as file:
        file.write("[X] ||| der [Y,1] ||| the [1] ||| EgivenF=0.3 ||| 0-0\n")
    message = miriam.fails(1, "rules", "import", grammar, "--out", tmp_path / "other")
    assert "grammar, line 2: the non-terminal [Y,1] is not known" in message
    assert not (tmp_path / "other").exists()
    some = miriam("rules", "import", grammar, "--out", tmp_path / "other", "--on-bad", "skip")
    assert "1 lines could not be used and were left out" in some.stderr
    assert "Missing argument" in miriam.fails(2, "rules", "import", "--out", tmp_path / "x")
