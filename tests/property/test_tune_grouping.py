"""Group features against their members: the same scores, gradients that add up, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam.errors import InputError
from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune.grouping.files import read_groups, write_groups
from miriam.tune.grouping.groups import Groups
from miriam.tune.grouping.packing import Packing
from miriam.tune.lists import RowList
from miriam.tune.losses.loss import Array

RULES = 12
NAMES = ["LM", "TM", *(f"PT:{i}" for i in range(RULES)), "WordPenalty"]
ROW = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 3).map(float), max_size=8)
ROWS = st.lists(ROW, min_size=1, max_size=6)
TIED = st.lists(st.sampled_from([0.0, 0.5, -0.5, 0.25, -0.25, 1.0]),
                min_size=len(NAMES), max_size=len(NAMES)).map(np.array)  # fmt: skip


def named() -> Vocabulary:
    names = Vocabulary()
    for name in NAMES:
        names.add(name)
    return names


@given(TIED)
def test_groups_are_the_ties_of_sizes(weights: Array) -> None:
    groups = Groups.of_ties(weights, ("PT:",), named())
    assert (np.diff(groups.weights) < 0).all()
    assert (groups.weights > 0).all()
    found = np.zeros(len(NAMES))
    found[groups.members] = groups.signs * groups.weights[groups.of]
    expected = weights * [name.startswith("PT:") for name in NAMES]
    assert found.tolist() == expected.tolist()
    assert sorted(set(groups.of.tolist())) == list(range(len(groups)))


@settings(max_examples=50)
@given(ROWS, TIED, st.integers(0, 1000))
def test_packed_lists_have_the_same_scores(
    rows: list[dict[str, float]], weights: Array, seed: int
) -> None:
    names = named()
    nbest = RowList.of(rows, names)
    packing = Packing(Groups.of_ties(weights, ("PT:",), names), ("PT:",))
    packed = packing.pack(nbest)
    rng = np.random.default_rng(seed)
    for vector in (packing.packed(weights), rng.normal(size=len(packing.names))):
        unpacked = packing.unpack(vector)
        by_group = packed.scores(vector[packed.ids])
        assert np.allclose(by_group, nbest.scores(unpacked[nbest.ids]), rtol=0, atol=1e-12)
    assert packing.unpack(packing.packed(weights)).tolist() == weights.tolist()
    coefficients = rng.normal(size=len(rows))
    coefficients -= coefficients.mean()
    expected = np.zeros(len(packing.names) + 1)
    gradient = packing.sign[nbest.ids] * nbest.gradient(coefficients)
    np.add.at(expected, packing.target[nbest.ids], gradient)
    assert np.allclose(packed.gradient(coefficients), expected[packed.ids], atol=1e-9)


def test_features_that_come_later_are_outside_or_left_out() -> None:
    names = named()
    weights = np.eye(len(NAMES))[2]
    packing = Packing(Groups.of_ties(weights, ("PT:",), names), ("PT:",))
    packed = packing.pack(RowList.of([{"PT:0": 2.0, "PT:new": 1.0, "AL:new": 3.0}], names))
    assert [packing.names.word(i) for i in packed.ids] == ["group:1", "AL:new"]
    assert packed.csr().values.tolist() == [2.0, 3.0]
    unpacked = packing.unpack(np.array([0.5, 0, 0, 0, 7.0]))
    assert [unpacked[names.find(n) or 0] for n in ("PT:0", "PT:new", "AL:new")] == [0.5, 0.0, 7.0]


def test_a_group_occurs_with_any_of_its_members() -> None:
    names = named()
    weights = np.zeros(len(NAMES))
    weights[2:6] = [1.0, -1.0, 0.5, 0.25]
    groups = Groups.of_ties(weights, ("PT:",), names)
    lists = [RowList.of([{"PT:1": 1.0}, {"LM": 1.0}], names), RowList.of([{"PT:3": 1.0}], names)]
    assert groups.occurring(lists).tolist() == [True, False, True]
    assert groups.occurring([]).tolist() == [False] * 3
    assert groups.weighted(np.array([0.5, 0.0, 1.0])).active == 2


def test_long_titles_are_cut() -> None:
    names = named()
    groups = Groups.of_ties(np.where(np.arange(len(NAMES)) < 9, -0.5, 0), ("PT:",), names)
    assert [groups.title(0)] == ["-PT:0 -PT:1 -PT:2 and 4 more"]


@settings(max_examples=30)
@given(TIED.filter(lambda w: bool(w[2:-1].any())))
def test_a_file_of_groups_is_read_back(weights: Array) -> None:
    import tempfile

    groups = Groups.of_ties(weights, ("PT:",), named())
    with tempfile.TemporaryDirectory() as folder:
        write_groups(Path(folder) / "groups", groups)
        names = Vocabulary()
        found = read_groups(Path(folder) / "groups", names)
        write_groups(Path(folder) / "again", found)
        assert (Path(folder) / "again").read_bytes() == (Path(folder) / "groups").read_bytes()
    assert found.weights.tolist() == groups.weights.tolist()
    assert [found.title(g) for g in range(len(found))] == [
        groups.title(g) for g in range(len(groups))
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "groups: there is no group in it"),
        ("2 0.5 +a\n", "groups, line 1: '2 0.5 +a' is not group 1; expected"),
        ("1 0.5\n", "line 1: '1 0.5' is not group 1"),
        ("1 x +a\n", "line 1: '1 x +a' is not group 1"),
        ("1 inf +a\n", "line 1: '1 inf +a' is not group 1"),
        ("1 0.5 a\n", "line 1: the member 'a' is not a name behind + or -"),
        ("1 0.5 +a +\n", "line 1: the member '+' is not a name"),
        ("1 0.5 +a\n2 0.2 +b -a\n", "line 2: 'a' is in two groups"),
    ],
)
def test_a_bad_line_is_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "groups").write_text(text)
    with pytest.raises(InputError) as error:
        read_groups(tmp_path / "groups", Vocabulary())
    assert message in str(error.value)
