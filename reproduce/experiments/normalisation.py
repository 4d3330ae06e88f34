"""# Spelling normalisation

Swedish official records of 1527 to 1812 (GaW), and Slovene texts of 1840 to 1899 (goo300k, Gaj's
alphabet), in the form of Bollmann (2019). The figures are word accuracy on the test set: the share
of running words that get exactly their modern form. The training words are drawn at random, anew
with each seed, and all systems of a row have the same ones. Weights are learnt on the training
words alone, by cross-validation; the development set is not used, but for the rows that say so. One
settings file, the preset `characters` as it is, goes for all rows.

*Memorised* gives a known word its most frequent form and leaves others alone. The published figures
(Bollmann 2019, table 6, means over random subsets too) are cSMTiser's, a character-level Moses with
the same list of modern words and weights tuned on the development set, and those of the best neural
system; Norma's were not at hand. Seconds are CPU time, of training on one thread, and of reading
the model and normalising the whole test set, on a machine at other work too; words a second are
running words of the test set by these CPU seconds.
"""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from miriam.metrics import Cer, corpus_score
from rows import CACHE, Column, Figures, Row
from systems import SHARED

BASELINE = None
SETS = {"swedish": "histnorm-sv", "slovene": "histnorm-sl-gaj"}
SUBSETS = {500: 5, 1000: 5, 5000: 3, 10_000: 3, 50_000: 2}
PUBLISHED = {
    ("swedish", 1000): (78.51, 72.09), ("swedish", 10_000): (88.57, 85.24),
    ("slovene", 1000): (90.00, 88.10), ("slovene", 10_000): (93.53, 91.98),
    ("slovene", 50_000): (95.36, 94.93),
}  # fmt: skip
WITH_DEV = ((1000, 2), (10_000, 1), (50_000, 1))  # sizes, seeds: with the development set

_COLUMNS = (
    Column("accuracy", "accuracy"),
    Column("known", "known"),
    Column("unknown", "unknown"),
    Column("CER", "cer"),
    Column("memorised", "memorised"),
    Column("unchanged", "identity"),
    Column("cSMTiser", "csmtiser"),
    Column("neural", "neural"),
    Column("train CPU s", "train", ".0f"),
    Column("train MB", "megabytes", ".0f"),
    Column("normalise CPU s", "apply", ".1f"),
    Column("words a s", "speed", ",.0f"),
)
COLUMNS = dict.fromkeys(SETS, _COLUMNS)


def read(folder: str, name: str) -> list[tuple[str, str]]:
    """The pairs of a set."""
    plain = SHARED / "data" / folder / f"{name}.tsv"
    if plain.exists():
        text = plain.read_text(encoding="utf-8")
    else:
        text = gzip.decompress(Path(f"{plain}.gz").read_bytes()).decode()
    pairs = (line.split("\t") for line in text.splitlines())
    return [(word, form) for word, form in pairs]


def write(path: Path, lines: list[str]) -> Path:
    """A file of lines."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def percent(right: int, total: int) -> float | None:
    """A share, if there is anything to have a share of."""
    return round(100 * right / total, 4) if total else None


def baselines(train: list[tuple[str, str]], test: list[tuple[str, str]]) -> dict[str, Any]:
    """Accuracy of leaving words alone, and of the most frequent form of known ones."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for word, form in train:
        forms[word][form] += 1
    best = {word: found.most_common(1)[0][0] for word, found in forms.items()}
    right = sum(best.get(word, word) == form for word, form in test)
    same = sum(word == form for word, form in test)
    return {"memorised": percent(right, len(test)), "identity": percent(same, len(test))}


def accuracies(found: Path, test: list[tuple[str, str]], known: set[str]) -> dict[str, Any]:
    """Accuracy on all words, on known and on unknown ones; the character error rate."""
    forms = found.read_text(encoding="utf-8").splitlines()
    right = [a == b for a, (_, b) in zip(forms, test, strict=True)]
    seen = [word in known for word, _ in test]
    on_known = [r for r, s in zip(right, seen, strict=True) if s]
    on_unknown = [r for r, s in zip(right, seen, strict=True) if not s]
    return {
        "accuracy": percent(sum(right), len(right)),
        "known": percent(sum(on_known), len(on_known)),
        "unknown": percent(sum(on_unknown), len(on_unknown)),
        "cer": round(corpus_score(Cer(), forms, [[form for _, form in test]]), 4),
    }


def row(data: str, size: int | None, seed: int, *, dev: bool = False) -> Row:
    """Training on so many words (None: all), and testing."""
    name = f"{size:,} words" if size else "all words"
    settings = {"size": size, "dev": dev, "preset": "characters"}

    def measure(folder: Path) -> Figures:
        train = read(SETS[data], "train")
        if size:
            train = random.Random(seed).sample(train, size)
        test = read(SETS[data], "test")
        pairs = write(folder / "pairs.tsv", ["\t".join(pair) for pair in train])
        more = ["--modern", SHARED / "data" / SETS[data] / "modern.txt.gz"]
        if dev:
            held = ["\t".join(pair) for pair in read(SETS[data], "dev")]
            more += ["--dev-pairs", write(folder / "dev.tsv", held)]
        model = CACHE / f"normalisation-{data}-{size}-{seed}-{dev}"
        train_seconds, megabytes = measured(
            "train", "--preset", "characters", "--pairs", pairs, *more, "--out", model,
            "--threads", 1, inputs=os.devnull, output=folder / "train.txt",
        )  # fmt: skip
        words = write(folder / "words.txt", [word for word, _ in test])
        seconds, _ = measured(
            "normalise", "--model", model, "--input", "words", "--threads", 1,
            inputs=words, output=folder / "test.hyp",
        )  # fmt: skip
        published = PUBLISHED.get((data, size or 0), (None, None))
        return {
            **accuracies(folder / "test.hyp", test, {word for word, _ in train}),
            **baselines(train, test),
            "csmtiser": published[0], "neural": published[1],
            "train": round(train_seconds, 1), "apply": round(seconds, 1),
            "speed": round(len(test) / seconds), "megabytes": megabytes,
        }  # fmt: skip

    return Row(data=data, name=name + " and dev" * dev, seed=seed, settings=settings,
               measure=measure)  # fmt: skip


def measured(command: str, *args: object, inputs: Path | str, output: Path) -> tuple[float, int]:
    """CPU seconds and megabytes that a command of Miriam takes."""
    call = [sys.executable, "-m", "miriam", command, *map(str, args)]
    with Path(inputs).open() as source, output.open("w") as out:
        process = subprocess.Popen(call, stdin=source, stdout=out)
        _, status, used = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"miriam {command} ended with status {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss >> 10


def rows() -> Iterator[Row]:
    """Every size with its subsets, and all words; small sizes come first."""
    for data in SETS:
        whole = len(read(SETS[data], "train"))
        for size, seeds in SUBSETS.items():
            for seed in range(1, seeds + 1):
                if size <= whole:
                    yield row(data, size, seed)
        yield row(data, None, 1)
        for size, seeds in WITH_DEV:
            for seed in range(1, seeds + 1):
                if size <= whole:
                    yield row(data, size, seed, dev=True)
