"""Rows of features against a dense matrix, and n-best files against a plain reader."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam.errors import ConfigError, InputError
from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune.files import read_nbest, write_nbest
from miriam.tune.lists import Accumulated, Candidates, RowList, ranked
from oracles.tune import dense_matrix

VALUE = st.floats(-5, 5).map(lambda x: round(x, 2)).filter(bool)
ROWS = st.lists(st.dictionaries(st.integers(0, 9), VALUE, max_size=5), min_size=1, max_size=8)


def rows_of(rows: list[dict[int, float]]) -> RowList:
    return RowList(
        np.cumsum([0, *map(len, rows)], dtype=np.int64),
        np.array([j for row in rows for j in row], dtype=np.int32),
        np.array([v for row in rows for v in row.values()], dtype=np.float64),
    )


@given(ROWS, st.integers(0, 1000))
def test_scores_and_gradient_are_those_of_the_matrix(
    rows: list[dict[int, float]], seed: int
) -> None:
    nbest = rows_of(rows)
    assert nbest.ids.tolist() == sorted({j for row in rows for j in row})
    matrix = dense_matrix(rows, nbest.ids.tolist())
    rng = np.random.default_rng(seed)
    weights, coefficients = rng.normal(size=len(nbest.ids)), rng.normal(size=len(rows))
    coefficients -= coefficients.mean()
    assert np.allclose(nbest.scores(weights), matrix @ weights)
    assert np.allclose(nbest.gradient(coefficients), matrix.T @ coefficients, atol=1e-9)


@given(ROWS, st.floats(0.01, 9), st.integers(0, 1000))
def test_a_constant_feature_has_a_gradient_of_exactly_zero(
    rows: list[dict[int, float]], constant: float, seed: int
) -> None:
    nbest = rows_of([{**row, 77: constant} for row in rows])
    coefficients = np.random.default_rng(seed).normal(size=len(rows))
    coefficients -= coefficients.mean()
    assert nbest.gradient(coefficients)[-1] == 0.0


def test_rounding_is_no_gradient() -> None:
    """0.1 + 0.2 - 0.3 is 5.6e-17, and a step of AdaGrad for it would have full size."""
    nbest = rows_of([{}, {0: 1.0}, {0: 2.0}, {0: 3.0}])
    coefficients = np.array([0.0, 0.1, 0.1, -0.1])
    assert 0.1 + 0.2 - 0.3 != 0
    assert nbest.gradient(coefficients)[0] == 0.0


def test_rows_out_of_bounds_are_refused() -> None:
    with pytest.raises(ConfigError):
        RowList(np.array([0, 2]), np.array([1], dtype=np.int32), np.array([1.0]))
    with pytest.raises(ConfigError):
        rows_of([{1: 1.0}]).scores(np.zeros(3))
    with pytest.raises(ConfigError):
        rows_of([{1: 1.0}]).gradient(np.zeros(3))


NAME = st.text("abc=.|:", min_size=1, max_size=4).filter(lambda n: n != "=" and "|||" not in n)
TEXT = st.lists(st.text("äbc", min_size=1, max_size=3), max_size=4).map(" ".join)
SENTENCES = st.lists(
    st.lists(st.tuples(TEXT, st.dictionaries(NAME, VALUE, max_size=4)), min_size=1, max_size=4),
    min_size=1, max_size=4,
)  # fmt: skip


@pytest.mark.parametrize("suffix", ["nbest", "nbest.gz", "nbest.jsonl"])
@settings(max_examples=40)
@given(SENTENCES)
def test_what_is_written_is_read(
    suffix: str, sentences: list[list[tuple[str, dict[str, float]]]]
) -> None:
    names = Vocabulary()
    lists = [
        Candidates(
            3 * i, [text for text, _ in rows], RowList.of([row for _, row in rows], names),
            np.arange(len(rows)) / 8,
        )
        for i, rows in enumerate(sentences)
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / suffix
        write_nbest(path, lists, names)
        others = Vocabulary()
        found = list(read_nbest(path, others))
    for candidates, rows in zip(found, sentences, strict=True):
        assert candidates.texts == [text for text, _ in rows]
        offsets, columns, values = candidates.nbest.csr()
        words = [others.word(int(i)) for i in candidates.nbest.ids[columns]]
        for i, (_, row) in enumerate(rows):
            part = slice(offsets[i], offsets[i + 1])
            assert dict(zip(words[part], values[part].tolist(), strict=True)) == row
    assert [c.sentence for c in found] == [3 * i for i in range(len(sentences))]
    assert all(np.array_equal(a.totals, b.totals) for a, b in zip(found, lists, strict=True))


def test_a_file_larger_than_a_block(tmp_path: Path) -> None:
    lines = [f"{i // 1000} ||| w{i} ||| A= {i} B= 1 2 ||| 0\n" for i in range(1, 40_000)]
    (tmp_path / "nbest").write_text("".join(lines))
    names = Vocabulary()
    sizes = [len(c.texts) for c in read_nbest(tmp_path / "nbest", names)]
    assert sizes == [999, *[1000] * 39]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 ||| a ||| A= 1\n0 ||| a\n", "nbest, line 2: expected `id ||| hypothesis"),
        ("x ||| a ||| A= 1\n", "nbest, line 1: the sentence number 'x'"),
        ("-1 ||| a ||| A= 1\n", "nbest, line 1: the sentence number '-1'"),
        ("0 ||| a ||| A= 1,5\n", "nbest, line 1: feature 'A': the value '1,5' is not"),
        ("0 ||| a ||| b=nan\n", "nbest, line 1: feature 'b': the value 'nan' is not"),
        ("0 ||| a ||| 1.5\n", "nbest, line 1: the feature value '1.5' has no name"),
        ("0 ||| a ||| = 1\n", "nbest, line 1: a feature without a name"),
        ("0 ||| a ||| A= 1 ||| inf\n", "nbest, line 1: the score 'inf' is not"),
        ("\n", "nbest, line 1: expected"),
        ("0 ||| a |||\n1 ||| a |||\n0 ||| a |||\n", "nbest, line 3: sentence 0 comes a second"),
        ("", "nbest: the n-best file is empty"),
    ],
)
def test_a_bad_moses_line_is_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "nbest").write_text(text)
    with pytest.raises(InputError) as error:
        list(read_nbest(tmp_path / "nbest", Vocabulary()))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id": 0}', "line 1: not a candidate: Object missing required field `hypothesis`"),
        ('{"id": -1, "hypothesis": ""}', "line 1: the sentence number -1 is negative"),
        ('{"id": 0, "hypothesis": "", "features": {"a b": 1}}', "'a b' is empty or has a blank"),
        ('{"id": 0, "hypothesis": "", "features": {"a": "x"}}', "line 1: not a candidate"),
        ("{", "line 1: not a candidate"),
    ],
)
def test_a_bad_json_line_is_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "nbest.jsonl").write_text(text + "\n")
    with pytest.raises(InputError) as error:
        list(read_nbest(tmp_path / "nbest.jsonl", Vocabulary()))
    assert message in str(error.value)


def test_columns_are_features(tmp_path: Path) -> None:
    (tmp_path / "nbest").write_text("0 ||| a ||| A= 1\n0 ||| b |||\n1 ||| c ||| A= 2 B= 1\n")
    (tmp_path / "column").write_text("0.5\n-1\n2\n")
    names = Vocabulary()
    columns = {"N": tmp_path / "column"}
    first, second = read_nbest(tmp_path / "nbest", names, columns=columns)
    at = [names.word(int(i)) for i in first.nbest.ids].index("N")
    assert first.nbest.scores(np.eye(len(first.nbest.ids))[at]).tolist() == [0.5, -1.0]
    assert second.nbest.scores(np.ones(3)).tolist() == [5.0]
    for text, message in [
        ("0.5\n-1\n", "column: the file ends before line 3 of"),
        ("0.5\n-1\n2\n3\n", "column: the file has more lines than"),
        ("0.5\nx\n2\n", "column, line 2: 'x' is not a finite number"),
    ]:
        (tmp_path / "column").write_text(text)
        with pytest.raises(InputError) as error:
            list(read_nbest(tmp_path / "nbest", Vocabulary(), columns=columns))
        assert message in str(error.value)


@pytest.mark.parametrize(("text", "name"), [("a ||| b", "A"), ("a", "A|||")])
def test_what_moses_format_cannot_hold_is_refused(text: str, name: str, tmp_path: Path) -> None:
    names = Vocabulary()
    candidates = Candidates(0, [text], RowList.of([{name: 1.0}], names), np.zeros(1))
    with pytest.raises(InputError, match=r"write a \.jsonl"):
        write_nbest(tmp_path / "nbest", [candidates], names)
    write_nbest(tmp_path / "nbest.jsonl", [candidates], names)
    assert next(read_nbest(tmp_path / "nbest.jsonl", Vocabulary())).texts == [text]


def test_lists_accumulate_without_duplicates() -> None:
    names = Vocabulary()
    rows: list[dict[str, float]] = [{"A": 1.0, "B": 2.0}, {"A": 1.0}]
    one = Candidates(0, ["a", "b"], RowList.of(rows, names), np.zeros(2))
    turned = RowList.of([{"B": 2.0, "A": 1.0}, {"A": 2.0}], names)
    other = Candidates(0, ["a", "b"], turned, np.zeros(2))
    known = Accumulated(0)
    assert known.add(one).texts == ["a", "b"]
    assert known.add(other).texts == ["b"]
    both = known.candidates()
    assert both.texts == ["a", "b", "b"]
    assert both.nbest.scores(np.array([1.0, 1.0])).tolist() == [3.0, 1.0, 2.0]


@given(ROWS, st.integers(0, 100))
def test_ranking_moves_whole_rows(rows: list[dict[int, float]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    totals = rng.integers(0, 3, len(rows)).astype(float)
    candidates = Candidates(0, [str(i) for i in range(len(rows))], rows_of(rows), totals)
    result = ranked(candidates, totals)
    order = [int(text) for text in result.texts]
    assert order == sorted(range(len(rows)), key=lambda i: -totals[i])
    weights = rng.normal(size=len(result.nbest.ids))
    assert np.allclose(result.nbest.scores(weights), candidates.nbest.scores(weights)[order])
