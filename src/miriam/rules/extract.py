"""From an aligned corpus to a rule table, by map, partition and reduce.

Map: each shard of the corpus becomes files of sorted records (a run). Partition: a record belongs
where the leading bits of its hash put it, so a partition is a slice of every run. Reduce: a
partition's slices become scored rules. Target phrases are reduced first, for their totals. The
table is sorted by the same hash, so neither the number of runs nor of partitions can be seen in it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from miriam._core import Progress
from miriam._core.rules import (
    PARTITION_BITS,
    LexicalTable,
    RulePartition,
    add_counts,
    extract,
    merge_targets,
    target_columns,
)
from miriam.container import ContainerWriter, open_container
from miriam.errors import InputError, ModelError
from miriam.progress import Report, silent
from miriam.rules.settings import ExtractSettings
from miriam.rules.shards import Corpus, ShardData
from miriam.rules.table import TABLE_NAME, RuleTable
from miriam.rules.workers import in_order
from miriam.rules.write import TableWriter

__all__ = ["extract_rules"]

RUN_VERSION = 1
PARTITIONS = 1 << PARTITION_BITS
# Bytes held at most for each byte of records: the buffer that grows by doubling and the sorted copy
# in map; the index and the columns in reduce (measured: docs/rooms/rules.md).
MAP_FACTOR, REDUCE_FACTOR = 4, 6

Counts = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]


def extract_rules(
    corpus: Corpus,
    out: Path | str,
    *,
    settings: ExtractSettings | None = None,
    work: Path | str | None = None,
    report: Report = silent,
) -> RuleTable:
    r"""The rule table of an aligned corpus, written to the folder `out`.

    With a folder `work`, the extracted shards are kept there; shards that have not changed are not
    extracted again. The result is the same with any memory, threads and work folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in {"de": "ein hund", "en": "a dog", "links": "0-0 1-1"}.items():
    ...         _ = Path(folder, name).write_text(f"{text}\n")
    ...     table = extract_rules(
    ...         Corpus(f"{folder}/de", f"{folder}/en", f"{folder}/links"), folder
    ...     )
    >>> len(table), [rule.target for rule in table.lookup("ein hund")]
    (3, ['a dog'])
    """
    settings = settings or ExtractSettings()
    out = Path(out)
    with _folder(out), _work_folder(work, out) as kept, _scratch(kept) as scratch:
        runs = list(_map(corpus, kept, settings, report))
        lexical = _add_up(runs)
        path = out / TABLE_NAME
        with TableWriter(
            path,
            scores=settings.score_names,
            domains=list(corpus.domain_bits),
            metadata={"settings": _settings_key(settings)},
        ) as writer:
            writer.add_vocabularies(corpus.source_words, corpus.target_words)
            writer.add_lexical(*lexical)
            targets = _reduce_targets(runs, scratch, writer, settings, report)
            _reduce_rules(runs, targets, LexicalTable(*lexical), writer, settings, report)
    return RuleTable.open(path)


@contextmanager
def _folder(path: Path) -> Iterator[None]:
    """A folder that is made if it is not there, and is gone again if the work fails."""
    if path.exists() and not path.is_dir():
        raise InputError("a file, where a folder is to be written", path=path)
    made = not path.exists()
    path.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        if made:
            path.rmdir()
        raise


@contextmanager
def _work_folder(work: Path | str | None, out: Path) -> Iterator[Path]:
    if work is None:
        with _scratch(out) as folder:
            yield folder
    else:
        with _folder_kept(Path(work)) as folder:
            yield folder


@contextmanager
def _folder_kept(path: Path) -> Iterator[Path]:
    path.mkdir(parents=True, exist_ok=True)
    yield path


@contextmanager
def _scratch(inside: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=inside, prefix=".rules-") as folder:
        yield Path(folder)


# Map


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


def _settings_key(settings: ExtractSettings) -> str:
    """The settings that the result depends on."""
    tree = msgspec.to_builtins(settings)
    return msgspec.json.encode(
        {key: tree[key] for key in ("max_length", "orientations", "smoothing")}
    ).decode()


def _map(corpus: Corpus, folder: Path, settings: ExtractSettings, report: Report) -> Iterator[Run]:
    limit = max(settings.memory // (MAP_FACTOR * settings.threads), 1)
    tasks = (partial(_extract_shard, shard, folder, settings, limit) for shard in corpus.shards())
    for runs in in_order(tasks, threads=settings.threads, step="extracting", report=report):
        yield from runs


def _extract_shard(
    shard: ShardData, folder: Path, settings: ExtractSettings, limit: int, progress: Progress
) -> list[Run]:
    """The runs of a shard: those of an earlier time if they are all there."""
    what = f"{RUN_VERSION} {settings.max_length} {settings.orientations}"
    name = shard.fingerprint(what)
    manifest = folder / f"{name}.shard"
    if manifest.exists():
        return [Run(folder / line) for line in manifest.read_text().split()]
    runs: list[Run] = []
    native = shard.native()
    begin = 0
    while begin < len(shard):
        taken, arrays = extract(
            native, begin, settings.max_length, settings.reorderings, limit, progress
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


def _add_up(runs: Sequence[Run]) -> Counts:
    """The lexical counts of all runs; each is added to one of its own size, as in a merge sort."""
    sums: list[tuple[int, Counts]] = []
    for run in runs:
        size, total = 1, (run.array("lexical.keys"), run.array("lexical.counts"))
        while sums and sums[-1][0] == size:
            _, other = sums.pop()
            size, total = 2 * size, add_counts(*other, *total)
        sums.append((size, total))
    total = (np.empty(0, np.uint64), np.empty(0, np.uint32))
    for _, other in reversed(sums):
        total = add_counts(*total, *other)
    return total


# Partition and reduce


def _partitions(
    runs: Sequence[Run], name: str, settings: ExtractSettings
) -> list[tuple[int, int, int]]:
    """Ranges of the leading bits, each within the memory of a thread, and their bytes."""
    limit = settings.memory // (REDUCE_FACTOR * settings.threads)
    sizes = np.zeros(PARTITIONS, np.int64)
    for run in runs:
        sizes += np.diff(run.array(f"{name}.offsets").astype(np.int64))
    partitions: list[tuple[int, int, int]] = []
    begin = size = 0
    for end, more in enumerate(sizes.tolist()):
        if size and size + more > limit:
            partitions.append((begin, end, size))
            begin, size = end, 0
        size += more
    return [*partitions, (begin, PARTITIONS, size)]


def _gather(runs: Sequence[Run], name: str, part: tuple[int, int, int]) -> npt.NDArray[np.uint8]:
    """The records of a partition from all runs."""
    begin, end, size = part
    data = np.empty(size, np.uint8)
    at = 0
    for run in runs:
        at += run.copy_slice(name, begin, end, data[at:])
    if at != size:
        raise ModelError("the files of extracted rules changed while they were read")
    return data


def _reduce_targets(
    runs: Sequence[Run],
    folder: Path,
    writer: TableWriter,
    settings: ExtractSettings,
    report: Report,
) -> list[Path]:
    """Store the target phrases, and leave their records in files for `_reduce_rules`."""
    parts = _partitions(runs, "targets", settings)

    def task(part: tuple[int, int, int]) -> Callable[[Progress], npt.NDArray[np.uint8]]:
        return lambda _: merge_targets([_gather(runs, "targets", part)])

    files = []
    results = in_order(
        map(task, parts),
        threads=settings.threads, step="target phrases", report=report, total=len(parts),
    )  # fmt: skip
    for number, reduced in enumerate(results):
        writer.add_targets(*target_columns(reduced))
        files.append(folder / f"targets.{number}")
        reduced.tofile(files[-1])
    return files


def _reduce_rules(
    runs: Sequence[Run],
    targets: Sequence[Path],
    lexical: LexicalTable,
    writer: TableWriter,
    settings: ExtractSettings,
    report: Report,
) -> None:
    parts = _partitions(runs, "rules", settings)

    def reduce(part: tuple[int, int, int], _: Progress) -> dict[str, np.ndarray]:
        partition = RulePartition([_gather(runs, "rules", part)])
        for path in targets:
            partition.join(np.fromfile(path, np.uint8))
        return partition.finish(lexical, settings.classes, settings.smoothing)

    for columns in in_order(
        (partial(reduce, part) for part in parts),
        threads=settings.threads, step="scoring", report=report, total=len(parts),
    ):  # fmt: skip
        writer.add_rules(columns)
