"""Aligners: trained, saved, opened, and the same whatever the threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from miriam._core.align import Jumps
from miriam.align.aligner import Aligner, load_aligner
from miriam.align.models import AlignSettings, Fast, Hmm, Ibm1, Model
from miriam.align.train import train
from miriam.errors import ConfigError, InputError, ModelError
from oracles.languages import blocks

Rows = list[tuple[str, str]]
MODELS: list[Model] = [Hmm(), Hmm(agreement=False), Fast(), Ibm1(), Ibm1(agreement=True)]


@pytest.fixture(scope="module")
def rows() -> Rows:
    pairs = blocks(np.random.default_rng(5), 400, words=60)
    return [(" ".join(source), " ".join(target)) for source, target, _ in pairs]


@pytest.mark.parametrize("symmetrise", ["grow-diag", "posterior"])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_saved_aligner_aligns_its_training_text_alike(
    tmp_path: Path, rows: Rows, model: Model, symmetrise: str
) -> None:
    settings = AlignSettings(model=model, symmetrise=symmetrise)  # type: ignore[arg-type]
    trained = train(rows, settings)
    links = trained.align(rows)
    trained.save(tmp_path / "aligner")
    opened = load_aligner(tmp_path / "aligner")
    assert opened.settings == settings
    again = opened.align(rows)
    assert np.array_equal(links.points, again.points)
    assert np.array_equal(links.ends, again.ends)
    assert opened.align(rows[7:8])[0].tolist() == links[7].tolist()  # one pair
    opened.save(tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == (tmp_path / "aligner").read_bytes()


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_the_same_bytes_with_any_number_of_threads(
    tmp_path: Path, rows: Rows, model: Model
) -> None:
    links = []
    for threads in (1, 4):
        trained = train(rows, AlignSettings(model=model), threads=threads)
        trained.save(tmp_path / str(threads))
        links.append(trained.align(rows, threads=threads).points.tobytes())
    assert (tmp_path / "1").read_bytes() == (tmp_path / "4").read_bytes()
    assert links[0] == links[1]


@pytest.fixture(scope="module")
def aligner(rows: Rows) -> Aligner:
    return train(rows)


def test_unseen_words_are_linked_by_where_they_stand(aligner: Aligner, rows: Rows) -> None:
    source, target = rows[3]
    assert aligner.align([("unseen", "neu")])[0].tolist() == [[0, 0]]
    links = aligner.align([(f"{source} unseen", f"{target} neu")])[0].tolist()
    assert [len(source.split()), len(target.split())] in links


def test_pairs_that_cannot_be_aligned_have_no_links(rows: Rows) -> None:
    long = "a " * 11
    text = [*rows[:20], ("", "x"), ("x", " "), ("", ""), (long, "x"), ("x", long), ("a", "b")]
    settings = AlignSettings(max_length=10)
    trained = train(text, settings)
    bitext = trained.encode(text)
    expected = sum(1 for row in rows[:20] if max(len(side.split()) for side in row) > 10)
    assert (bitext.empty, bitext.long) == (3, expected + 2)
    links = trained.align(text)
    assert [len(pair) for pair in links][20:] == [0, 0, 0, 0, 0, 1]


def test_a_sentence_of_a_thousand_words_is_aligned() -> None:
    words = [f"w{n}" for n in range(1000)]
    rows = [(" ".join(words[n : n + 5]), " ".join(words[n : n + 5])) for n in range(996)]
    rows.append((" ".join(words), " ".join(words)))
    links = train(rows, AlignSettings(model=Hmm(ibm1_iterations=2, iterations=2))).align(rows)
    assert links[-1].tolist() == [[n, n] for n in range(1000)]


def test_nothing_to_learn_from_is_refused() -> None:
    for rows in ([], [("a", "")], [("a " * 1001, "b")]):
        with pytest.raises(InputError, match="no sentence pair to learn from has words on both"):
            train(rows)


def test_an_aligner_cut_short_or_of_another_kind_is_refused(
    tmp_path: Path, aligner: Aligner
) -> None:
    aligner.save(tmp_path / "aligner")
    data = (tmp_path / "aligner").read_bytes()
    (tmp_path / "aligner").write_bytes(data[:-100])
    with pytest.raises(ModelError, match="cut short"):
        load_aligner(tmp_path / "aligner")
    (tmp_path / "aligner").write_bytes(data.replace(b'"version":"1"', b'"version":"9"'))
    with pytest.raises(ModelError, match="format version 9, and this Miriam reads version 1"):
        load_aligner(tmp_path / "aligner")


@pytest.mark.parametrize("count", [0, 1, 4])
def test_jumps_have_an_odd_number_of_weights(count: int) -> None:
    with pytest.raises(ConfigError, match=f"an odd number, 3 or more, not {count}"):
        Jumps([1.0] * count, 0.2)
