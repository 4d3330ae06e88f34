"""How long it takes to align a bitext, and how much memory.

CPU seconds of the whole command with one thread: start, reading, training, aligning, writing. The
peer is fast_align, as the package systran-align wraps it, where that is installed: both directions
trained, nothing aligned. On a 2.6 GHz EPYC fast_align took 2.8 s a direction on Multi30k and 57 s
for both on the Bible.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from harness import SHARED, Row, Usage, best_seconds, run_process, run_python
from miriam.align.links import Links
from miriam.align.symmetrise import symmetrise
from miriam.text.files import read_parallel

MULTI30K = (SHARED / "data/multi30k-de-en/train.de.gz", SHARED / "data/multi30k-de-en/train.en.gz")
BIBLE = (SHARED / "data/bible-ar-en/train.ar.gz", SHARED / "data/bible-ar-en/train.en.gz")


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not MULTI30K[0].exists():
            return
        fast = align(folder, MULTI30K, "--model", "fast", repeat=3)
        theirs = fast_align(folder, MULTI30K)
        yield Row(
            what="fast, Multi30k (29k pairs), both directions", ours=fast.cpu, unit="CPU s",
            target="< fast_align (5.6)", peer="fast_align", theirs=theirs,
        )  # fmt: skip
        hmm = align(folder, MULTI30K, repeat=3)
        yield Row(what="HMM, Multi30k, both directions", ours=hmm.cpu, unit="CPU s", target="< 12")
        yield Row(what="HMM, Multi30k, peak memory", ours=hmm.peak_mb, unit="MB")
        yield Row(
            what="grow-diag of 29k alignments", ours=1000 * symmetrisation(folder), unit="ms",
            target="< 100",
        )  # fmt: skip
        bible = align(folder, BIBLE)
        yield Row(
            what="HMM, Bible (99.5k pairs), both directions", ours=bible.cpu, unit="CPU s",
            target="< 120",
        )  # fmt: skip
        yield Row(what="HMM, Bible, peak memory", ours=bible.peak_mb, unit="MB")
        fast = align(folder, BIBLE, "--model", "fast")
        yield Row(what="fast, Bible, both directions", ours=fast.cpu, unit="CPU s", target="< 57")


def align(folder: Path, bitext: tuple[Path, Path], *options: str, repeat: int = 1) -> Usage:
    source, target = map(str, bitext)
    files = ["--source", source, "--target", target, "--out", str(folder / "out")]
    command = [sys.executable, "-m", "miriam", "align", "--threads", "1", *files, *options]
    return run_process(command, repeat=repeat)


def fast_align(folder: Path, bitext: tuple[Path, Path]) -> float | None:
    """CPU seconds of the peer, or None where it is not installed."""
    if importlib.util.find_spec("systran_align") is None:
        return None
    text = folder / "bitext"
    text.write_text("".join(f"{s} ||| {t}\n" for s, t in read_parallel(bitext)), encoding="utf-8")
    call = f"generate_alignment_probabilities('{text}', '{folder}/f', '{folder}/b', iterations=5, "
    call += "favor_diagonal=True, optimize_tension=True, variational_bayes=True)"
    return run_python(f"import systran_align\nsystran_align.{call}").cpu


def symmetrisation(folder: Path) -> float:
    """Seconds to symmetrise the links of `out`, each side without some of them."""
    sides: list[list[list[tuple[int, int]]]] = [[], []]
    for line in (folder / "out").read_text().splitlines():
        links = [(int(i), int(j)) for i, j in (point.split("-") for point in line.split())]
        for side, points in enumerate(sides):
            points.append([*islice(links, side, None, 3), *islice(links, 2, None, 3)])
    forward, reverse = (Links.of(points) for points in sides)
    return best_seconds(lambda: symmetrise(forward, reverse, "grow-diag"))
