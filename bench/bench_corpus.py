"""How long a million pairs take, and how much memory: reading, cleaning, de-duplication, splits."""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness import Row, run_process, run_python

PAIRS = 1_000_000
# The same in ten lines of Python, which keep every pair in memory.
OBVIOUS = """
kept = set()
source, target, out = {files!r}
with open(source) as a, open(target) as b, open(out + "1", "w") as c, open(out + "2", "w") as d:
    for source, target in zip(a, b):
        s, t = source.split(), target.split()
        if 1 <= min(len(s), len(t)) and max(len(s), len(t)) <= min(100, 9 * min(len(s), len(t))):
            if max(map(len, s + t)) <= 100 and (source, target) not in kept:
                kept.add((source, target))
                c.write(source)
                d.write(target)
"""


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, target = folder / "source", folder / "target"
        _write_text(source, seed=1)
        _write_text(target, seed=2)
        command = [sys.executable, "-m", "miriam", "corpus"]
        inputs = ["--source", str(source), "--target", str(target)]
        outputs = ["--out-source", f"{folder}/{{part}}.s", "--out-target", f"{folder}/{{part}}.t"]
        ours = run_process([*command, "clean", *inputs, *outputs])
        theirs = run_python(OBVIOUS.format(files=(str(source), str(target), str(folder / "out"))))
        what = "read, clean, de-duplicate and write 1 M pairs"
        peer = "a set of pairs in Python"
        yield Row(what=what, ours=ours.cpu, unit="CPU s", peer=peer, theirs=theirs.cpu)
        yield Row(
            what=what, ours=ours.peak_mb, unit="MB", target="< 300 MB",
            peer=peer, theirs=theirs.peak_mb,
        )  # fmt: skip
        used = run_process([*command, "split", *inputs, *outputs, "--sizes", "tune=5000,test=5000"])
        yield Row(what="split 1 M pairs", ours=used.cpu, unit="CPU s")
        yield Row(what="split 1 M pairs", ours=used.peak_mb, unit="MB", target="< 300 MB")
        yield from _select(source, folder)


def _select(pool: Path, folder: Path) -> Iterator[Row]:
    """Feature decay, on a tenth of the text."""
    lines = pool.read_text(encoding="utf-8").splitlines()[:100_000]
    for name, some in (("pool", lines), ("text", lines[::400])):
        (folder / name).write_text("\n".join(some) + "\n", encoding="utf-8")
    files = ["--source", f"{folder}/pool", "--in-domain", f"{folder}/text"]
    command = [sys.executable, "-m", "miriam", "select", *files]
    command += ["--count", "5000", "--out-source", f"{folder}/chosen"]
    used = run_process(command)
    yield Row(what="select 5,000 of 100,000 lines by 250", ours=used.wall, unit="s", target="< 5 s")
    yield Row(what="the same, peak memory", ours=used.peak_mb, unit="MB")


def _write_text(path: Path, *, seed: int) -> None:
    """Lines of 3 to 40 made-up words; each fifth line repeats an early one."""
    draw = random.Random(seed)
    letters = "abcdeghilmnorstuw"
    words = ["".join(draw.choices(letters, k=draw.randint(1, 10))) for _ in range(50_000)]
    length = random.Random(0)  # the same for both sides, as of translations
    with path.open("w", encoding="utf-8") as out:
        early: list[str] = []
        for i in range(PAIRS):
            if i % 5 == 4:
                line = early[i // 5 % len(early)]
            else:
                line = " ".join(draw.choices(words, k=length.randint(3, 40)))
            if len(early) < 100_000:
                early.append(line)
            out.write(line + "\n")
