"""Online tuning of the dense model: its speed, what two threads bring, what learning costs.

The first epoch warms up; figures are the best of those after it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness import SHARED, Row, run_process

MULTI30K = SHARED / "data/multi30k-de-en"
EPOCHS = 4
SENTENCES = 1014


def rows() -> Iterator[Row]:
    if not MULTI30K.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        texts = MULTI30K / "train.de.gz", MULTI30K / "train.en.gz"
        miriam("train", "--no-tune", "--out", model, "--source", texts[0], "--target", texts[1])
        speeds = {}
        for threads in (1, 2):
            epochs = tuned(model, threads, Path(folder) / "log")
            speeds[threads] = SENTENCES / min(epoch["seconds"] for epoch in epochs)
            yield Row(what=f"dense model, 100-best, {threads} threads", ours=speeds[threads],
                      unit="sentences/s")  # fmt: skip
            if threads == 1:
                split = min((e["split"] for e in epochs), key=lambda s: s["learning"])
                yield Row(what="learning over the decoding it follows",
                          ours=100 * split["learning"] / split["decoding"], unit="%",
                          target="< 10 %")  # fmt: skip
        yield Row(what="two threads over one, fixed delay", ours=speeds[2] / speeds[1],
                  unit="times", target=">= 1.8 times")  # fmt: skip


def tuned(model: Path, threads: int, log: Path) -> list[dict[str, Any]]:
    """What was logged of the epochs but the first."""
    log.unlink(missing_ok=True)
    miriam("tune", "--model", model, "--out", model.with_name("tuned"), "--threads", threads,
           "--source", MULTI30K / "dev.de", "--references", MULTI30K / "dev.en", "--log", log,
           "--set", f"learner.epochs={EPOCHS}", "--set", "learner.patience=0")  # fmt: skip
    records = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return [record for record in records if record["event"] == "epoch"][2:]


def miriam(command: str, *args: object) -> None:
    run_process([sys.executable, "-m", "miriam", command, "--tokens", *map(str, args)])
