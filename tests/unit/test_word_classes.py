"""Maps from words to classes: look-up, files of ours and of other tools, refusals."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from miriam.container import ContainerWriter, open_container
from miriam.errors import InputError, ModelError
from miriam.lexicon.classes import WordClasses, read_classes

CLASSES = {"the": "10", "dog": "9", "<unk>": "2", "0000": "9"}


def test_classes_are_numbered_by_their_names() -> None:
    classes = WordClasses(CLASSES)
    assert classes.names == ("2", "9", "10")
    assert len(classes) == 3
    assert classes.classes(["the", "dog", "never-seen"]).tolist() == [2, 1, 0]
    assert classes.classes([]).dtype == np.int32
    numbers = WordClasses({f"w{i}": str(i) for i in range(12)} | {"<unk>": "0"})
    assert [numbers[f"w{i}"] for i in range(12)] == list(range(12))


def test_words_without_a_class_are_a_class_of_their_own_where_unk_has_none() -> None:
    classes = WordClasses({"a": "x", "b": "y"})
    assert classes.names == ("x", "y", "<other>")
    assert classes["never-seen"] == 2


def test_digits_are_looked_up_as_they_were_learnt() -> None:
    assert WordClasses(CLASSES)["1984"] == WordClasses(CLASSES)["dog"]
    assert WordClasses(CLASSES)["٣٣٣٣"] == WordClasses(CLASSES)["dog"]
    kept = WordClasses({**CLASSES, "7": "9"})
    assert kept["7"] == kept["dog"]
    assert kept["1984"] == kept["never-seen"] != kept["dog"]


def test_lines_are_looked_up_as_words_are() -> None:
    classes = WordClasses(CLASSES)
    found, ends = classes.encode(b"the 1984\n\nno dog\n")
    assert found.tolist() == classes.classes(["the", "1984", "no", "dog"]).tolist()
    assert ends.tolist() == [2, 2, 4]


@pytest.mark.parametrize("name", ["map.tsv", "map.gz", "map.classes"])
def test_a_file_gives_the_map_back(tmp_path: Path, name: str) -> None:
    classes = WordClasses(CLASSES)
    classes.write(tmp_path / name)
    again = read_classes(tmp_path / name)
    assert again.names == classes.names
    assert again.entries() == classes.entries() == list(CLASSES.items())
    assert [again[word] for word in ("the", "1984", "no")] == [2, 1, 0]


def test_maps_of_other_tools(tmp_path: Path) -> None:
    path = tmp_path / "map"
    path.write_text("00\tthe\t12\n010\tdog\t7\n010\tcat\t7\n")  # Brown
    assert read_classes(path).entries() == [("the", "00"), ("dog", "010"), ("cat", "010")]
    path.write_text("the 3\ndog 4\n")  # fastText, word2vec
    assert read_classes(path).entries() == [("the", "3"), ("dog", "4")]
    path.write_text("the\t3\ndog\t4\n")  # mkcls
    assert read_classes(path).names == ("3", "4", "<other>")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dog\n", "line 1: expected a word and its class, found 'dog'"),
        ("dog 1\na b c\n", "line 2: expected a word and its class, found 'a b c'"),
        ("01 dog 2\n01 cat\n", "line 2: expected a bit string, a word, a count, found '01 cat'"),
        ("dog 1\ndog 2\n", "line 2: 'dog' is of class '2' here, and of '1' before"),
        ("", "no word has a class"),
    ],
)
def test_files_that_are_no_maps(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "map"
    path.write_text(text)
    with pytest.raises(InputError, match=re.escape(message)):
        read_classes(path)


def test_tables_that_are_no_maps(tmp_path: Path) -> None:
    path = tmp_path / "map.classes"
    WordClasses(CLASSES).write(path)
    table = open_container(path, kind="classes", version=1)
    with ContainerWriter(path, kind="classes", version=1, metadata=table.metadata) as writer:
        for name, array in table.arrays.items():
            writer.add(name, array[:-1] if name == "word.class" else array)
    with pytest.raises(ModelError, match="the classes do not fit the words"):
        read_classes(path)
