"""A run folder such as tuning leaves, made up."""

from __future__ import annotations

import json
from pathlib import Path

from miriam.analysis.run import Timing, about, write_json

SCORES = [30.0, 33.5, 35.25, 34.0]


def write_run(
    folder: Path, weights: dict[str, float], *, untuned: dict[str, float] | None = None,
    scores: list[float] | None = None, eta: float = 0.02,
) -> Path:  # fmt: skip
    """A run of online tuning in a folder that need not be there."""
    folder.mkdir(parents=True)
    lines: list[dict[str, object]] = [
        {"event": "epoch", "epoch": i, "score": score, "length_ratio": 0.9 + i / 50,
         "features": 5 + 100 * i, "seconds": 2.0 * bool(i),
         "split": {"decoding": 1.5, "learning": 0.25 * i, "development": 0.5} if i else {}}
        for i, score in enumerate(scores or SCORES)
    ]  # fmt: skip
    lines[1:1] = [{"event": "progress", "sentences": 1, "loss": 1.5, "since": 1.5}]
    (folder / "log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (folder / "tuning.toml").write_text(f'[learner]\nkind = "online"\neta = {eta}\n')
    for name, values in (("weights.txt", weights), ("weights.untuned.txt", untuned)):
        if values is not None:
            (folder / name).write_text("".join(f"{n} {w}\n" for n, w in sorted(values.items())))
    write_json(folder / "timings.json", [Timing(step="decode", seconds=6.0, memory=1 << 28),
                                         Timing(step="evaluate", seconds=1.5)])  # fmt: skip
    write_json(folder / "about.json", about(seed=7, threads=2))
    return folder
