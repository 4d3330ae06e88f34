"""Checkpoints of an online run: all that it needs to end with the same weights after `kill -9`.

A checkpoint within an epoch also holds the gradients that were pending. It is written to another
name and renamed when whole, so there is always a sound one, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from miriam.container import Container, ContainerWriter, open_container
from miriam.errors import ConfigError
from miriam.tune.jobs import Job
from miriam.tune.learner import Gradient

if TYPE_CHECKING:
    from miriam.tune.online import OnlineTuner

__all__ = ["restore", "save"]

KIND, VERSION = "online-tuning", 2


def save(tuner: OnlineTuner, path: Path) -> None:
    """Write a checkpoint, waiting for the gradients that are being computed."""
    batches = [job.gradients.result() for job in tuner.pending]
    states = [learner.state() for learner in tuner.learners]
    names = tuner.learners[0].names
    plain = {
        "run": _run(tuner),
        "position": [tuner.epoch, tuner.shard, tuner.batch],
        "best": [tuner.best_score if np.isfinite(tuner.best_score) else None, tuner.best_epoch],
        "variety": [tuner.variety.lists, tuner.variety.varied],
        "monitor": tuner.monitor.state(),
        "learners": [{k: v for k, v in state.items() if k != "table"} for state in states],
        "pending": [[_plain(g) for g in batch] for batch in batches],
    }
    metadata = {"state": msgspec.json.encode(plain).decode()}
    with ContainerWriter(path, kind=KIND, version=VERSION, metadata=metadata) as writer:
        tuner.names.extend(names.word(i) for i in range(len(tuner.names), len(names)))
        text = "\n".join(tuner.names).encode()
        writer.add("names", np.frombuffer(text, dtype=np.uint8))
        writer.add("best", tuner.best)
        for i, state in enumerate(states):
            writer.add(f"table.{i}", state["table"])
        gradients = [gradient for batch in batches for gradient in batch]
        writer.add("pending.ids", np.concatenate([np.empty(0, np.int32), *_ids(gradients)]))
        writer.add("pending.values", np.concatenate([np.empty(0), *(g.values for g in gradients)]))


def restore(tuner: OnlineTuner, path: Path) -> bool:
    """Go on from a checkpoint; False if there is none."""
    if not path.exists():
        return False
    table = open_container(path, kind=KIND, version=VERSION)
    plain = msgspec.json.decode(table.metadata["state"])
    if plain["run"] != _run(tuner):
        raise ConfigError(
            f"{path} is from a run with other data, settings or seed; remove it to begin anew"
        )
    names = tuner.learners[0].names
    for i, name in enumerate(table["names"].tobytes().decode().split("\n")):
        if name and names.add(name) != i:
            raise ConfigError(f"{path} is from a run with other features; remove it to begin anew")
    for i, (learner, state) in enumerate(zip(tuner.learners, plain["learners"], strict=True)):
        learner.restore({**state, "table": table[f"table.{i}"]})
    tuner.epoch, tuner.shard, tuner.batch = plain["position"]
    score, tuner.best_epoch = plain["best"]
    tuner.best_score = -np.inf if score is None else score
    tuner.best = np.array(table["best"])
    tuner.variety.lists, tuner.variety.varied = plain["variety"]
    tuner.monitor.restore(plain["monitor"])
    tuner.pending.extend(Job(future) for future in _pending(plain["pending"], table))
    return True


def _run(tuner: OnlineTuner) -> dict[str, Any]:
    """What must be the same for a run to go on."""
    return {
        "settings": msgspec.json.encode(tuner.settings).decode(),
        "seed": tuner.seed,
        "data": tuner.problem.fingerprint(),
    }


def _plain(gradient: Gradient) -> list[Any]:
    return [
        gradient.sentence, len(gradient.ids), gradient.loss, gradient.offset, gradient.varied,
    ]  # fmt: skip


def _ids(gradients: Sequence[Gradient]) -> list[Any]:
    return [gradient.ids for gradient in gradients]


def _pending(batches: Sequence[Sequence[Any]], table: Container) -> list[Future[list[Gradient]]]:
    """Gradients that had been computed, as futures that are done."""
    futures, begin = [], 0
    for batch in batches:
        gradients = []
        for sentence, size, *rest in batch:
            part = slice(begin, begin + size)
            ids, values = table["pending.ids"][part], table["pending.values"][part]
            gradients.append(Gradient(sentence, np.array(ids), np.array(values), *rest))
            begin += size
        future: Future[list[Gradient]] = Future()
        future.set_result(gradients)
        futures.append(future)
    return futures
