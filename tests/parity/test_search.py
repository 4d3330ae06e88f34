"""Moses' n-best lists and scores, by our features and our search."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from miriam.lm.model import LanguageModel
from miriam.rules.moses_import import import_moses
from miriam.search import Decoder, SearchSettings

TM = [0.0456367215560655, 0.0295371745343138, 0.0679381463749583, 0.0366581710791708]
MSD = [
    0.151059220185562, 0.0269247175986431, 0.0529259949826207,
    0.0944011438662686, 0.0583991589071604, 0.0860914315150839,
]  # fmt: skip
HIER = [0.15, 0.02, 0.05, 0.05, 0.09, 0.06, 0.03, 0.08]
OTHERS = {
    "LM": 0.0955210806624715, "LinearDistortion": 0.0263066436931236,
    "WordPenalty": -0.126818393891924, "PhrasePenalty": 0.101782001152634, "UnknownWord": 100.0,
}  # fmt: skip
KINDS = {"msd": ("wbe-msd", MSD), "hier": ("hier-mslr", HIER)}


def moses_model(folder: Path, out: Path, kind: str) -> tuple[Decoder, np.ndarray]:
    name, orientation = KINDS[kind]
    table = import_moses(
        folder / "phrase-table.gz",
        out,
        reordering=[folder / f"reordering-table.{name}-bidirectional-fe.gz"],
    )
    decoder = Decoder(table, {"LM": LanguageModel.load(folder / "lm.arpa.gz")})
    weights = decoder.features.weights(OTHERS)
    weights[: 4 + len(orientation)] = TM + orientation
    weights.setflags(write=False)
    return decoder, weights


Candidate = tuple[list[tuple[int, int, str]], list[float], float]


def moses_list(path: Path) -> dict[int, list[Candidate]]:
    """Segmentation, feature values and total of each candidate, by sentence."""
    lists: dict[int, list[Candidate]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            number, text, values, total, spans, *_ = (f.strip() for f in line.split("|||"))
            words = text.split()
            phrases = []
            for span in spans.split():
                (b, e), (tb, te) = (
                    (int(side.split("-")[0]), int(side.split("-")[-1]) + 1)
                    for side in span.split("=")
                )
                phrases.append((b, e, " ".join(words[tb:te])))
            scores = [float(v) for v in values.split() if not v.endswith("=")]
            lists.setdefault(int(number), []).append((phrases, scores, float(total)))
    return lists


def tolerance(printed: np.ndarray) -> np.ndarray:
    """1e-4, or half a unit of the sixth digit; 4 % more for Moses' sums of single precision."""
    digit: np.ndarray = 10.0 ** (np.floor(np.log10(np.maximum(np.abs(printed), 1e-9))) - 5)
    return np.asarray(np.maximum(1e-4, 0.52 * digit) + 3e-7 * np.abs(printed))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["msd", "hier"])
def test_moses_lists_have_our_scores(kind: str, shared_parity: Path, tmp_path: Path) -> None:
    folder = shared_parity / "decode"
    decoder, weights = moses_model(folder, tmp_path, kind)
    lists = moses_list(folder / f"nbest.{kind}.txt.gz")
    sources = (folder / "input.de").read_text(encoding="utf-8").split("\n")
    decoded = decoder.rescore(
        [sources[i] for i in lists], [[c[0] for c in candidates] for candidates in lists.values()],
        weights,
    )  # fmt: skip
    names = ["LinearDistortion", "LM", "WordPenalty", "PhrasePenalty"]
    turns = range(4, 4 + len(KINDS[kind][1]))
    columns = [*turns, *(decoder.features.id(name) for name in names), *range(4)]
    theirs = np.array([c[1] for candidates in lists.values() for c in candidates])
    ours = decoded.nbest.dense[:, columns]
    assert (np.abs(ours - theirs) <= tolerance(theirs)).all()
    totals = np.array([c[2] for candidates in lists.values() for c in candidates])
    # A total adds up fourteen rounded products in single precision.
    assert (np.abs(decoded.scores - totals) <= tolerance(totals) + 5e-5).all()


@pytest.mark.slow
def test_the_best_scores_are_at_least_those_of_moses2(shared_parity: Path, tmp_path: Path) -> None:
    folder = shared_parity / "decode"
    decoder, weights = moses_model(folder, tmp_path, "msd")
    sources = (folder / "input.de").read_text(encoding="utf-8").splitlines()
    for pops in (400, 1000, 5000):
        decoder.settings = SearchSettings(pops=pops)
        ours = decoder.decode(sources, weights, threads=2).scores
        with gzip.open(folder / f"best.moses2.{pops}.tsv.gz", "rt", encoding="utf-8") as lines:
            theirs = np.array([float(line.split("\t")[0]) for line in lines])
        assert ours.mean() >= theirs.mean()
