"""Moses' text tables, out and in."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest

from miriam.errors import ConfigError, InputError, ModelError
from miriam.rules.extract import extract_rules
from miriam.rules.moses_export import export_moses
from miriam.rules.moses_import import import_moses
from miriam.rules.settings import ExtractSettings, Orientation
from miriam.rules.shards import Corpus
from miriam.rules.table import Rule, RuleTable

TEXT = {
    "de": ["ein hund läuft .", "der hund", "ein roter hund schläft .", "läuft er ?"],
    "en": ["a dog runs .", "the dog", "there sleeps a red dog .", "does he run ?"],
    "links": ["0-0 1-1 2-2 3-3", "0-0 1-1", "0-2 1-3 2-4 3-1 4-5", "0-0 0-2 1-1 2-3"],
}
MODELS: tuple[Orientation, ...] = ("hier-mslr", "wbe-msd")


@pytest.fixture
def table(tmp_path: Path) -> RuleTable:
    for name, lines in TEXT.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    settings = ExtractSettings(orientations=MODELS)
    return extract_rules(
        Corpus(*(tmp_path / name for name in TEXT)), tmp_path / "rules", settings=settings
    )


def by_pair(table: RuleTable) -> dict[tuple[str, str], Rule]:
    return {(rule.source, rule.target): rule for rule in table}


def test_export_and_import_is_the_identity(table: RuleTable, tmp_path: Path) -> None:
    phrases, *reordering = export_moses(table, tmp_path / "moses")
    assert [path.name for path in reordering] == [
        "reordering-table.hier-mslr-bidirectional-fe.gz",
        "reordering-table.wbe-msd-bidirectional-fe.gz",
    ]
    back = import_moses(phrases, tmp_path / "back", reordering=reordering)
    ours, theirs = by_pair(table), by_pair(back)
    assert ours.keys() == theirs.keys()
    for key, rule in theirs.items():
        assert rule.links == ours[key].links
        assert (rule.count, rule.source_count, rule.target_count) == (
            ours[key].count, ours[key].source_count, ours[key].target_count,
        )  # fmt: skip
        expected = {k: v for k, v in ours[key].scores.items() if k not in ("count", "unique")}
        assert rule.scores == pytest.approx(expected, abs=1e-6)
    again = export_moses(back, tmp_path / "again")
    assert again[0].read_bytes() == phrases.read_bytes()


def test_exported_lines_are_sorted_as_moses_sorts_them(table: RuleTable, tmp_path: Path) -> None:
    for path in export_moses(table, tmp_path / "moses"):
        lines = gzip.decompress(path.read_bytes()).split(b"\n")[:-1]
        assert lines == sorted(lines)
        assert len(lines) == len(table)


def imported(tmp_path: Path, lines: str, **options: object) -> RuleTable:
    (tmp_path / "table").write_text(lines, encoding="utf-8")
    return import_moses(tmp_path / "table", tmp_path, **options)  # type: ignore[arg-type]


def reordering(tmp_path: Path, kind: str, lines: str) -> list[Path]:
    path = tmp_path / f"reordering-table.{kind}"
    path.write_text(lines, encoding="utf-8")
    return [path]


def test_fields_may_be_missing_and_scores_may_be_any_number(tmp_path: Path) -> None:
    table = imported(tmp_path, "ein  hund ||| dog ||| 0.5 0 2.718281828\nhund ||| ||| 1 1 1 |||\n")
    (rule,) = table.lookup("ein hund")
    assert rule.scores == pytest.approx({"score0": math.log(0.5), "score1": -100, "score2": 1})
    assert (rule.links, rule.count) == ((), 0)
    assert table.lookup("hund")[0].target == ""
    named = imported(tmp_path, "a ||| b ||| 0.5\n", scores=["phi"])
    assert list(named.lookup("a")[0].scores) == ["phi"]


def test_escapes_are_kept_or_undone(tmp_path: Path) -> None:
    line = "&apos;s &amp;lt; ||| it &#91; ||| 1\n"
    assert imported(tmp_path, line).lookup("&apos;s &amp;lt;")
    assert imported(tmp_path, line, unescape=True).lookup("'s &lt;")[0].target == "it ["


@pytest.mark.parametrize(
    ("kind", "lines", "names"),
    [
        ("wbe-msd-backward-fe", "a ||| b ||| 0.2 0.3 0.5", ["wbe-msd.previous.monotone"]),
        ("hier-mslr-forward-fe", "a ||| b ||| .1 .2 .3 .4", ["hier-mslr.next.right"]),
        ("phrase-monotonicity-bidirectional-fe", "a ||| b ||| .1 .9 .2 .8",
         ["phrase-monotonicity.previous.monotone", "phrase-monotonicity.next.other"]),
        ("wbe-leftright-backward-f", "a ||| .3 .7", ["wbe-leftright.previous.left"]),
        ("wbe-msd-bidirectional-f", "x ||| 1 0 0 1 0 0\na ||| .1 .2 .7 .1 .2 .7",
         ["wbe-msd.next.swap"]),
    ],
)  # fmt: skip
def test_reordering_formats(kind: str, lines: str, names: list[str], tmp_path: Path) -> None:
    table = imported(tmp_path, "a ||| b ||| 1\n", reordering=reordering(tmp_path, kind, lines))
    scores = table.lookup("a")[0].scores
    numbers = lines.rpartition("||| ")[2].split()
    assert [math.exp(v) for v in list(scores.values())[1:]] == pytest.approx(
        [float(n) for n in numbers]
    )
    assert set(names) <= set(scores)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "table: the table is empty"),
        ("a ||| b\n", "table, line 1: expected 3 fields or more"),
        ("||| b ||| 1\n", "line 1: expected 3 fields or more, parted by |||, and a source phrase"),
        ("a ||| b ||| x\n", "line 1: expected probabilities, found 'x'"),
        ("a ||| b ||| 1\na ||| c ||| -1\n", "line 2: expected probabilities, found '-1'"),
        ("a ||| b ||| 1\na ||| c ||| inf\n", "line 2: expected probabilities, found 'inf'"),
        ("a ||| b ||| 1\na ||| c ||| 1 1\n", "line 2: 2 scores, where the lines before have 1"),
        ("a ||| b ||| 1 ||| 0-0 1-0\n", "line 1: the alignment 0-0 1-0 lies outside"),
        ("a ||| b ||| 1 ||| 0:0\n", "line 1: expected points such as 0-2, found '0:0'"),
        ("a ||| b ||| 1 ||| 0-999\n", "line 1: expected points such as 0-2, found '0-999'"),
        ("a ||| b ||| 1 ||| ||| 1 many\n", "line 1: expected counts, found '1 many'"),
        ("a ||| b ||| 1\nx ||| y ||| 1\na ||| b ||| 1\n", "line 3: a second line for the rule 'a'"),
    ],
)
def test_bad_phrase_tables_are_refused_by_line(lines: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        imported(tmp_path, lines)
    assert message in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


@pytest.mark.parametrize(
    ("kind", "lines", "message"),
    [
        ("msd", "a ||| b ||| 1 1 1\n", "must tell its type"),
        ("wbe-msd-backward-fe", "a ||| b ||| 1 1\n", "line 1: 2 scores, where wbe-msd-backward-fe"),
        ("wbe-msd-backward-fe", "a ||| c ||| 1 1 1\n", "no scores for 'a ||| b', which line 1 of"),
        ("wbe-msd-backward-f", "c ||| 1 1 1\n", "no scores for 'a', which line 1 of"),
    ],
)
def test_bad_reordering_tables_are_refused(
    kind: str, lines: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises((InputError, ConfigError)) as caught:
        imported(tmp_path, "a ||| b ||| 1\n", reordering=reordering(tmp_path, kind, lines))
    assert message in str(caught.value)


def test_columns_need_names_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="has 2 scores, which need as many different names"):
        imported(tmp_path, "a ||| b ||| 1 1\n", scores=["phi", "phi"])
    twice = reordering(tmp_path, "wbe-msd-backward-fe", "a ||| b ||| 1 1 1\n") * 2
    with pytest.raises(ConfigError, match="a second reordering table of the same type"):
        imported(tmp_path, "a ||| b ||| 1\n", reordering=twice)


def test_a_missing_table_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no rule table"):
        RuleTable.open(tmp_path)
