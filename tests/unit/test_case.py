"""Case: what a truecaser learns, and how output gets the case that readers expect."""

from __future__ import annotations

from pathlib import Path

import pytest

from miriam.errors import InputError
from miriam.text.case import Truecaser, learn_truecaser, load_truecaser, lowercase

TEXT = """
The ferry to Malta leaves at noon , and the ferry back at night .
On Malta the roads are narrow . The NATO ships wait .
He said : " The wind is from the north . "
We saw NATO ships and one ferry near Malta .
ALL THE ROADS LEAD HOME
"""
SENTENCES = [line.split() for line in TEXT.strip().splitlines()]


def test_what_begins_a_sentence_teaches_nothing() -> None:
    counts = learn_truecaser(SENTENCES).counts
    assert counts["the"] == 3
    assert "The" not in counts  # after a full stop, and after `: "`, too
    assert counts["NATO"] == 2
    assert "ROADS" not in counts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The ferry leaves .", "the ferry leaves ."),
        ("Malta is near . The ferry leaves .", "Malta is near . the ferry leaves ."),
        ("Zanzibar is far .", "Zanzibar is far ."),  # never seen: perhaps a name
        ('" The wind , " he said , " The road .', '" the wind , " he said , " the road .'),
        ("We call it The Ferry .", "we call it The Ferry ."),  # inner capitals are meant
        ("THE NATO SHIPS LEFT MALTA .", "the NATO ships left Malta ."),
        ("⟦number1⟧ The ⟦tag1⟧", "⟦number1⟧ The ⟦tag1⟧"),
        ("⟦tag1⟧ The ferry", "⟦tag1⟧ the ferry"),
        ("", ""),
    ],
)
def test_true_case(text: str, expected: str) -> None:
    counts = {**learn_truecaser(SENTENCES).counts, "we": 1, "road": 1, "left": 1}
    assert " ".join(Truecaser(counts).apply(text.split())) == expected


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("the ferry to malta . it waits .", None, "The ferry to Malta . It waits ."),
        ("⟦tag1⟧ the ferry", None, "⟦tag1⟧ The ferry"),
        ("⟦number1⟧ ships", None, "⟦number1⟧ ships"),
        ('he said , " come . "', None, 'He said , " Come . "'),
        ("¿ come ?", None, "¿ Come ?"),
        ("the ferry . it waits .", "die Fähre . Sie wartet .", "the ferry . It waits ."),
        ("the ferry", "DIE FÄHRE", "THE FERRY"),
        ("the ⟦number1⟧ ships", "DIE ⟦number1⟧ SCHIFFE", "THE ⟦number1⟧ SHIPS"),
        ("the ferry", "A", "The ferry"),  # one capital letter is no shouting
        ("the ferry", "العبارة", "The ferry"),
        ("ße ǆ", None, "ße ǆ"),
    ],
)
def test_the_way_back(text: str, source: str | None, expected: str) -> None:
    truecaser = learn_truecaser(SENTENCES)
    hint = None if source is None else source.split()
    assert " ".join(truecaser.recase(text.split(), source=hint)) == expected


def test_names_may_be_left_to_the_model() -> None:
    truecaser = Truecaser({"May": 9, "may": 1})
    assert truecaser.recase(["it", "may"], names=False) == ["It", "may"]
    assert truecaser.recase(["it", "may"]) == ["It", "May"]


def test_ties_do_not_depend_on_the_order() -> None:
    one, two = Truecaser({"may": 1, "May": 1}), Truecaser({"May": 1, "may": 1})
    assert one.apply(["MAY"]) == two.apply(["MAY"]) == ["May"]


def test_lower_case_of_turkish() -> None:
    assert lowercase(["İYI", "⟦variable1⟧"], language="tr") == ["iyı", "⟦variable1⟧"]


def test_the_file_is_readable(tmp_path: Path) -> None:
    path = tmp_path / "case.txt"
    Truecaser({"may": 1, "May": 3, "a": 2}).save(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[1:] == ["a\t2\t2", "May\t3\t4", "may\t1\t4"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: not a truecaser"),
        ("hello\n", "line 1: not a truecaser"),
        ("{header}\nMay 3 4\n", "line 2: expected a word and two counts with tabs between"),
        ("{header}\nMay\t3\t4\nx\t-1\t2\n", "line 3: expected a word and two counts"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "case.txt"
    Truecaser({}).save(path)
    header = path.read_text(encoding="utf-8").strip()
    path.write_text(text.replace("{header}", header), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load_truecaser(path)
