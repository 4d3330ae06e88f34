"""A made-up spelling is learnt: words that were never seen get their modern form."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from miriam.pipeline.spelling.model import Normaliser
from miriam.pipeline.spelling.settings import SpellingSettings
from miriam.pipeline.spelling.train import WordFiles, train_normaliser

SYLLABLES = ("ka", "to", "mi", "ru", "fel", "san", "dor", "lin", "gu", "ven")


def old(modern: str) -> str:
    """How the made-up language was once spelt."""
    word = modern.replace("k", "ck").replace("f", "ph").replace("ru", "rv")
    return word + "e" if word.endswith("n") else word


def words(count: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(SYLLABLES, rng.integers(2, 5))) for _ in range(count)]


def write(folder: Path, name: str, count: int, seed: int) -> Path:
    path = folder / name
    path.write_text("".join(f"{old(w)}\t{w}\n" for w in words(count, seed)), encoding="utf-8")
    return path


def test_new_words_get_their_modern_form(tmp_path: Path) -> None:
    pairs = write(tmp_path, "pairs.tsv", 400, seed=1)
    settings = SpellingSettings(folds=3)
    train_normaliser(WordFiles(pairs), tmp_path / "model", settings=settings)
    model = Normaliser(tmp_path / "model")
    new = [word for word in words(300, seed=2) if old(word) not in model.pairs]
    assert len(new) > 150
    found = model.normalise([old(word) for word in new])
    assert np.mean([a == b for a, b in zip(found, new, strict=True)]) > 0.97


def test_a_word_list_decides_where_spelling_does_not(tmp_path: Path) -> None:
    """An old `e` at the end stands for nothing or for `e`; only the list tells which."""
    lines = [f"{w}e\t{w}\n" if i % 2 else f"{w}e\t{w}e\n" for i, w in enumerate(words(400, 1))]
    pairs, modern = tmp_path / "pairs.tsv", tmp_path / "modern.txt"
    pairs.write_text("".join(lines), encoding="utf-8")
    new = [w if i % 2 else f"{w}e" for i, w in enumerate(words(200, 2))]
    forms = [line.rstrip("\n").split("\t")[1] for line in lines]
    modern.write_text("\n".join([*forms, *new]), encoding="utf-8")
    train_normaliser(WordFiles(pairs, modern=modern), tmp_path / "model",
                     settings=SpellingSettings(folds=3))  # fmt: skip
    model = Normaliser(tmp_path / "model")
    listed = {*forms, *new}
    stems = [(w, w.removesuffix("e")) for w in new]
    clear = [w for w, stem in stems if len({stem, f"{stem}e"} & listed) == 1]
    asked = [w if w.endswith("e") else f"{w}e" for w in clear]
    unseen = [(w, a) for w, a in zip(clear, asked, strict=True) if a not in model.pairs]
    found = model.normalise([a for _, a in unseen])
    assert np.mean([f == w for f, (w, _) in zip(found, unseen, strict=True)]) > 0.8
