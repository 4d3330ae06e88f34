"""Imported Moses models translate as Moses does, and score derivations as it does."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from miriam.pipeline.moses_model import import_moses_model
from miriam.pipeline.translator import Translator

pytestmark = pytest.mark.shared
SENTENCES = 100


def moses_scores(path: Path) -> list[float]:
    """The scores of Moses' first translation of each sentence."""
    best: dict[int, float] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            number, _, _, score, *_ = line.split(" ||| ")
            best.setdefault(int(number), float(score))
    return [best[number] for number in sorted(best)]


@pytest.mark.parametrize(
    ("ini", "nbest"), [("moses.ini", "nbest.msd.txt.gz"), ("moses.hier.ini", "nbest.hier.txt.gz")]
)
def test_the_best_translations_score_as_moses_best(
    shared_parity: Path, tmp_path: Path, ini: str, nbest: str
) -> None:
    folder = shared_parity / "decode"
    import_moses_model(folder / ini, tmp_path / "model")
    translator = Translator(tmp_path / "model", overrides=["search.pops=2000"])
    lines = (folder / "input.de").read_text(encoding="utf-8").splitlines()
    theirs = moses_scores(folder / nbest)
    ours = [row[0].score for row in translator.decode_all(lines[: len(theirs)])]
    worse = [b - a for a, b in zip(ours, theirs, strict=True) if a < b - 1e-3]
    same = sum(abs(a - b) < 1e-3 for a, b in zip(ours, theirs, strict=True))
    assert sum(ours) >= sum(theirs) - 1e-2
    assert len(worse) <= len(ours) // 20  # search errors of either side
    assert same >= 0.9 * len(ours)
