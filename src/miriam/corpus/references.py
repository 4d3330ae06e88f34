"""Several references of one text: the files that a name given to `--references` stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from miriam.errors import InputError

__all__ = ["reference_files"]


def reference_files(paths: Iterable[Path | str]) -> list[Path]:
    """The files that the paths stand for: themselves or, for `F` that is not there, `F.0 F.1 ...`.

    The numbered files may be compressed: `F.0.gz`, `F.1.zst`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("dev.en.0", "dev.en.1.gz"):
    ...         Path(folder, name).touch()
    ...     [path.name for path in reference_files([Path(folder, "dev.en")])]
    ['dev.en.0', 'dev.en.1.gz']
    """
    found: list[Path] = []
    for path in map(Path, paths):
        found.extend([path] if str(path) == "-" or path.exists() else _numbered(path))
    return found


def _numbered(path: Path) -> list[Path]:
    name = re.compile(re.escape(path.name) + r"\.(0|[1-9][0-9]*)(?:\.gz|\.zst)?")
    siblings = path.parent.iterdir() if path.parent.is_dir() else ()
    matches = [(int(match[1]), p) for p in siblings if (match := name.fullmatch(p.name))]
    if not matches:
        raise InputError(f"no such file, and no {path.name}.0 either", path=path)
    matches.sort()
    for expected, (number, file) in enumerate(matches):
        if number > expected:
            raise InputError(f"{file.name} is there, and {path.name}.{expected} is not", path=path)
        if number < expected:
            raise InputError(f"reference {number} is there twice, also as {file.name}", path=path)
    return [file for _, file in matches]
