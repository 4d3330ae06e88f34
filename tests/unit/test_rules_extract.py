"""Extraction in several shards: with threads, in little memory, and again with text added."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from miriam.errors import ConfigError, InputError
from miriam.rules import shards
from miriam.rules.extract import extract_rules
from miriam.rules.settings import AnySettings, ExtractSettings, HierarchicalSettings
from miriam.rules.shards import Corpus
from miriam.rules.table import RuleTable

Pairs = list[tuple[str, str, str]]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD_WORDS", 100)


def made_up(count: int) -> Pairs:
    """Sentence pairs of random words and links, the same ones first for any count."""
    draw = random.Random(1)
    pairs = []
    for _ in range(count):
        sizes = draw.randint(1, 9), draw.randint(1, 9)
        source, target = (" ".join(draw.choices("abcdef", k=size)) for size in sizes)
        links = {(draw.randrange(sizes[0]), draw.randrange(sizes[1])) for _ in range(6)}
        pairs.append((source, target, " ".join(f"{i}-{j}" for i, j in sorted(links))))
    return pairs


def corpus(pairs: Pairs, folder: Path) -> Corpus:
    folder.mkdir(exist_ok=True)
    for name, lines in zip(("source", "target", "links"), zip(*pairs, strict=True), strict=True):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return Corpus(folder / "source", folder / "target", folder / "links")


def content(table: RuleTable) -> bytes:
    return table.container.path.read_bytes()


@pytest.mark.parametrize("kind", [ExtractSettings, HierarchicalSettings])
@pytest.mark.parametrize(
    "options", [{"threads": 4}, {"memory": 200_000}, {"memory": 500_000, "threads": 3}]
)
def test_threads_and_memory_leave_no_trace(
    options: dict[str, Any], kind: type[AnySettings], tmp_path: Path
) -> None:
    pairs = made_up(200)
    plain = extract_rules(corpus(pairs, tmp_path / "a"), tmp_path / "a", settings=kind())
    other = extract_rules(corpus(pairs, tmp_path / "b"), tmp_path / "b", settings=kind(**options))
    assert content(plain) == content(other)


def test_a_corpus_read_for_phrases_cannot_be_read_for_hierarchical_rules(tmp_path: Path) -> None:
    files = corpus(made_up(3), tmp_path)
    extract_rules(files, tmp_path / "a")
    with pytest.raises(ConfigError, match="a corpus that was read for phrases"):
        extract_rules(files, tmp_path / "b", settings=HierarchicalSettings())
    assert not (tmp_path / "b").exists()


def test_text_added_behind_leaves_the_other_shards(tmp_path: Path) -> None:
    work = tmp_path / "work"
    extract_rules(corpus(made_up(150), tmp_path / "a"), tmp_path / "a", work=work)
    before = {path: path.stat().st_mtime_ns for path in work.glob("*.run")}
    again = extract_rules(corpus(made_up(200), tmp_path / "b"), tmp_path / "b", work=work)
    after = {path: path.stat().st_mtime_ns for path in work.glob("*.run")}
    assert len(before) > 10
    assert before.items() <= after.items()
    # The last shard grew, and there are some more.
    assert 0 < len(after) - len(before) < len(before)
    fresh = extract_rules(corpus(made_up(200), tmp_path / "c"), tmp_path / "c")
    assert content(again) == content(fresh)


def test_a_lost_run_is_made_again(tmp_path: Path) -> None:
    work = tmp_path / "work"
    first = content(extract_rules(corpus(made_up(50), tmp_path / "a"), tmp_path, work=work))
    next(work.glob("*.run")).unlink()
    assert content(extract_rules(corpus(made_up(50), tmp_path / "a"), tmp_path, work=work)) == first


def test_a_corpus_without_sentence_pairs_is_refused(tmp_path: Path) -> None:
    for name in ("source", "target", "links"):
        (tmp_path / name).write_text("")
    empty = Corpus(tmp_path / "source", tmp_path / "target", tmp_path / "links")
    with pytest.raises(InputError, match="there is no sentence pair"):
        extract_rules(empty, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_more_domains_than_bits_are_refused_by_line(tmp_path: Path) -> None:
    files = corpus([("a", "b", "0-0")] * 40, tmp_path)
    (tmp_path / "domains").write_text("".join(f"d{2 * i} d{2 * i + 1}\n" for i in range(40)))
    files.domains = tmp_path / "domains"
    with pytest.raises(InputError, match=r"domains, line 33: more than 64 different domains"):
        extract_rules(files, tmp_path / "out")
