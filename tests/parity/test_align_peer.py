"""The `fast` model beside fast_align, on the alignment that Moses' tables were made from."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from miriam.align.models import AlignSettings, Fast
from miriam.align.train import train
from miriam.text.files import read_lines, read_parallel
from oracles.align import error_rate

PAIRS = 2000


@pytest.mark.slow
def test_fast_agrees_with_fast_align(shared_data: Path, shared_parity: Path) -> None:
    folder = shared_parity / "extract"
    rows: list[tuple[str, ...]] = [
        (html.unescape(source), html.unescape(target))
        for source, target in read_parallel([folder / "train.de", folder / "train.en"])
    ]
    # The 29,000 pairs begin with these 2,000; our copy of them lacks a few doubles.
    data = shared_data / "multi30k-de-en"
    everything = list(read_parallel([data / "train.de.gz", data / "train.en.gz"]))
    rows += everything[everything.index(rows[-1]) + 1 :]
    settings = AlignSettings(model=Fast(), symmetrise="grow-diag-final-and")
    links = train(rows, settings, threads=2).align(rows, threads=2)
    found = [{(i, j) for i, j in links[n].tolist()} for n in range(PAIRS)]
    theirs = []
    for line in read_lines(folder / "aligned"):
        points = [point.split("-") for point in line.split()]
        theirs.append({(int(i), int(j)) for i, j in points})
    assert 1 - error_rate(found, theirs) > 0.94  # the F1 of links
