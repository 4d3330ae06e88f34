"""The errors that Miriam raises: each message is one sentence for a person.

A message says what was wrong, where (file and line, where there are any), and what to do.
The native core throws the same kinds; they arrive here as these classes.
"""

from __future__ import annotations

__all__ = ["ConfigError", "InputError", "MiriamError", "MissingExtraError", "ModelError"]


class MiriamError(Exception):
    """What every error of this package is: `except MiriamError` catches them all."""

    exit_status = 1  # of a command that ends with this error: 1, the work failed


class ConfigError(MiriamError):
    """A setting, an option or an argument that cannot be: the call was wrong."""

    exit_status = 2


class InputError(MiriamError):
    r"""Data that cannot be used, with the file and the line (counted from 1) it stands in.

    >>> str(InputError("not UTF-8 at byte 7", path="train.de", line=12))
    'train.de, line 12: not UTF-8 at byte 7'
    """

    def __init__(self, message: str, *, path: object = None, line: int | None = None) -> None:
        where = "" if path is None else "standard input" if str(path) == "-" else str(path)
        if line is not None:
            where = f"{where}, line {line}" if where else f"line {line}"
        super().__init__(f"{where}: {message}" if where else message)
        self.path, self.line = path, line


class ModelError(MiriamError):
    """A file of a model that is cut short, damaged, or from another version or build."""


class MissingExtraError(MiriamError):
    """A library that is needed for this work, and not for others, is not installed.

    >>> str(MissingExtraError("jieba", extra="zh", purpose="Chinese words"))
    "Chinese words need jieba, which is not installed: pip install 'miriam[zh]'"
    """

    def __init__(self, library: str, *, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} need {library}, which is not installed: pip install 'miriam[{extra}]'"
        )
