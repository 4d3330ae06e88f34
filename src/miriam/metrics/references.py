"""Which files hold the references: `dev.en` may stand for `dev.en.0`, `dev.en.1` and so on."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from pathlib import Path

__all__ = ["reference_files"]

ENDINGS = ("", ".gz", ".zst")


def reference_files(names: Iterable[str]) -> list[str]:
    """The files themselves; a name that is no file, but is one with `.0` after it, is expanded.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for i in range(3):
    ...         _ = Path(folder, f"dev.en.{i}").write_text("")
    ...     [Path(name).name for name in reference_files([f"{folder}/dev.en"])]
    ['dev.en.0', 'dev.en.1', 'dev.en.2']
    """
    return [file for name in names for file in _expand(name)]


def _expand(name: str) -> list[str]:
    if name == "-" or Path(name).exists():
        return [name]
    files: list[str] = []
    for i in count():
        found = next((f for end in ENDINGS if Path(f := f"{name}.{i}{end}").is_file()), None)
        if found is None:
            break
        files.append(found)
    return files or [name]  # a missing file is reported by whoever opens it
