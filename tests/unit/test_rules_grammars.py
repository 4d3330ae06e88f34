"""Moses' and cdec's text grammars, in and out."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest

from miriam.errors import InputError
from miriam.rules.gaps import GAPS
from miriam.rules.grammar_import import import_grammar
from miriam.rules.table import RuleTable
from miriam.text.files import BadLines

MOSES = """\
der [X][X] [X] ||| the [X][X] [X] ||| 0.5 0.25 1 0.5 ||| 0-0 1-1 ||| 2 1 1 ||| |||
[X][X] von [X][X] [X] ||| [X][X] 's [X][X] [X] ||| 1 1 0.5 0.5 ||| 0-2 1-1 2-0 ||| 3 2 1 ||| |||
hund [X] ||| dog [X] ||| 1 1 1 1 ||| 0-0 ||| 1 1 1 ||| |||
"""
CDEC = """\
[X] ||| der [X,1] ||| the [1] ||| EgivenF=1 FgivenE=2 LexEgivenF=0 LexFgivenE=0.5 New=1 ||| 0-0
[X] ||| [X] von [X] ||| [2] 's [X,1] ||| EgivenF=1 FgivenE=2 LexEgivenF=0 LexFgivenE=99 ||| 1-1
"""


def imported(tmp_path: Path, lines: str, **options: object) -> RuleTable:
    (tmp_path / "grammar").write_text(lines, encoding="utf-8")
    return import_grammar(tmp_path / "grammar", tmp_path, **options)  # type: ignore[arg-type]


def test_moses(tmp_path: Path) -> None:
    table = imported(tmp_path, MOSES)
    assert table.hierarchical
    assert table.score_names == ("phi(f|e)", "lex(f|e)", "phi(e|f)", "lex(e|f)")
    for words in (table.source_words, table.target_words):
        assert [words.find(gap) for gap in GAPS] == [0, 1]
    (rule,) = table.lookup("[X,1] von [X,2]")
    assert rule.target == "[X,2] 's [X,1]"
    assert rule.links == ((1, 1),)
    assert rule.scores == pytest.approx(
        {"phi(f|e)": 0, "lex(f|e)": 0, "phi(e|f)": math.log(0.5), "lex(e|f)": math.log(0.5)}
    )
    assert (rule.target_count, rule.source_count, rule.count) == (3, 2, 1)


def test_cdec(tmp_path: Path) -> None:
    table = imported(tmp_path, CDEC)
    assert table.hierarchical
    assert table.score_names == ("phi(f|e)", "lex(f|e)", "phi(e|f)", "lex(e|f)", "New")
    (rule,) = table.lookup("[X,1] von [X,2]")
    assert (rule.target, rule.links) == ("[X,2] 's [X,1]", ((1, 1),))
    assert rule.scores == pytest.approx(
        {"lex(e|f)": 0, "lex(f|e)": -100, "phi(e|f)": -math.log(10), "phi(f|e)": -math.log(100),
         "New": 0}
    )  # fmt: skip
    assert table.lookup("der [X,1]")[0].scores["New"] == 1


def test_features_may_be_numbers_alone(tmp_path: Path) -> None:
    table = imported(tmp_path, "[X] ||| [X,1] a ||| b [1] ||| 0.5 -1\n")
    assert table.lookup("[X,1] a")[0].scores == {"score0": 0.5, "score1": -1}


def test_a_single_gap_needs_no_alignment(tmp_path: Path) -> None:
    table = imported(tmp_path, "[X][X] a [X] ||| b [X][X] [X] ||| 1\n")
    assert table.lookup("[X,1] a")[0].target == "b [X,1]"


def test_escapes(tmp_path: Path) -> None:
    line = "&#91;1&#93; &apos; [X] ||| &#91;X&#93; [X] ||| 1\n"
    assert imported(tmp_path, line).lookup("&#91;1&#93; &apos;")
    assert imported(tmp_path, line, unescape=True).lookup("[1] '")[0].target == "[X]"
    with pytest.raises(InputError, match="the word &#91;X,1&#93; would be a gap without"):
        imported(tmp_path, "&#91;X,1&#93; [X] ||| a [X] ||| 1\n", unescape=True)


def test_grammars_of_single_sentences_make_one_table(tmp_path: Path) -> None:
    one, *more = CDEC.splitlines(keepends=True)
    files = {"grammar.0.gz": CDEC, "grammar.1.gz": "", "grammar.2.gz": one + more[0] + "[X] ||| a "
             "||| b ||| EgivenF=0 FgivenE=0 LexEgivenF=0 LexFgivenE=0 |||\n"}  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
    table = import_grammar([tmp_path / name for name in files], tmp_path)
    assert {rule.source for rule in table} == {"der [X,1]", "[X,1] von [X,2]", "a"}


CUT = "the file may have been cut short"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "grammar: there is no rule to take"),
        ("a [X] ||| b [X]\n", f"line 1: 2 fields, at least 3; {CUT}"),
        (MOSES[:120], f"line 2: 2 fields, where the lines before have 7; {CUT}"),
        ("a ||| b [X] ||| 1\n", "line 1: a side that ends in a, where the non-terminal [X] must"),
        ("a [X] ||| b [S] ||| 1\n", "line 1: a side that ends in [S], where the non-terminal [X]"),
        ("a [X] ||| ||| 1\n", "line 1: a side that ends in nothing"),
        ("[X] ||| b [X] ||| 1\n", "line 1: 3 fields, where a rule for cdec has at least 4"),
        ("[NP][X] a [X] ||| [NP][X] b [X] ||| 1\n", "the non-terminal [NP][X] is not known"),
        ("[X] a [X] ||| b [X] ||| 1\n", "line 1: the non-terminal [X] is not known, only [X][X]"),
        ("[X,1] a [X] ||| b [X] ||| 1\n", "line 1: the non-terminal [X,1] is not known"),
        ("[X][X] a [X] ||| b [X] ||| 1 ||| 1-0\n", "line 1: the gaps do not pair up"),
        ("[X][X] a [X][X] [X] ||| [X][X] [X][X] [X] ||| 1 ||| 1-0\n", "gaps do not pair up"),
        ("[X][X] a [X] ||| [X][X] b [X] ||| 1 ||| 0-1 1-0\n", "gaps do not pair up"),
        ("a [X][X] [X] ||| b [X][X] [X] ||| 1 ||| 0-0 1-2\n", "gaps do not pair up"),
        ("[X][X] a [X][X] b [X][X] [X] ||| b [X] ||| 1\n", "a rule with 3 gaps, of which 2 are"),
        ("[X][X] [X] ||| the [X][X] [X] ||| 1 ||| 0-1\n", "a source side that is but a gap"),
        ("a [X] ||| b [X] ||| 1 x\n", "line 1: expected probabilities, found '1 x'"),
        ("a [X] ||| b [X] ||| 1 1\nc [X] ||| b [X] ||| 1\n", "line 2: 1 scores, where the lines"),
        ("a [X] ||| b [X] ||| 1 ||| 0-1\n", "line 1: the alignment 0-1 lies outside"),
        ("a [X] ||| b [X] ||| 1\n" * 2, "line 2: a second line for the rule 'a' to 'b'"),
        ("[S] ||| a ||| b ||| F=1\n", "line 1: the non-terminal [S] is not known, only [X]"),
        ("[X] ||| a [Y,1] ||| b [1] ||| F=1\n", "the non-terminal [Y,1] is not known"),
        ("[X] ||| a [X,1] ||| b [Y,1] ||| F=1\n", "the non-terminal [Y,1] is not known"),
        ("[X] ||| a [X,1] ||| b [3] ||| F=1\n", "the non-terminal [3] is not known"),
        ("[X] ||| a [X,1] ||| b ||| F=1\n", "the gaps do not pair up: [X,1] of the source, none"),
        ("[X] ||| a [X,1] ||| [1] [1] ||| F=1\n", "the gaps do not pair up"),
        ("[X] ||| [X,2] a [X,1] ||| [1] [2] ||| F=1\n", "not in order: [X,2] [X,1]"),
        ("[X] ||| [X,1] ||| the [1] ||| F=1\n", "a source side that is but a gap"),
        ("[X] ||| ||| the ||| F=1\n", "line 1: a source side without words"),
        ("[X] ||| a ||| b ||| F=1 G\n", "expected features such as EgivenF=0.3, found 'G'"),
        ("[X] ||| a ||| b ||| F=nan\n", "expected features such as EgivenF=0.3, found 'F=nan'"),
        ("[X] ||| a ||| b ||| EgivenF=1 EgivenFCoherent=1\n", "the feature EgivenFCoherent twice"),
        ("[X] ||| a ||| b ||| EgivenF=1\n[X] ||| b ||| b ||| F=1\n",
         "line 2: no value for phi(e|f), which the lines before have"),
        ("[X] ||| a ||| b ||| F=1\n" * 2, "line 2: a second line for the rule 'a' to 'b'"),
    ],
)  # fmt: skip
def test_bad_grammars_are_refused_by_line(lines: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        imported(tmp_path, lines)
    assert message in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["grammar"]


def test_bad_lines_may_be_left_out(tmp_path: Path) -> None:
    bad = BadLines(skip=True)
    glue = "<s> [X] ||| <s> [S] ||| 1 ||| ||| |||||| \n"
    table = imported(tmp_path, MOSES + glue + "[X][X] [X] ||| [X][X] [X] ||| 1\n", bad=bad)
    assert (len(table), bad.count) == (3, 2)


def test_a_compressed_grammar_cut_short(tmp_path: Path) -> None:
    whole = gzip.compress(MOSES.encode())
    (tmp_path / "grammar.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="the compressed data ends early"):
        import_grammar(tmp_path / "grammar.gz", tmp_path)
