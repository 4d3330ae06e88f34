"""Compound words: their parts, the evidence of translations, and files."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miriam.errors import InputError
from miriam.lexicon.compound_evidence import learn_compounds
from miriam.lexicon.compounds import HEADER, LINKS, SHORTEST, Compounds, load_compounds

COUNTS = {"haus": 50, "türe": 20, "haustüre": 3, "schlüssel": 9, "unterhalten": 7, "unter": 90,
          "halten": 30}  # fmt: skip
WORDS = st.dictionaries(st.text("abes", min_size=4, max_size=6), st.integers(1, 9), max_size=12)


def every_way(word: str, counts: dict[str, int]) -> list[tuple[str, ...]]:
    """All ways to make a word of counted ones, with links behind all but the last."""
    ways: list[tuple[str, ...]] = [(word,)] if word in counts else []
    for end in range(SHORTEST, len(word) - SHORTEST + 1):
        first = [word[:end].removesuffix(link) for link in LINKS if word[:end].endswith(link)]
        for part in {part for part in first if part in counts}:
            ways += [(part, *rest) for rest in every_way(word[end:], counts)]
    return ways


def mean(parts: tuple[str, ...], counts: dict[str, int]) -> float:
    return sum(math.log(counts[part]) for part in parts) / len(parts)


@given(WORDS, st.text("abes", min_size=1, max_size=14))
def test_parts_have_the_highest_geometric_mean(counts: dict[str, int], word: str) -> None:
    found = Compounds(counts).parts(word)
    ways = every_way(word, counts)
    best = max((mean(way, counts) for way in ways), default=None)
    if best is None or (word in counts and mean((word,), counts) >= best - 1e-12):
        assert found == (word,)
    else:
        assert found in ways
        assert mean(found, counts) == pytest.approx(best)


def test_links_and_hyphens_go() -> None:
    compounds = Compounds({"arbeit": 5, "kleidung": 5, "u-bahn": 2, "schiene": 2})
    assert compounds.split(["arbeitskleidung", "arbeit-kleidung"]) == ["arbeit", "kleidung"] * 2
    assert compounds.parts("u-bahn-schiene") == ("u-bahn", "schiene")


def test_parts_are_written_as_the_text_has_them() -> None:
    compounds = Compounds({"Haus": 9, "haus": 1, "Türe": 4})
    assert compounds.parts("Haustüre") == ("Haus", "Türe")


@pytest.mark.parametrize("word", ["haus", "⟦tag1⟧", "3000", "haus4türe", "-haus-", "x" * 5000, "-"])
def test_other_words_stay(word: str) -> None:
    assert Compounds(COUNTS).parts(word) == (word,)


def test_words_never_translated_by_their_parts_stay_whole() -> None:
    pairs = [("wir unterhalten", "we talk"), ("sie unterhalten", "they talk"),
             ("unter dem tisch", "under the table"), ("halten", "stop")]  # fmt: skip
    compounds, evidence = learn_compounds(COUNTS, pairs)
    assert compounds.parts("unterhalten") == ("unterhalten",)
    assert evidence.occurrences == 2
    assert evidence.supported == 0
    assert not evidence.suffices


def test_saved_compounds_part_alike(tmp_path: Path) -> None:
    compounds = Compounds(COUNTS, whole=["unterhalten"])
    compounds.save(tmp_path / "source.compounds")
    again = load_compounds(tmp_path / "source.compounds")
    words = ["haustüre", "unterhalten", "haustürschlüssel", "türeschlüssel"]
    assert again.split(words) == compounds.split(words)
    assert again.parts("unterhalten") == ("unterhalten",)


@pytest.mark.parametrize(
    ("text", "line"), [("", 1), ("words\n", 1), ("{header}\nhaus\n", 2), ("{header}\nhaus\tx\n", 2),
                       ("{header}\nhaus\t3\tpart\n", 2)]
)  # fmt: skip
def test_a_damaged_file_is_refused(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "source.compounds"
    path.write_text(text.format(header=HEADER), encoding="utf-8")
    with pytest.raises(InputError, match=f"line {line}: "):
        load_compounds(path)
