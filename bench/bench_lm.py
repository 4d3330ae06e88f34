"""Language models beside KenLM's: estimating with lmplz, converting, opening, asking.

lmplz, build_binary and query are looked for in $KENLM_BIN and on the PATH.
"""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from harness import SHARED, Row, best_seconds, kenlm_program, run_process

BIBLE = SHARED / "data" / "bible-ar-en"
PARITY = SHARED / "parity" / "decode" / "lm.arpa.gz"
QUERIES = ("dev.en.0", "dev.en.1", "dev.en.2", "dev.en.3", "test1.en.0", "test1.en.3")
TIMES = 10
BUDGET = "400M"


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one = folder / "one.txt"
        one.write_bytes(gzip.decompress((BIBLE / "mono.en.gz").read_bytes()))
        yield from _estimation(one, "3.4 M words")
        yield from _queries(folder, one)
        ten = folder / "ten.txt"
        _sample(one, ten)
        yield from _estimation(ten, "34 M words")


def _sample(source: Path, target: Path) -> None:
    """Write the text and, up to ten times its size, sentences that follow its trigrams."""
    rng = random.Random(1)
    lines = [["<s>", "<s>", *line.split(), "</s>"] for line in source.open(encoding="utf-8")]
    after: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        for one, two, three in zip(line, line[1:], line[2:], strict=False):
            after.setdefault((one, two), []).append(three)
    written = total = sum(len(line) - 3 for line in lines)
    with target.open("w", encoding="utf-8") as out:
        out.writelines(" ".join(line[2:-1]) + "\n" for line in lines)
        while written < TIMES * total:
            words = ["<s>", "<s>"]
            while words[-1] != "</s>":
                words.append(rng.choice(after[words[-2], words[-1]]))
            out.write(" ".join(words[2:-1]) + "\n")
            written += len(words) - 3


def _estimation(text: Path, size: str) -> Iterator[Row]:
    ours, theirs = text.with_suffix(".arpa"), text.with_suffix(".lmplz.arpa")
    repeat = 3 if size.startswith("3.4") else 1
    command = [sys.executable, "-m", "miriam", "lm", "estimate", "--memory", BUDGET, "--text"]
    used = run_process([*command, text, "--order", "5", "--out", ours], repeat=repeat)
    peer = None
    if lmplz := kenlm_program("lmplz"):
        files: list[str | Path] = ["-T", text.parent, "--text", text, "--arpa", theirs]
        peer = run_process([lmplz, "-o", "5", "-S", BUDGET, *files], repeat=repeat)
    what = f"estimating order 5 from {size}, budget {BUDGET}: "
    yield Row(
        what=what + "wall", ours=used.wall, unit="s", target="<= 1.3 x lmplz",
        peer="lmplz", theirs=peer.wall if peer else None,
    )  # fmt: skip
    yield Row(
        what=what + "CPU",
        ours=used.cpu,
        unit="CPU s",
        peer="lmplz",
        theirs=peer.cpu if peer else None,
    )
    yield Row(
        what=what + "memory", ours=used.peak_mb, unit="MB", target="<= lmplz",
        peer="lmplz", theirs=peer.peak_mb if peer else None,
    )  # fmt: skip


def _queries(folder: Path, text: Path) -> Iterator[Row]:
    import kenlm

    from miriam.lm import LanguageModel
    from miriam.lm.arpa import read_arpa
    from miriam.lm.model import write_model

    arpa, table, binary = text.with_suffix(".arpa"), folder / "m.lm", folder / "m.bin"
    start = time.perf_counter()
    write_model(table, read_arpa(arpa)[0])
    ours, theirs = time.perf_counter() - start, None
    if build := kenlm_program("build_binary"):
        start = time.perf_counter()
        subprocess.run([build, arpa, binary], check=True, capture_output=True)
        theirs = time.perf_counter() - start
    yield Row(
        what="ARPA to table, 5.1 M n-grams", ours=ours, unit="s", peer="build_binary", theirs=theirs
    )
    yield Row(
        what="reading lm.arpa.gz (8 MB)", ours=best_seconds(lambda: read_arpa(PARITY), repeat=2),
        unit="s", target="< 1 s", peer="kenlm.Model",
        theirs=best_seconds(lambda: kenlm.Model(str(PARITY)), repeat=2),
    )  # fmt: skip
    opening = best_seconds(lambda: LanguageModel.load(table))
    yield Row(what="opening a table", ours=1000 * opening, unit="ms", target="< 10 ms")
    megabyte = 2**20
    peer = kenlm.Model(str(binary if theirs else arpa))
    yield Row(
        what="table, 5.1 M n-grams of order 5", ours=table.stat().st_size / megabyte, unit="MB",
        target="<= probing", peer="KenLM probing",
        theirs=binary.stat().st_size / megabyte if theirs else None,
    )  # fmt: skip
    model = LanguageModel.load(table)
    lines = [line for name in QUERIES for line in (BIBLE / name).read_text("utf-8").splitlines()]
    words = sum(len(line.split()) + 1 for line in lines)
    ours = best_seconds(lambda: model.score_batch(lines))
    theirs = best_seconds(lambda: [peer.score(line) for line in lines])
    yield Row(
        what="scoring sentences in Python, one thread", ours=words / ours, unit="words/s",
        target=">= KenLM", peer="kenlm.Model.score", theirs=words / theirs,
    )  # fmt: skip
