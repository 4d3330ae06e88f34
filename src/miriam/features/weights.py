"""Weights as text: one `name value` a line, sorted by name; what people read and other tools make.

A name has no blank and no control character in it (features render theirs that way), so the value
is what follows the only blank.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from miriam.errors import InputError
from miriam.text.files import open_write, read_lines

__all__ = ["is_name", "read_weights", "write_weights"]


def is_name(text: str) -> bool:
    """Whether a text can be the name of a feature: no blanks, nothing unprintable, not empty.

    >>> is_name("PT:ein_hund>a_dog"), is_name("a dog"), is_name("")
    (True, False, False)
    """
    return bool(text) and not any(c.isspace() or ord(c) < 32 or ord(c) == 127 for c in text)


def write_weights(path: Path | str, weights: Mapping[str, float]) -> None:
    """Write weights; they are read back to the last bit."""
    with open_write(path) as out:
        for name in sorted(weights):
            out.write(f"{name} {float(weights[name])!r}\n".encode())


def read_weights(path: Path | str) -> dict[str, float]:
    r"""The weights of a file, by name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_weights(f"{folder}/w", {"WordPenalty": -1.0, "LM": 0.5})
    ...     read_weights(f"{folder}/w")
    {'LM': 0.5, 'WordPenalty': -1.0}
    """
    weights: dict[str, float] = {}
    for number, line in enumerate(read_lines(path), 1):
        name, _, text = line.strip().rpartition(" ")
        if not line.strip():
            continue
        if not is_name(name):
            raise InputError(
                f"{line.strip()!r} is not a weight; expected `name value`", path=path, line=number
            )
        if name in weights:
            raise InputError(f"the feature {name!r} has two weights", path=path, line=number)
        weights[name] = _number(text, path, number)
    return weights


def _number(text: str, path: Path | str, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"the weight {text!r} is not a finite number", path=path, line=line)
    return value
