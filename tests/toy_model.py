"""A little parallel text, from which a model is trained in a second."""

from __future__ import annotations

from itertools import product
from pathlib import Path

NOUNS = {"Hund": "dog", "Mann": "man", "Baum": "tree", "Ball": "ball"}
VERBS = {"sieht": "sees", "hat": "has", "sucht": "seeks", "malt": "paints"}


def write_text(folder: Path) -> list[Path]:
    """The files `a.de` and `a.en`, as people write."""
    pairs = [
        (f"Der {n1} {v} einen {n2}.", f"The {e1} {w} a {e2}.")
        for (n1, e1), (v, w), (n2, e2) in product(NOUNS.items(), VERBS.items(), NOUNS.items())
    ]
    files = [folder / "a.de", folder / "a.en"]
    for file, column in zip(files, zip(*pairs, strict=True), strict=True):
        file.write_text("".join(f"{line}\n" for line in column), encoding="utf-8")
    return files
