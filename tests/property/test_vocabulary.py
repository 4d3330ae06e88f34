"""The vocabulary against a dictionary, and the encoding against `str.split`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miriam.container import ContainerWriter, open_container
from miriam.errors import ModelError
from miriam.lexicon.vocabulary import (
    NO_WORD,
    MappedVocabulary,
    Vocabulary,
    encode,
    read_vocabulary,
    write_vocabulary,
)

TOKEN = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=20)
LINE = st.lists(TOKEN, max_size=8).map(" ".join)


@given(st.lists(TOKEN, max_size=200))
def test_ids_are_those_of_a_dictionary(words: list[str]) -> None:
    ids: dict[str, int] = {}
    expected = [ids.setdefault(word, len(ids)) for word in words]
    vocabulary = Vocabulary()
    assert [vocabulary.add(word) for word in words] == expected
    assert len(vocabulary) == len(ids)
    mapped = MappedVocabulary(*vocabulary.arrays())
    for word, number in ids.items():
        assert vocabulary.find(word) == mapped.find(word) == number
        assert vocabulary.word(number) == mapped.word(number) == word
    assert mapped.find("no such word") is None


@given(st.lists(st.tuples(LINE, LINE), max_size=30))
def test_encoding_is_splitting(rows: list[tuple[str, str]]) -> None:
    vocabularies = [Vocabulary(), Vocabulary()]
    for column, sentences, vocabulary in zip(
        zip(*rows, strict=True), encode(rows, vocabularies), vocabularies, strict=False
    ):
        assert len(sentences) == len(rows)
        words = [[vocabulary.word(int(i)) for i in sentences[n]] for n in range(len(rows))]
        assert words == [line.split() for line in column]


def test_a_fixed_vocabulary_has_no_id_for_a_new_word() -> None:
    words = Vocabulary()
    words.add("hund")
    (sentences,) = encode([("ein hund",)], [MappedVocabulary(*words.arrays())])
    assert sentences.ids.tolist() == [NO_WORD, 0]


def test_many_words_survive_a_file(tmp_path: Path) -> None:
    words = Vocabulary()
    words.encode(" ".join(f"w{i}" for i in range(10_000)).encode())
    with ContainerWriter(tmp_path / "words", kind="words", version=1) as writer:
        write_vocabulary(writer, "source", words)
    mapped = read_vocabulary(open_container(tmp_path / "words", kind="words", version=1), "source")
    assert [mapped.find(f"w{i}") for i in range(10_000)] == list(range(10_000))


def test_arrays_that_do_not_fit_are_refused() -> None:
    words = Vocabulary()
    words.add("hund")
    text, ends, slots = words.arrays()
    with pytest.raises(ModelError):
        MappedVocabulary(text, ends, slots[:-1])
    with pytest.raises(ModelError):
        MappedVocabulary(text[:-1], ends, slots)


def test_an_unknown_id_is_an_index_error() -> None:
    with pytest.raises(IndexError):
        Vocabulary().word(0)
