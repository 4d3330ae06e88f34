"""Reranking with 50,000 sparse features improves lists that were not learnt from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import Miriam
from miriam.features.weights import read_weights
from miriam.lexicon.vocabulary import Vocabulary
from miriam.metrics import BleuPlusOne
from miriam.tune.batch import KbMira, Pro
from miriam.tune.files import read_nbest, write_nbest
from miriam.tune.learner import Pieces
from miriam.tune.lists import Candidates, RowList
from miriam.tune.losses import Expected
from miriam.tune.online import Online
from miriam.tune.rerank import Lists, apply, score_lists, tune
from miriam.tune.settings import AnyLearner, Tuning

SENTENCES, SIZE, LENGTH, WORDS = 400, 100, 10, 2000
RARE = 60_000


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """100-best lists of a made-up system, in two folders with the files `nbest` and `ref`.

    Each source word has a right translation, `r`, and a wrong one, `w`; a candidate has features
    `WT:word~r` or `WT:word~w`, so what is right can be learnt word by word. `model` is the system's
    own opinion, nearly noise, and `rare`s fire without meaning anything.
    """
    names = Vocabulary()
    rng = np.random.default_rng(7)
    share = 1 / np.arange(1, WORDS + 1)
    lists, references = [], []
    for sentence in range(SENTENCES):
        source = rng.choice(WORDS, LENGTH, p=share / share.sum())
        texts, rows = [], []
        for _ in range(SIZE):
            right = rng.random(LENGTH) < 0.5
            pairs = [f"{w}~{'r' if r else 'w'}" for w, r in zip(source, right, strict=True)]
            row = {f"WT:{pair}": float(pairs.count(pair)) for pair in pairs}
            row["model"] = float(0.3 * right.sum() + rng.normal())
            row |= {f"rare{i}": 1.0 for i in rng.integers(0, RARE, 3)}
            texts.append(" ".join(pairs))
            rows.append(row)
        number = sentence % (SENTENCES // 2)
        lists.append(Candidates(number, texts, RowList.of(rows, names), np.zeros(SIZE)))
        references.append(" ".join(f"{w}~r" for w in source) + "\n")
    folders = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("other")
    for folder, begin in zip(folders, (0, SENTENCES // 2), strict=True):
        half = slice(begin, begin + SENTENCES // 2)
        write_nbest(folder / "nbest", lists[half], names)
        (folder / "ref").write_text("".join(references[half]))
    return folders


def scored(folder: Path, names: Vocabulary) -> Lists:
    references = [[line] for line in (folder / "ref").read_text().splitlines()]
    return score_lists(read_nbest(folder / "nbest", names), references, BleuPlusOne())


def test_the_held_out_half_improves_by_the_command_line(
    halves: tuple[Path, Path], tmp_path: Path, miriam: Miriam
) -> None:
    one, other = halves
    result = miriam(
        "rerank", "tune", "--nbest", one / "nbest", "--references", one / "ref",
        "--out", tmp_path / "weights", "--set", "learner.epochs=5",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    applied = miriam(
        "rerank", "apply", "--nbest", other / "nbest", "--weights", tmp_path / "weights",
        "--out", tmp_path / "best",
    )  # fmt: skip
    assert applied.returncode == 0, applied.stderr
    names = Vocabulary()
    held_out = scored(other, names)
    assert len(names) > 30_000
    by_model, by_all = (
        held_out.pool.score(np.array([weights.get(names.word(i), 0.0) for i in range(len(names))]))
        for weights in ({"model": 1.0}, read_weights(tmp_path / "weights"))
    )
    assert by_all > by_model + 10


LEARNERS: dict[str, AnyLearner] = {
    "expected": Online(pieces=Pieces(loss=Expected()), epochs=5),
    "pro": Pro(),
    "kbmira": KbMira(passes=5),
}


@pytest.mark.parametrize("learner", LEARNERS)
def test_so_it_does_by_other_learners(halves: tuple[Path, Path], learner: str) -> None:
    names = Vocabulary()
    lists, held_out = (scored(half, names) for half in halves)
    assert len(names) > 50_000
    tuned = tune(Tuning(learner=LEARNERS[learner]), lists, names, start={"model": 0.1})
    vector = np.array([tuned.weights.get(names.word(i), 0.0) for i in range(len(names))])
    start = np.where(np.arange(len(names)) == names.find("model"), 1.0, 0.0)
    assert held_out.pool.score(vector) > held_out.pool.score(start) + 10
    first = next(apply(read_nbest(halves[1] / "nbest", names), tuned.weights, names))
    assert first.totals[0] == first.totals.max()
