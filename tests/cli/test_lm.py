"""`miriam lm`: the work it does, and how it fails."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest

from conftest import Miriam
from miriam.lm import LanguageModel

TEXT = "a b a c\na b\nb a b a\n"
CHARACTERS = "".join(
    " ".join(line) + "\n"
    for line in (
        "inthebeginning", "godcreatedthe", "heavenandthe", "earthandthe", "earthwaswithout",
        "formandvoidand", "darknesswasup", "onthefaceofthe", "deepandthespirit", "ofgodmoved",
    )
)  # fmt: skip


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text"
    path.write_text(TEXT)
    return path


@pytest.fixture
def arpa(miriam: Miriam, text: Path) -> Path:
    path = text.parent / "m.arpa"
    assert miriam("lm", "estimate", "--text", text, "--order", 3, "--out", path).returncode == 0
    return path


def test_estimate_convert_query(miriam: Miriam, arpa: Path) -> None:
    table = arpa.with_name("m.lm")
    again = arpa.with_name("again.arpa.gz")
    assert miriam("lm", "convert", "--lm", arpa, "--out", table).returncode == 0
    assert miriam("lm", "convert", "--lm", table, "--out", again).returncode == 0
    lines = sorted(arpa.read_text().splitlines())
    assert sorted(gzip.decompress(again.read_bytes()).decode().splitlines()) == lines
    results = [
        json.loads(miriam("lm", "query", "--lm", lm, "--json", stdin="a b\nx a\n").stdout)
        for lm in (arpa, table, again)
    ]
    assert results[0] == results[1] == results[2]
    assert (results[0]["lines"], results[0]["words"], results[0]["unknown"]) == (2, 4, 1)
    expected = math.exp(-results[0]["log_probability"] / 6)
    assert results[0]["perplexity"] == pytest.approx(expected)
    assert results[0]["perplexity_known"] < results[0]["perplexity"]
    assert list(arpa.parent.glob(".*")) == []


def test_query_shows_words(miriam: Miriam, arpa: Path) -> None:
    shown = miriam("lm", "query", "--lm", arpa, "--words", stdin="a x\n").stdout.splitlines()
    words = [line.split("\t") for line in shown[:3]]
    assert [(word, order) for word, order, _ in words] == [("a", "2"), ("x", "0"), ("</s>", "1")]
    total = sum(float(log) for _, _, log in words)
    assert total == pytest.approx(LanguageModel.load(arpa).score("a x"), abs=1e-5)
    assert shown[-2].split() == ["perplexity", f"{math.exp(-total / 3):,.4f}"]
    as_json = miriam("lm", "query", "--lm", arpa, "--words", "--json", stdin="a x\n").stdout
    rows = [json.loads(line) for line in as_json.splitlines()]
    assert [row.get("word") for row in rows] == ["a", "x", "</s>", None]


def test_query_by_classes(miriam: Miriam, text: Path, arpa: Path) -> None:
    classes = text.with_name("classes")
    classes.write_text("dog a\ncat b\n")
    args = ("lm", "query", "--lm", arpa, "--json")
    by_class = json.loads(miriam(*args, "--classes", classes, stdin="dog cat\n").stdout)
    assert by_class == json.loads(miriam(*args, stdin="a b\n").stdout)
    classes.write_text("dog\n")
    message = miriam.fails(1, *args, "--classes", classes)
    assert "line 1: expected a word and its class, found 'dog'" in message


def test_same_bytes_with_any_threads_and_memory(miriam: Miriam, tmp_path: Path) -> None:
    text = tmp_path / "text"
    words = [f"w{(i * i * 7919 + i * 31) % 971}" for i in range(300_000)]
    text.write_text("".join(" ".join(words[i : i + 20]) + "\n" for i in range(0, len(words), 20)))
    models = []
    for threads, memory in ((1, "16M"), (2, "16M"), (3, "2G")):
        out = tmp_path / f"{threads}.arpa"
        done = miriam(
            "lm", "estimate", "--text", text, "--order", 4, "--out", out,
            "--threads", threads, "--memory", memory,
        )  # fmt: skip
        assert done.returncode == 0
        models.append(out.read_bytes())
    assert models[0] == models[1] == models[2]


@pytest.mark.parametrize("order", [1, 10])
def test_ten_lines_of_characters_give_a_proper_model(
    miriam: Miriam, tmp_path: Path, order: int
) -> None:
    out = tmp_path / "m.lm"
    done = miriam("lm", "estimate", "--text", "-", "--order", order, "--out", out, stdin=CHARACTERS)
    assert done.returncode == 0
    assert done.stderr.count("no Kneser-Ney discounts") == (order > 1)
    model = LanguageModel.load(out)
    state = model.native.begin()
    for character in "inthe":
        predicted = [i for i in range(len(model.vocabulary)) if i != 1]
        total = sum(math.exp(model.native.score(state, i)[0]) for i in predicted)
        assert total == pytest.approx(1, abs=1e-5)
        _, state = model.native.score(state, model.vocabulary.find(character) or 0)


def test_pruning_and_vocabulary(miriam: Miriam, text: Path) -> None:
    out = text.with_name("m.arpa")
    args = ("lm", "estimate", "--text", text, "--order", 2, "--out", out)
    assert miriam(*args, "--prune", "0 1").returncode == 0
    assert "\tb c\n" not in out.read_text()
    assert miriam(*args, "--vocabulary", 2).returncode == 0
    assert LanguageModel.load(out).vocabulary.find("c") is None
    words = text.with_name("words")
    words.write_text("a\nc\n")
    assert miriam(*args, "--vocabulary", words).returncode == 0
    assert LanguageModel.load(out).vocabulary.find("b") is None


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_text_without_words(miriam: Miriam, tmp_path: Path, content: str) -> None:
    text, out = tmp_path / "text", tmp_path / "m.arpa"
    text.write_text(content)
    message = miriam.fails(1, "lm", "estimate", "--text", text, "--out", out)
    assert message == f"{text}: no words to learn from"
    assert not out.exists()


def test_a_single_word(miriam: Miriam, tmp_path: Path) -> None:
    out = tmp_path / "m.arpa"
    assert miriam("lm", "estimate", "--text", "-", "--out", out, stdin="a\n").returncode == 0
    model = LanguageModel.load(out)
    assert model.counts[0] == 4
    assert model.score("a") > model.score("b")


def test_a_line_of_many_words(miriam: Miriam, tmp_path: Path) -> None:
    text, out = tmp_path / "text", tmp_path / "m.lm"
    text.write_text("a b c d e " * 20_000 + "\n")
    assert miriam("lm", "estimate", "--text", text, "--out", out).returncode == 0
    result = json.loads(miriam("lm", "query", "--lm", out, "--text", text, "--json").stdout)
    assert result["words"] == 100_000
    assert 1 < result["perplexity"] < 2


@pytest.mark.parametrize("token", ["<s>", "</s>", "<unk>"])
def test_words_that_models_use_themselves(miriam: Miriam, tmp_path: Path, token: str) -> None:
    text = tmp_path / "text"
    text.write_text(f"a b\na {token} b\n")
    message = miriam.fails(1, "lm", "estimate", "--text", text, "--out", tmp_path / "m.arpa")
    assert message.startswith(f"{text}, line 2: the token {token} means something")


def test_an_order_that_cannot_be(miriam: Miriam, text: Path) -> None:
    args = ("lm", "estimate", "--text", text, "--out", text.with_name("m.arpa"))
    for order in (0, 11):
        found = miriam.fails(2, *args, "--order", order)
        assert found == f"the order of a language model must be from 1 to 10, got {order}"
    found = miriam.fails(2, *args, "--memory", "many")
    assert found == "--memory many: expected a size such as 400M or 2G"
    assert miriam.fails(2, *args, "--prune", "a").startswith("--prune 'a': expected numbers")


def test_an_arpa_file_cut_in_the_middle(miriam: Miriam, arpa: Path) -> None:
    content = arpa.read_text()
    out = arpa.with_name("m.lm")
    arpa.write_text(content[: len(content) // 2])
    found = miriam.fails(1, "lm", "convert", "--lm", arpa, "--out", out)
    assert "line" in found
    assert not out.exists()


def test_a_missing_unknown_word_is_told_once(miriam: Miriam, arpa: Path) -> None:
    content = arpa.read_text()
    unknown = next(line for line in content.splitlines(keepends=True) if "<unk>" in line)
    arpa.write_text(content.replace(unknown, "").replace("ngram 1=6", "ngram 1=5"))
    out = arpa.with_name("m.lm")
    done = miriam("lm", "convert", "--lm", arpa, "--out", out)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert "no <unk>" in done.stderr
    log = LanguageModel.load(out).score_words(["never-seen"]).logs[0]
    assert log < -100


def test_a_table_of_another_version_or_cut_short(miriam: Miriam, arpa: Path) -> None:
    table = arpa.with_name("m.lm")
    assert miriam("lm", "convert", "--lm", arpa, "--out", table).returncode == 0
    whole = table.read_bytes()
    table.write_bytes(whole.replace(b'"version":"1"', b'"version":"9"'))
    found = miriam.fails(1, "lm", "query", "--lm", table)
    assert "lm format version 9, and this Miriam reads version 1" in found
    table.write_bytes(whole[:-64])
    assert "it was cut short or damaged" in miriam.fails(1, "lm", "query", "--lm", table)
    table.write_text("no table")
    assert "not a table of Miriam's" in miriam.fails(1, "lm", "query", "--lm", table)


def test_files_that_are_not_there_or_not_text(miriam: Miriam, tmp_path: Path) -> None:
    out = tmp_path / "m.arpa"
    missing = tmp_path / "missing"
    assert "no such file" in miriam.fails(1, "lm", "estimate", "--text", missing, "--out", out)
    missing.write_bytes(b"a b\n\xff\n")
    found = miriam.fails(1, "lm", "estimate", "--text", missing, "--out", out)
    assert found == f"{missing}, line 2: not UTF-8 at byte 1"
    assert "no such option" in miriam.fails(2, "lm", "query", "--nonsense").lower()
