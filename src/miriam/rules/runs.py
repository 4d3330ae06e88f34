"""The files between map and reduce: sorted records of a run of sentence pairs, cut by partition.

A record belongs where the leading bits of its hash put it. A run is sorted by hash, so a partition
is a slice of every run, and how many partitions there are can be decided at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from miriam._core import Progress
from miriam._core.rules import PARTITION_BITS, add_counts, extract
from miriam.container import ContainerWriter, open_container
from miriam.errors import ModelError
from miriam.rules.settings import AnySettings, settings_key
from miriam.rules.shards import ShardData

__all__ = ["Partition", "Run", "add_up", "extract_shard", "gather", "partitions"]

RUN_VERSION = 2
PARTITIONS = 1 << PARTITION_BITS

Counts: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]


class Partition(NamedTuple):
    """A range of the leading bits of the hash, and the bytes of its records in all runs."""

    begin: int
    end: int
    size: int


@dataclass(frozen=True)
class Run:
    """A file of the records of some sentences, and where each partition begins in them."""

    path: Path

    def array(self, name: str) -> np.ndarray:
        """A copy of an array, so that no file stays open."""
        return np.array(open_container(self.path, kind="rules-run", version=RUN_VERSION)[name])

    def copy_slice(self, name: str, begin: int, end: int, to: np.ndarray) -> int:
        """Copy the records of some partitions to the beginning of an array; their bytes."""
        table = open_container(self.path, kind="rules-run", version=RUN_VERSION)
        offsets = table[f"{name}.offsets"]
        data = table[name][int(offsets[begin]) : int(offsets[end])]
        to[: len(data)] = data
        return len(data)


def extract_shard(
    shard: ShardData, folder: Path, settings: AnySettings, limit: int, progress: Progress
) -> list[Run]:
    """The runs of a shard: those of an earlier time if they are all there."""
    what = settings_key(settings, without=["smoothing"])
    name = shard.fingerprint(f"{RUN_VERSION} {what}")
    manifest = folder / f"{name}.shard"
    if manifest.exists():
        runs = [Run(folder / line) for line in manifest.read_text().split()]
        if all(run.path.exists() for run in runs):
            return runs
    runs = []
    native = shard.native()
    begin = 0
    while begin < len(shard):
        taken, arrays = extract(
            native, begin, settings.max_length, settings.reorderings, settings.gaps, limit, progress
        )
        begin += taken
        run = Run(folder / f"{name}.{len(runs)}.run")
        with ContainerWriter(run.path, kind="rules-run", version=RUN_VERSION) as writer:
            for key, array in arrays.items():
                writer.add(key, array)
        runs.append(run)
    whole = manifest.with_suffix(".part")
    whole.write_text("".join(f"{run.path.name}\n" for run in runs))
    whole.replace(manifest)
    return runs


def add_up(runs: Sequence[Run]) -> Counts:
    """The lexical counts of all runs; each is added to one of its own size, as in a merge sort."""
    sums: list[tuple[int, Counts]] = []
    for run in runs:
        size, counts = 1, (run.array("lexical.keys"), run.array("lexical.counts"))
        while sums and sums[-1][0] == size:
            size, counts = 2 * size, _sum(sums.pop()[1], counts)
        sums.append((size, counts))
    nothing = (np.empty(0, np.uint64), np.empty(0, np.uint32))
    return reduce(_sum, [counts for _, counts in reversed(sums)], nothing)


def _sum(a: Counts, b: Counts) -> Counts:
    return add_counts(a[0], a[1], b[0], b[1])


def partitions(runs: Sequence[Run], name: str, limit: int) -> list[Partition]:
    """Ranges of the leading bits with at most `limit` bytes of records, and their bytes."""
    sizes = np.zeros(PARTITIONS, np.int64)
    for run in runs:
        offsets = run.array(f"{name}.offsets").astype(np.int64)
        sizes += offsets[1:] - offsets[:-1]
    parts: list[Partition] = []
    begin = size = 0
    for end, more in enumerate(sizes.tolist()):
        if size and size + more > limit:
            parts.append(Partition(begin, end, size))
            begin, size = end, 0
        size += more
    return [*parts, Partition(begin, PARTITIONS, size)]


def gather(runs: Sequence[Run], name: str, part: Partition) -> npt.NDArray[np.uint8]:
    """The records of a partition from all runs."""
    begin, end, size = part
    data = np.empty(size, np.uint8)
    at = 0
    for run in runs:
        at += run.copy_slice(name, begin, end, data[at:])
    if at != size:
        raise ModelError("the files of extracted rules changed while they were read")
    return data
