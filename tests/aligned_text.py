"""Aligned sentence pairs as the files that rules are extracted from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from miriam.rules.shards import Corpus
from oracles.rules import Pair


def write(corpus: Sequence[Pair], folder: Path) -> Corpus:
    """The corpus of some pairs, with their domains."""
    columns = {
        "source": [" ".join(pair.source) for pair in corpus],
        "target": [" ".join(pair.target) for pair in corpus],
        "links": [" ".join(f"{f}-{e}" for f, e in pair.links) for pair in corpus],
        "domains": [pair.domain for pair in corpus],
    }
    for name, lines in columns.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return Corpus(*(folder / name for name in columns))
