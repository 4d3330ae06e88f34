"""How long Miriam takes to start."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from harness import Row, run_process, run_python


def rows() -> Iterator[Row]:
    bare = run_python("pass", repeat=10).wall
    ours = run_python("import miriam", repeat=10).wall
    yield Row(what="import miriam", ours=1000 * (ours - bare), unit="ms", target="< 150 ms")
    shown = run_process([sys.executable, "-m", "miriam", "--help"], repeat=10).wall
    yield Row(
        what="miriam --help, start of Python included",
        ours=1000 * shown, unit="ms", target="< 300 ms", peer="bare Python", theirs=1000 * bare,
    )  # fmt: skip
