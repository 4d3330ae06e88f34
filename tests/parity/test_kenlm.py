"""The digits of KenLM: lmplz' models, and the scores of its query."""

from __future__ import annotations

import gzip
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from conftest import ROOT
from miriam.lm import Estimation, LanguageModel, estimate
from miriam.lm.arpa import read_arpa
from miriam.lm.model import write_model

GOLDEN = ROOT / "tests" / "golden" / "lm"
LMPLZ = shutil.which("lmplz")
TINY = [("english", 4), ("arabic", 3), ("characters", 6)]
SHARED_TEXTS = [
    ("multi30k-de-en/train.en.gz", 5),
    ("multi30k-de-en/train.de.gz", 4),
    ("histnorm-sv/modern.txt.gz", 3),
]


def grams_of(path: Path) -> dict[str, tuple[float, float]]:
    """The log10 probability and back-off of each n-gram of an ARPA file."""
    grams = {}
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for line in content.decode().splitlines():
        log, *rest = line.split("\t")
        if rest:
            grams[rest[0]] = (float(log), float(rest[1]) if len(rest) > 1 else 0.0)
    return grams


def assert_same_model(ours: Path, theirs: Path) -> None:
    found, expected = grams_of(ours), grams_of(theirs)
    assert found.keys() == expected.keys()
    values = np.array([found[gram] for gram in expected])
    assert np.abs(values - np.array(list(expected.values()))).max() < 1e-4


@pytest.mark.parametrize(("name", "order"), TINY)
@pytest.mark.parametrize("prune", [(0,), (0, 1, 2)])
def test_estimates_are_those_of_lmplz(
    tmp_path: Path, name: str, order: int, prune: tuple[int, ...]
) -> None:
    ours = tmp_path / "ours.arpa"
    estimate(GOLDEN / f"{name}.txt.gz", Estimation(order=order, prune=prune)).write(ours)
    assert_same_model(ours, GOLDEN / f"{name}.{'-'.join(map(str, prune))}.arpa.gz")


@pytest.mark.slow
@pytest.mark.skipif(LMPLZ is None, reason="needs lmplz, a program of KenLM's")
@pytest.mark.parametrize(("text", "order"), SHARED_TEXTS)
@pytest.mark.parametrize("prune", [(0,), (0, 0, 1), "vocabulary"])
def test_estimates_are_those_of_lmplz_on_large_texts(
    tmp_path: Path, shared_data: Path, text: str, order: int, prune: tuple[int, ...] | str
) -> None:
    assert LMPLZ
    ours, theirs, words = (tmp_path / name for name in ("ours.arpa", "theirs.arpa", "words"))
    content = gzip.decompress((shared_data / text).read_bytes())
    arguments = ["--order", str(order), "--memory", "400M", "--temp_prefix", str(tmp_path)]
    arguments += ["--discount_fallback"]
    if isinstance(prune, str):
        kept = sorted(set(content.decode().split()))[::2]
        words.write_text("\n".join(kept))
        arguments += ["--limit_vocab_file", str(words)]
        settings = Estimation(order=order, vocabulary=frozenset(kept))
    else:
        arguments += ["--prune", *map(str, prune)]
        settings = Estimation(order=order, prune=prune)
    with theirs.open("wb") as out:
        subprocess.run(
            [LMPLZ, *arguments], input=content, stdout=out, stderr=subprocess.DEVNULL, check=True
        )
    estimate(shared_data / text, settings).write(ours)
    assert_same_model(ours, theirs)


@pytest.mark.parametrize(("name", "order"), TINY)
def test_scores_are_those_of_kenlm(tmp_path: Path, name: str, order: int) -> None:
    kenlm = pytest.importorskip("kenlm")
    arpa = tmp_path / "m.arpa"
    arpa.write_bytes(gzip.decompress((GOLDEN / f"{name}.0.arpa.gz").read_bytes()))
    with gzip.open(GOLDEN / f"{name}.txt.gz", "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    lines += [" ".join(reversed(line.split())) for line in lines] + ["never-seen a", ""]
    assert_same_scores(LanguageModel.load(arpa), kenlm.Model(str(arpa)), lines)


def test_scores_of_an_imported_model_are_those_of_kenlm(
    tmp_path: Path, shared_parity: Path
) -> None:
    kenlm = pytest.importorskip("kenlm")
    table = tmp_path / "m.lm"
    path = shared_parity / "decode" / "lm.arpa.gz"
    write_model(table, read_arpa(path)[0])
    with gzip.open(shared_parity / "decode" / "lm-text.en.gz", "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()[::7]
    lines += [" ".join(reversed(line.split())) for line in lines]
    assert_same_scores(LanguageModel.load(table), kenlm.Model(str(path)), lines)


def assert_same_scores(model: LanguageModel, peer: object, lines: list[str]) -> None:
    scores = model.score_words(lines)
    theirs = [list(peer.full_scores(line)) for line in lines]  # type: ignore[attr-defined]
    # KenLM adds up in single precision, so what is compared are the words and their sums in double.
    logs = [log for line in theirs for log, _, _ in line]
    assert np.abs(scores.logs / math.log(10) - np.array(logs)).max() < 1e-5
    assert [int(order) for order in scores.orders] == [n for line in theirs for _, n, _ in line]
    assert scores.unknown.tolist() == [unknown for line in theirs for _, _, unknown in line]
    sums = [math.fsum(log for log, _, _ in line) for line in theirs]
    assert np.abs(model.score_batch(lines) / math.log(10) - np.array(sums)).max() < 1e-5
