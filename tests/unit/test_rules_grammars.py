"""Moses' and cdec's text grammars, in and out."""

from __future__ import annotations

import gzip
import math
from pathlib import Path
from typing import Literal

import pytest

from miriam.errors import ConfigError, InputError
from miriam.rules.extract import extract_rules
from miriam.rules.filters import for_text
from miriam.rules.gaps import GAPS
from miriam.rules.grammar_export import export_grammar, export_sentence_grammars
from miriam.rules.grammar_import import import_grammar
from miriam.rules.moses_import import import_moses
from miriam.rules.settings import HierarchicalSettings
from miriam.rules.shards import Corpus
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


@pytest.fixture
def extracted(tmp_path: Path) -> RuleTable:
    lines = [
        ("ein roter hund schläft .", "a red dog [2] |||| .", "0-0 1-1 2-2 3-3 3-4 4-5"),
        ("er [3] ein hund", "a dog he [X]", "0-2 1-3 2-0 3-1"),
    ]
    for name, column in zip(("f", "e", "links"), zip(*lines, strict=True), strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in column), encoding="utf-8")
    corpus = Corpus(tmp_path / "f", tmp_path / "e", tmp_path / "links")
    return extract_rules(corpus, tmp_path / "rules", settings=HierarchicalSettings())


@pytest.mark.parametrize("notation", ["moses", "cdec"])
def test_export_and_import_is_the_identity(
    extracted: RuleTable, notation: Literal["moses", "cdec"], tmp_path: Path
) -> None:
    path = export_grammar(extracted, tmp_path / "text", notation=notation)
    lines = gzip.decompress(path.read_bytes()).split(b"\n")[:-1]
    assert lines == sorted(lines)
    back = import_grammar(path, tmp_path / "back", unescape=True)
    ours, theirs = ({(r.source, r.target): r for r in table} for table in (extracted, back))
    assert ours.keys() == theirs.keys()
    for key, rule in theirs.items():
        assert rule.links == ours[key].links
        assert rule.scores == pytest.approx(ours[key].scores, abs=1e-6)
        if notation == "moses":
            counts = ours[key].count, ours[key].source_count, ours[key].target_count
            assert (rule.count, rule.source_count, rule.target_count) == pytest.approx(counts)
    again = export_grammar(back, tmp_path / "again", notation=notation)
    # Counts and scores may differ in their last digits.
    assert len(gzip.decompress(again.read_bytes()).splitlines()) == len(lines)


@pytest.mark.parametrize("notation", ["moses", "cdec"])
def test_words_that_look_like_gaps_are_escaped(
    extracted: RuleTable, notation: Literal["moses", "cdec"], tmp_path: Path
) -> None:
    path = export_grammar(extracted, tmp_path, notation=notation)
    assert "&#91;2&#93; &#124;&#124;&#124;|" in gzip.decompress(path.read_bytes()).decode()
    plain = import_grammar(path, tmp_path / "back")
    assert not plain.lookup("[3]")
    assert plain.lookup("&#91;3&#93;")[0].target == "&#91;X&#93;"


def test_export_of_the_grammars_of_single_sentences(extracted: RuleTable, tmp_path: Path) -> None:
    sentences = ["ein hund .", "nichts", "er [3] ein roter hund"]
    path = export_sentence_grammars(extracted, tmp_path / "cdec", sentences, max_span=4)
    grammars = [tmp_path / "cdec" / f"grammar.{i}.gz" for i in range(3)]
    assert set((tmp_path / "cdec").iterdir()) == {path, *grammars}
    assert path.read_text().splitlines()[2] == (
        f'<seg id="2" grammar="{grammars[2]}"> er [3] ein roter hund </seg>'
    )
    assert gzip.decompress(grammars[1].read_bytes()) == b""
    for sentence, grammar in zip(sentences, grammars, strict=True):
        kept = for_text(extracted, [sentence], max_span=4)
        sources = {rule.source for rule, keep in zip(extracted, kept, strict=True) if keep}
        if sources:
            table = import_grammar(grammar, tmp_path / "back", unescape=True)
            assert {rule.source for rule in table} == sources


def test_phrases_are_no_grammar(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a ||| b ||| 1\n")
    table = import_moses(tmp_path / "table", tmp_path)
    with pytest.raises(ConfigError, match="holds phrases; only hierarchical rules"):
        export_grammar(table, tmp_path)


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
