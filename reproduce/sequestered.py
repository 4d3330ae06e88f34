"""The Bible with pairs set aside from its training text, and the tuning sets of 2013.

Green et al. (2013, section 4.4) tune on parts of the training text too. So 25,000 pairs are set
aside before anything is learnt, whole verses at a time. The sets are called as theirs are:

    MT06           the first 700 verses of `tune`, four references
    MT05/6/8       all of `tune`
    bitext5k       5,000 pairs of the training text; each verse up to four times, each time with
    bitext15k      one of its four references
    bitext5k-test  the same, to test on
    MT04, MT09     `test1` and `test2`, four references
    web, kjv       `tune` with one reference, modern or archaic
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from miriam.text.files import open_write, read_lines
from rows import CACHE
from systems import BIBLE, DATA, Data, Texts, locked, run

__all__ = ["SEQUESTERED", "TUNING", "make_parts"]

PARTS = CACHE / "parts" / "bible-aside"
SIZES = {"bitext5k": 5000, "bitext15k": 15000, "bitext5k-test": 5000}
MT06 = 700  # lines
SIDES = ("ar", "en.0", "en.1", "en.2", "en.3")


def _pairs(name: str) -> Texts:
    return Texts(PARTS / f"{name}.ar.gz", (PARTS / f"{name}.en.gz",))


SEQUESTERED = Data(
    "bible-aside",
    ["--source", str(PARTS / "train.ar.gz"), "--target", str(PARTS / "train.en.gz"),
     *BIBLE.train[4:]],
    BIBLE.tuning,
    {"MT04": BIBLE.tests["test1"], "MT09": BIBLE.tests["test2"],
     "bitext5k-test": _pairs("bitext5k-test")},
    development=BIBLE.development,
)  # fmt: skip
DATA[SEQUESTERED.name] = SEQUESTERED

TUNING = {
    "MT06": Texts(PARTS / "mt06.ar", tuple(PARTS / f"mt06.{side}" for side in SIDES[1:])),
    "MT05/6/8": BIBLE.tuning,
    "bitext5k": _pairs("bitext5k"),
    "bitext15k": _pairs("bitext15k"),
    "bitext5k-test": _pairs("bitext5k-test"),
    "MT04": BIBLE.tests["test1"],
    "web": Texts(BIBLE.tuning.source, BIBLE.tuning.references[:1]),
    "kjv": Texts(BIBLE.tuning.source, BIBLE.tuning.references[3:]),
}


def make_parts() -> None:
    """Write the sets that are parts of others, once."""
    with locked(PARTS):
        if PARTS.exists():
            return
        making = PARTS.with_name(f"{PARTS.name}.making")
        making.mkdir(parents=True, exist_ok=True)
        sizes = ",".join(f"{name}={size}" for name, size in SIZES.items())
        run("corpus", "split", "--source", BIBLE.train[1], "--target", BIBLE.train[3],
            "--out-source", making / "{part}.ar.gz", "--out-target", making / "{part}.en.gz",
            "--sizes", sizes)  # fmt: skip
        files = (BIBLE.tuning.source, *BIBLE.tuning.references)
        for side, file in zip(SIDES, files, strict=True):
            with open_write(making / f"mt06.{side}") as out:
                out.writelines(f"{line}\n".encode() for line in _first(file))
        making.rename(PARTS)


def _first(file: object) -> Iterator[str]:
    return islice(read_lines(str(file)), MT06)
