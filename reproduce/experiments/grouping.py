"""# Feature grouping

Table 1 of Liu, Zhao, Watanabe and Sumita (2013), remade with hierarchical rules: a feature for each
rule, tuned on the development set or on training text, by single weights or in groups learnt by
OSCAR. Only the rows shown have been measured: whether grouping helps is still open.

The dense systems. Hierarchical rules are as good as phrases, or better, with 11 dense features
against 19 (100 pops a span, spans of up to 10 words, compound words left whole). With the paper's
eight features and one for unknown words they were 0.7 BLEU worse than phrases on both tests, 39.7
and 35.1; what was missing are the two that say how often a rule was seen. It was not the search:
400 pops, spans of 20 words or 50 rules a source side changed BLEU by -0.3 to +0.05.

What is reduced in the other rows: training text is 5,000 sampled sentences, with as many references
as the tests have, in lists of 50; OSCAR makes one round (T = 1) of 5 passes over the pairs, in
mini-batches of 1,000, from the weights of PRO; those of dense features stay as they are meanwhile.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import structs

from miriam import config
from miriam.features.settings import FeatureSettings, Indicator
from miriam.model.directory import changed_model, open_model
from miriam.pipeline.settings import TranslatorSettings
from miriam.pipeline.translator import CONFIG, WEIGHTS
from miriam.text.files import open_write, read_lines
from rows import CACHE, Column, Figures, Row
from systems import BIBLE, MULTI30K, Data, Texts, model, run, tune_and_test

PHRASES = ("--set", "compounds=keep")
HIERARCHICAL = (*PHRASES, "--preset", "hierarchical", "--set", "search.pops=100")
ROUNDS = ("--set", "rounds=6")
FEW = ("--set", "nbest=50")  # candidates of training sentences
PRO = ["--algorithm", "pro", *ROUNDS]
DENSE = ["LM", "TM:", "Glue", "WordPenalty", "RulePenalty", "UnknownWord"]
STRENGTHS = (1e-4, 1e-3)  # of L1
LAMBDAS = (5e-10, 5e-9)  # λ2 of OSCAR
PAIRS = 5000  # of training text, in a sample
BASELINE = "PRO, dev"


def _columns(data: Data) -> tuple[Column, ...]:
    return (
        Column("active", "active", ",.0f"),
        Column("reused", "reused", ",.0f"),
        Column("dev", "bleu.dev"),
        *(Column(test, f"bleu.{test}") for test in data.tests),
        *(Column(f"length {test}", f"ratio.{test}", ".3f") for test in data.tests),
        Column("CPU min", "cpu_minutes", ".1f"),
    )


COLUMNS = {data.name: _columns(data) for data in (MULTI30K, BIBLE)}


def rows() -> Iterator[Row]:
    """Dense systems first, phrases among them, then the paper's others."""
    for data in (MULTI30K, BIBLE):
        yield row(data, "phrases: PRO, dev", PRO, train=PHRASES)
        dense = row(data, "PRO, dev", PRO)
        yield dense
        yield row(data, "MERT, dev", ["--algorithm", "mert", *ROUNDS])
        yield row(data, "PRO, train", [*PRO, *FEW], sample=True)
        yield row(data, "PRO, dev, +id", PRO, ids=True)
        for strength in STRENGTHS:
            yield row(data, f"L1 {strength:g}, dev, +id", _l1(strength), ids=True, start=dense)
            l1 = [*_l1(strength), *FEW, "--set", "learner.epochs=2"]
            yield row(data, f"L1 {strength:g}, train, +id", l1, ids=True, start=dense, sample=True)
        for lambda2 in LAMBDAS:
            yield row(data, f"OSCAR {lambda2:g}, +group", [*_oscar(lambda2), *FEW], ids=True,
                      start=dense, sample=True)  # fmt: skip


def _l1(strength: float) -> list[str]:
    """Pairwise logistic loss, AdaGrad, and cumulative L1 (Tsuruoka et al., 2009)."""
    return ["--regulariser", "cumulative-l1", "--set", "learner.epochs=6", "--set",
            f"learner.pieces.regulariser.strength={strength:g}"]  # fmt: skip


