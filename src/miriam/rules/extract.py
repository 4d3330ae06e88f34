"""From an aligned corpus to a rule table, by map, partition and reduce.

Map: each shard of the corpus becomes files of sorted records (a run). Partition: a record belongs
where the leading bits of its hash put it, so a partition is a slice of every run. Reduce: a
partition's slices become scored rules. Target phrases are reduced first, for their totals. The
table is sorted by the same hash, so neither the number of runs nor of partitions can be seen in it.
"""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam._core import Progress
from miriam._core.rules import (
    LexicalTable,
    RulePartition,
    merge_targets,
    target_columns,
)
from miriam.errors import InputError
from miriam.progress import Report, silent
from miriam.rules.gaps import HIERARCHICAL
from miriam.rules.runs import Partition, Run, add_up, extract_shard, gather, partitions
from miriam.rules.settings import AnySettings, ExtractSettings, settings_key
from miriam.rules.shards import Corpus
from miriam.rules.table import TABLE_NAME, RuleTable
from miriam.rules.workers import in_order
from miriam.rules.write import TableWriter

__all__ = ["extract_rules"]

# Bytes held at most for each byte of records: in map the buffer, which grows by doubling, and the
# sorted copy; in reduce the index and the columns. A partition of targets is also held beside one
# of rules, so it is to be small.
MAP_FACTOR, RULES_FACTOR, TARGETS_FACTOR = 4, 6, 48


def extract_rules(
    corpus: Corpus,
    out: Path | str,
    *,
    settings: AnySettings | None = None,
    work: Path | str | None = None,
    report: Report = silent,
) -> RuleTable:
    r"""The rule table of an aligned corpus, written to the folder `out`.

    Rules are phrase pairs, or hierarchical ones with `HierarchicalSettings`.

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
    metadata = {"settings": settings_key(settings)}
    if settings.gaps:
        corpus.reserve_gaps()
        metadata |= HIERARCHICAL
    out = Path(out)
    with _folder(out), _work_folder(work, out) as kept, _scratch(kept) as scratch:
        runs = list(_map(corpus, kept, settings, report))
        if not runs:
            raise InputError("there is no sentence pair to extract rules from", path=corpus.source)
        lexical = add_up(runs)
        path = out / TABLE_NAME
        with TableWriter(
            path,
            scores=settings.score_names,
            domains=list(corpus.domain_bits),
            metadata=metadata,
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
            with suppress(OSError):  # somebody else's files are in it
                path.rmdir()
        raise


@contextmanager
def _work_folder(work: Path | str | None, out: Path) -> Iterator[Path]:
    """The folder for the runs: one that stays, or one that is gone afterwards."""
    if work is None:
        with _scratch(out) as folder:
            yield folder
    else:
        Path(work).mkdir(parents=True, exist_ok=True)
        yield Path(work)


@contextmanager
def _scratch(inside: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=inside, prefix=".rules-") as folder:
        yield Path(folder)


def _record_bytes(settings: AnySettings, factor: int) -> int:
    """How many bytes of records a thread may take: of the memory that is not yet in use."""
    free = max(settings.memory - _resident_bytes(), settings.memory // 8)
    return max(free // (factor * settings.threads), 1)


def _resident_bytes() -> int:
    """The memory of this process, as Linux tells it; 0 elsewhere."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0


def _map(corpus: Corpus, folder: Path, settings: AnySettings, report: Report) -> Iterator[Run]:
    limit = _record_bytes(settings, MAP_FACTOR)
    tasks = (partial(extract_shard, shard, folder, settings, limit) for shard in corpus.shards())
    for runs in in_order(tasks, threads=settings.threads, step="extracting", report=report):
        yield from runs


def _reduce_targets(
    runs: Sequence[Run],
    folder: Path,
    writer: TableWriter,
    settings: AnySettings,
    report: Report,
) -> list[Path]:
    """Store the target phrases, and leave their records in files for `_reduce_rules`."""
    parts = partitions(runs, "targets", _record_bytes(settings, TARGETS_FACTOR))

    def task(part: Partition) -> Callable[[Progress], npt.NDArray[np.uint8]]:
        return lambda _: merge_targets([gather(runs, "targets", part)])

    files = []
    results = in_order(
        map(task, parts),
        threads=settings.threads, step="target phrases", report=report, total=len(parts),
    )  # fmt: skip
    for number, reduced in enumerate(results):
        writer.add_targets(*target_columns(reduced, settings.gaps is not None))
        files.append(folder / f"targets.{number}")
        reduced.tofile(files[-1])
    return files


def _reduce_rules(
    runs: Sequence[Run],
    targets: Sequence[Path],
    lexical: LexicalTable,
    writer: TableWriter,
    settings: AnySettings,
    report: Report,
) -> None:
    parts = partitions(runs, "rules", _record_bytes(settings, RULES_FACTOR))

    def task(part: Partition, progress: Progress) -> dict[str, np.ndarray]:
        partition = RulePartition([gather(runs, "rules", part)])
        for path in targets:
            partition.join(np.fromfile(path, np.uint8))
        return partition.finish(
            lexical, settings.classes, settings.smoothing, settings.gaps is not None, progress
        )

    for columns in in_order(
        (partial(task, part) for part in parts),
        threads=settings.threads, step="scoring", report=report, total=len(parts),
    ):  # fmt: skip
        writer.add_rules(columns)
