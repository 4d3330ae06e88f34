"""Weights as text: one `name value` a line, sorted by name; what people read and other tools make.

A name has no blank and no control character in it (features render theirs that way), so the value
is what follows the only blank. Names of sparse features are read by the core, a million in less
than a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from miriam.errors import InputError
from miriam.text.files import open_write, read_blocks, read_lines

if TYPE_CHECKING:
    from miriam.features.table import Features

__all__ = ["is_name", "read_known_weights", "read_weights", "write_weights"]


def is_name(text: str) -> bool:
    """Whether a text can be the name of a feature: no blanks, nothing unprintable, not empty.

    >>> is_name("PT:ein_hund>a_dog"), is_name("a dog"), is_name("")
    (True, False, False)
    """
    return bool(text) and not any(c.isspace() or ord(c) < 32 or ord(c) == 127 for c in text)


def write_weights(path: Path | str, weights: Mapping[str, float]) -> None:
    r"""Write weights; they are read back to the last bit.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_weights(f"{folder}/w", {"WordPenalty": -1.0, "LM": 0.5})
    ...     Path(folder, "w").read_text()
    'LM 0.5\nWordPenalty -1.0\n'
    """
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
    return _named(enumerate(read_lines(path), 1), path)


def read_known_weights(
    path: Path | str, features: Features
) -> tuple[dict[str, float], npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    r"""The weights of a file: of dense features by name, and the ids and weights of sparse ones.

    Sparse features that are new get their ids. A name that no family of features has is taken for a
    dense one.

    >>> import tempfile
    >>> from miriam.features import Features
    >>> features = Features(["LM"])
    >>> _ = features.named("SRCD", "n")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_weights(f"{folder}/w", {"SRCD:2": -0.25, "LM": 0.5})
    ...     dense, ids, values = read_known_weights(f"{folder}/w", features)
    >>> dense, ids.tolist(), values.tolist()
    ({'LM': 0.5}, [1], [-0.25])
    """
    ids, values = [np.empty(0, np.int32)], [np.empty(0)]
    others: list[tuple[int, str]] = []
    lines = 0
    for block in read_blocks(path):
        some_ids, some_values, rest = features.names.read_weights(block)
        ids.append(some_ids)
        values.append(some_values)
        others += [(lines + number, line) for number, line in rest]
        lines += block.count(b"\n")
    all_ids = np.concatenate(ids)
    found, counts = np.unique(all_ids, return_counts=True)
    if len(found) < len(all_ids):
        twice = features.name(int(found[counts > 1][0]))
        raise InputError(f"the feature {twice!r} has two weights", path=path)
    return _named(others, path), all_ids, np.concatenate(values)


def _named(lines: Iterable[tuple[int, str]], path: Path | str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for number, line in lines:
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
