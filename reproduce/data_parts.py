"""Parts and labels of the data sets, made once from their files and kept in the cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from miriam.text.files import open_write, read_lines
from rows import CACHE
from systems import BIBLE, DATA, MULTI30K, SHARED, Data, Texts, run

__all__ = ["BIBLE_FDA", "BIBLE_GOLD", "MULTI30K_5000", "MULTI30K_HALF"]

PARTS = CACHE / "parts"
ASIDE = 5000  # pairs of the training text to tune on
EVERY = 5  # one of so many is set aside, until there are enough
DEFAULT = "history"  # the domain that is not selected for: the largest


def _write(path: Path, lines: Sequence[str]) -> Path:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_write(path) as file:
            file.writelines(f"{line}\n".encode() for line in lines)
    return path


def _multi30k() -> tuple[Data, Data]:
    """Half of the development set to tune on, or pairs of the training text; the same training."""
    source, target = MULTI30K.train[1], MULTI30K.train[3]
    names = {"de": source, "en": target}
    aside, rest, tune, choose = {}, {}, {}, {}
    for side, path in names.items():
        lines = list(read_lines(path))
        chosen = set(range(0, EVERY * ASIDE, EVERY))
        aside[side] = _write(PARTS / f"aside.{side}", [lines[i] for i in sorted(chosen)])
        kept = [line for i, line in enumerate(lines) if i not in chosen]
        rest[side] = _write(PARTS / f"rest.{side}", kept)
        dev = {"de": MULTI30K.tuning.source, "en": MULTI30K.tuning.references[0]}
        lines = list(read_lines(dev[side]))
        tune[side] = _write(PARTS / f"dev-even.{side}", lines[::2])
        choose[side] = _write(PARTS / f"dev-odd.{side}", lines[1::2])
    half = Data(
        "multi30k-half",
        ["--source", str(rest["de"]), "--target", str(rest["en"])],
        Texts(tune["de"], (tune["en"],)),
        MULTI30K.tests,
        development=Texts(choose["de"], (choose["en"],)),
        variant="half",
    )
    aside_texts = Texts(aside["de"], (aside["en"],))
    return half, replace(half, name="multi30k-5000", tuning=aside_texts, variant="5000")


def _bible() -> tuple[Data, Data]:
    """The domains of all sentences; of the training text by their labels, or by selection."""
    folder = SHARED / "data" / "bible-ar-en"

    def labelled(texts: Texts | None, name: str) -> Texts:
        assert texts is not None
        return replace(texts, domains=folder / f"{name}.domain")

    gold = replace(
        BIBLE,
        train=[*BIBLE.train, "--domains", str(folder / "train.domain.gz")],
        tuning=labelled(BIBLE.tuning, "tune"),
        development=labelled(BIBLE.development, "dev"),
        tests={name: labelled(texts, name) for name, texts in BIBLE.tests.items()},
        variant="gold",
    )
    selected = PARTS / "train.fda.domain"
    train = [*BIBLE.train, "--domains", str(selected)]
    if not selected.exists():
        _select(folder, selected)
    return gold, replace(gold, train=train, variant="fda")


def _select(folder: Path, out: Path) -> None:
    """Labels by feature decay, from the sentences of the tuning set in each domain."""
    sentences = list(read_lines(folder / "tune.ar.gz"))
    domains = list(read_lines(folder / "tune.domain"))
    options: list[object] = []
    for domain in sorted(set(domains) - {DEFAULT}):
        own = [s for s, d in zip(sentences, domains, strict=True) if d == domain]
        path = _write(PARTS / f"tune.{domain}.ar", own)
        options += ["--in-domain", f"{domain}={path}"]
    run("select", "--source", folder / "train.ar.gz", *options, "--out-domains", out)


MULTI30K_HALF, MULTI30K_5000 = _multi30k()
BIBLE_GOLD, BIBLE_FDA = _bible()
DATA.update({data.name: data for data in (MULTI30K_HALF, MULTI30K_5000)})
