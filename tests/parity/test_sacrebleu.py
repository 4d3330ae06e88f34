"""The numbers of `miriam evaluate` are those of the `sacrebleu` command, to the last digit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sacrebleu import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

from conftest import Miriam

pytestmark = pytest.mark.shared
LINES = 1016


@pytest.fixture(scope="module")
def corpus(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dev set, each English version by itself, and systems made of the King James Version."""
    folder = tmp_path_factory.mktemp("bible")
    lines = [_read(shared_data / "bible-ar-en" / f"dev.en.{i}") for i in range(4)]
    for i, version in enumerate(lines):
        _write(folder / f"dev.{i}", [line.capitalize() for line in version])
    king_james = lines[3]
    _write(folder / "short", [" ".join(line.split()[:-2]) for line in king_james])
    _write(folder / "mixed", [lines[i % 3][i] for i in range(LINES)])
    _write(folder / "swapped", [" ".join(reversed(line.split(" , "))) for line in king_james])
    return folder


@pytest.fixture(scope="module")
def small(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first lines of the same files, for what takes long."""
    folder = tmp_path_factory.mktemp("small")
    for path in corpus.iterdir():
        _write(folder / path.name, _read(path)[:10])
    return folder


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _read(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def sacrebleu(folder: Path, *args: str) -> Any:
    env = {k: v for k, v in os.environ.items() if k != "SACREBLEU_SEED"}
    result = subprocess.run(
        [sys.executable, "-m", "sacrebleu", *args, "--format", "json", "-w", "12", "--force"],
        cwd=folder, env=env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(result.stdout)


def ours(miriam: Miriam, folder: Path, *args: str) -> list[dict[str, Any]]:
    result = miriam("evaluate", *args, "--json", cwd=folder)
    assert result.returncode == 0, result.stderr
    metrics: list[dict[str, Any]] = json.loads(result.stdout)["metrics"]
    return metrics


def same_scores(
    miriam: Miriam, folder: Path, references: list[str], theirs: list[str], mine: list[str]
) -> None:
    """A system scored by both, with sacreBLEU's options and with ours."""
    found = ours(miriam, folder, "--hypothesis", "mixed", "--references", *references, *mine)
    results = sacrebleu(folder, *references, "-i", "mixed", *theirs)
    for expected in results if isinstance(results, list) else [results]:
        (metric,) = (m for m in found if m["metric"] == expected["name"])
        score = metric["systems"]["mixed"]["score"]
        assert float(f"{score:.12f}") == expected["score"], expected
        assert metric["signature"] == expected["signature"]


ALL = ["dev.0", "dev.1", "dev.2", "dev.3"]
CASES = [
    pytest.param(ALL, ["-m", "bleu", "chrf"], ["--metric", "bleu,chrf"], id="cased"),
    pytest.param(
        ALL[:3],
        ["-m", "bleu", "chrf", "-lc", "--chrf-lowercase", "-tok", "none"],
        ["--metric", "bleu,chrf", "--lowercase", "--tokens"],
        id="uncased tokens",
    ),
]


@pytest.mark.parametrize(("references", "theirs", "mine"), CASES)
def test_bleu_and_chrf_of_the_dev_set(
    miriam: Miriam, corpus: Path, references: list[str], theirs: list[str], mine: list[str]
) -> None:
    same_scores(miriam, corpus, references, theirs, mine)


@pytest.mark.slow
@pytest.mark.parametrize("references", [ALL, ALL[:3]], ids=["4 references", "3 references"])
@pytest.mark.parametrize(
    ("theirs", "mine"),
    [([], []), (["--ter-case-sensitive"], ["--cased"])],
    ids=["uncased", "cased"],
)
def test_ter_of_the_dev_set(
    miriam: Miriam, corpus: Path, references: list[str], theirs: list[str], mine: list[str]
) -> None:
    same_scores(miriam, corpus, references, ["-m", "ter", *theirs], ["--metric", "ter", *mine])


@pytest.mark.parametrize(
    ("theirs", "mine"),
    [([], []), (["--ter-case-sensitive"], ["--cased"])],
    ids=["uncased", "cased"],
)
def test_ter_of_some_lines(miriam: Miriam, small: Path, theirs: list[str], mine: list[str]) -> None:
    same_scores(miriam, small, ALL[:3], ["-m", "ter", *theirs], ["--metric", "ter", *mine])


def same_probabilities(miriam: Miriam, folder: Path, baseline: str, systems: list[str]) -> None:
    """Of BLEU, chrF and TER, with three references, by whose mean length TER divides."""
    references = ALL[:3]
    found = ours(
        miriam, folder, "--baseline", baseline, "--hypothesis", *systems,
        "--references", *references,
    )  # fmt: skip
    randomised = sacrebleu(
        folder, *references, "-i", baseline, *systems, "-m", "bleu", "chrf", "ter", "--paired-ar"
    )
    # The command cannot write the bootstrap's result as JSON (TypeError), so by its class:
    resampled: dict[str, list[Any]] = PairedTest(
        [(name, _read(folder / name)) for name in [baseline, *systems]],
        {"BLEU": BLEU(), "CHRF": CHRF(), "TER": TER()},
        [_read(folder / name) for name in references],
        test_type="bs",
    )()[1]
    for metric in found:
        for i, system in enumerate([baseline, *systems]):
            verdict = metric["systems"][system]
            ar, bs = randomised[i][metric["metric"]], resampled[metric["metric"]][i]
            assert verdict["score"] == ar["score"] == bs.score
            assert verdict["p_randomisation"] == ar["p_value"]
            assert verdict["p_bootstrap"] == bs.p_value
            assert (verdict["mean"], verdict["interval"]) == (float(bs.mean), float(bs.ci))


def test_probabilities_of_some_lines(miriam: Miriam, small: Path) -> None:
    same_probabilities(miriam, small, "mixed", ["short"])


@pytest.mark.slow
def test_probabilities_of_the_dev_set(miriam: Miriam, corpus: Path) -> None:
    same_probabilities(miriam, corpus, "mixed", ["short", "swapped"])
