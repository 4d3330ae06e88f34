"""Files that appear whole or not at all: written under other names, and renamed when complete."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from miriam.errors import InputError

__all__ = ["written_whole"]

DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def written_whole(paths: Sequence[Path | str]) -> Iterator[list[Path]]:
    """Temporary names to write files under, in the folders of `paths`.

    The files get their names when the block ends well: all of them or, after an error, none. A
    disk that fills up leaves no file half-written, and none of two sides without the other.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with written_whole([Path(folder) / "a.txt"]) as (temporary,):
    ...         _ = temporary.write_text("a")
    ...     [path.name for path in Path(folder).iterdir()]
    ['a.txt']
    """
    targets = [Path(path) for path in paths]
    for target in targets:
        if target.is_dir():
            raise InputError("a directory, where a file is to be written", path=target)
        if not target.parent.is_dir():
            raise InputError(f"there is no folder {target.parent} to write it to", path=target)
    # A name is cut to leave room for the rest within the 255 bytes that file systems allow.
    temporary = [
        target.with_name(f".{target.name[:50]}.{os.getpid()}.{number}")
        for number, target in enumerate(targets)
    ]
    try:
        yield temporary
        for part, target in zip(temporary, targets, strict=True):
            part.replace(target)
    except OSError as error:
        name = Path(error.filename) if error.filename else None
        if name in temporary or (name is None and error.errno in DISK_FULL):
            target = targets[temporary.index(name)] if name else targets[0]
            reason = str(error.strerror).lower()
            raise InputError(f"cannot be written: {reason}", path=target) from None
        raise
    finally:
        for part in temporary:
            part.unlink(missing_ok=True)
