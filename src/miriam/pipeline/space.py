"""Whether disk and memory are enough for a training, asked before it begins.

The factors are measured (docs/rooms/model.md), and err on the large side.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from miriam.errors import InputError
from miriam.pipeline.defaults import Size
from miriam.pipeline.settings import HierarchicalRules, TrainSettings

__all__ = ["disk_needed", "free_memory", "memory_needed", "refuse_too_small", "rules_memory"]

RULES, HIERARCHICAL, MODEL = 75, 160, 15  # bytes on disk for a byte of text: rules, language model
PLAIN, PREPARED = 15, 25  # bytes of memory for a byte of text: tokens, raw text
LEAST = 300 << 20  # bytes of memory for anything
BUDGET, LEAST_BUDGET = 2 << 30, 128 << 20  # bytes for the extraction of rules
LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def disk_needed(size: Size, settings: TrainSettings) -> int:
    """The bytes that a training leaves on the disk, the work folder and the model together."""
    rules = HIERARCHICAL if isinstance(settings.rules, HierarchicalRules) else RULES
    return 2 * (rules * size.pair_bytes + MODEL * size.bytes)  # each table is copied into the model


def memory_needed(size: Size, settings: TrainSettings) -> int:
    """The bytes of memory without which a training cannot go on."""
    return LEAST + (PREPARED if settings.text else PLAIN) * size.pair_bytes


def rules_memory() -> int:
    """The bytes that the extraction of rules may take here: its result does not depend on them."""
    free = free_memory()
    return BUDGET if free is None else max(LEAST_BUDGET, min(BUDGET, free // 2))


def free_memory() -> int | None:
    """The bytes of memory that programs can still have, or None where nobody tells.

    >>> (free_memory() or 1) > 0
    True
    """
    found = []
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        told = dict(line.split(":") for line in lines)
        found.append(1024 * int(told["MemAvailable"].split()[0]))
    except (OSError, KeyError, ValueError):
        names = os.sysconf_names
        if "SC_PHYS_PAGES" in names:
            found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit in map(Path, LIMITS):  # of a container
        try:
            found.append(int(limit.read_text()))
        except (OSError, ValueError):  # there is none, or it is "max"
            continue
    return min(found) if found else None


def refuse_too_small(size: Size, settings: TrainSettings, work: Path, out: Path) -> None:
    """Refuse to begin where disk or memory would not do, but for what the work has already."""
    if not settings.check_space:
        return
    sure = "; if you are sure that it will do, say --set check_space=false"
    there = sum(file.stat().st_size for file in work.rglob("*") if file.is_file())
    needed = max(0, disk_needed(size, settings) - there)
    for folder in (work, out):
        where = next(path for path in folder.absolute().parents if path.is_dir())
        free = shutil.disk_usage(where).free
        if free < needed:
            raise InputError(
                f"about {_giga(needed)} of disk are needed and {_giga(free)} are free; make room, "
                f"or choose a place with more by --work and --out{sure}",
                path=where,
            )
    least, available = memory_needed(size, settings), free_memory()
    if available is not None and available < least:
        raise InputError(
            f"about {_giga(least)} of memory are needed for {size.pairs:,} sentence pairs and "
            f"{_giga(available)} are free; close other programs, or train on fewer pairs{sure}"
        )


def _giga(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