def _oscar(lambda2: float) -> list[str]:
    return ["--algorithm", "oscar", "--set", "learner.rounds=1", "--set", "learner.tuner_rounds=3",
            "--set", "learner.groups.passes=5",
            "--set", "learner.groups.frozen=" + json.dumps(DENSE),
            "--set", f"learner.groups.regulariser.lambda2={lambda2:g}"]  # fmt: skip


def row(
    data: Data, name: str, tune: Sequence[str], *, train: Sequence[str] = HIERARCHICAL,
    ids: bool = False, sample: bool = False, start: Row | None = None, seed: int = 1,
) -> Row:  # fmt: skip
    """A model with these arguments of `miriam train`, tuned with these of `miriam tune`.

    `ids`: with a feature for each rule; `sample`: tuned on training text, the tuning set being its
    development set; `start`: from the weights of another row.
    """
    settings: dict[str, Any] = {"train": [*train], "tune": [*tune], "ids": ids, "sample": sample}
    if start:
        settings["start"] = start.key

    def measure(folder: Path) -> Figures:
        begin = folder / "start"
        _changed(model(data, train), begin, ids=ids, weights=start)
        texts = replace(data, tuning=_sample(data), development=data.tuning) if sample else data
        judged = replace(texts, tests={"dev": data.chooses, **data.tests})
        figures = dict(tune_and_test(judged, begin, [*tune, "--seed", seed], folder))
        used = _used(begin, folder, next(iter(data.tests.values())))
        shutil.rmtree(begin)
        return {**figures, **used, "cpu_minutes": round(figures["cpu"] / 60, 2)}

    return Row(data=data.name, name=name, seed=seed, settings=settings, measure=measure)


def _changed(made: Path, out: Path, *, ids: bool, weights: Row | None) -> None:
    """A model with rule-id features, or with the weights that a row has learnt."""
    shutil.rmtree(out, ignore_errors=True)
    directory = open_model(made)
    settings = config.load(TranslatorSettings, directory.text(CONFIG))
    with changed_model(directory, out) as folder:
        if ids:
            chosen = FeatureSettings(templates=(Indicator(),))
            settings = structs.replace(settings, features=chosen)
            (folder / CONFIG).write_text(config.dump(settings), encoding="utf-8")
        if weights:
            shutil.copyfile(weights.folder / WEIGHTS, folder / WEIGHTS)


def _sample(data: Data) -> Texts:
    """Training text: source sentences with all their references, those with as many as tests."""
    needed = len(data.tuning.references)
    texts = Texts(
        CACHE / "samples" / f"{data.name}.source",
        tuple(CACHE / "samples" / f"{data.name}.{i}" for i in range(needed)),
    )
    if not texts.references[-1].exists():
        files = [data.train[data.train.index(side) + 1] for side in ("--source", "--target")]
        pairs = zip(*map(read_lines, files), strict=True)
        sentences = [
            [source, *(target for _, target in its)]
            for source, its in groupby(pairs, key=lambda pair: pair[0])
        ]
        whole = [sentence for sentence in sentences if len(sentence) == 1 + needed]
        chosen = random.Random(1).sample(whole, PAIRS)
        texts.source.parent.mkdir(parents=True, exist_ok=True)
        for path, column in zip((texts.source, *texts.references), zip(*chosen, strict=True),
                                strict=True):  # fmt: skip
            with open_write(path) as file:
                file.writelines(f"{line}\n".encode() for line in column)
    return texts


def _used(start: Path, folder: Path, test: Texts) -> Figures:
    """How many features, or groups, have a weight, and how many of them a test set uses."""
    args: list[object] = ["--model", start, "--weights", folder / WEIGHTS]
    if (folder / "groups.txt").exists():
        args += ["--groups", folder / "groups.txt"]
    told = run("weights", *args, "--tokens", "--source", test.source, "--json",
               stdout=subprocess.PIPE)  # fmt: skip
    found = json.loads(told.stdout)
    groups = found["groups"]
    alone = [line for line in found["templates"] if not (groups and line["template"] == "PT")]
    return {
        "active": sum(line["active"] for line in alone) + len(groups),
        "reused": sum(line["reused"] for line in alone) + sum(g["reused"] for g in groups),
        "grouped": sum(group["members"] for group in groups),
    }
