"""Files of groups: a line for each, `number weight +member -member …`."""

from __future__ import annotations

import math
from itertools import groupby
from pathlib import Path

import numpy as np

from miriam.errors import InputError
from miriam.features.weights import is_name
from miriam.lexicon.vocabulary import Vocabulary
from miriam.text.files import open_write, read_lines
from miriam.tune.grouping.groups import Groups

__all__ = ["read_groups", "write_groups"]


def write_groups(path: Path | str, groups: Groups) -> None:
    """Write groups, numbered from 1.

    >>> import tempfile
    >>> names = Vocabulary()
    >>> ids = [names.add(name) for name in ("PT:a>b", "PT:c>d", "LM")]
    >>> groups = Groups.of_ties(np.array([0.5, -0.5, 0.1]), ("PT:",), names)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_groups(f"{folder}/groups", groups)
    ...     Path(folder, "groups").read_text().split()
    ['1', '0.5', '+PT:a>b', '-PT:c>d']
    """
    members = zip(groups.of.tolist(), groups.signs.tolist(), groups.members.tolist(), strict=True)
    with open_write(path) as out:
        for group, its in groupby(members, key=lambda member: member[0]):
            names = [f"{'+' if sign > 0 else '-'}{groups.names.word(i)}" for _, sign, i in its]
            weight = float(groups.weights[group])
            out.write(f"{group + 1} {weight!r} {' '.join(names)}\n".encode())


def read_groups(path: Path | str, names: Vocabulary) -> Groups:
    r"""The groups of a file, whose features `names` numbers.

    >>> import tempfile
    >>> names = Vocabulary()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "groups"
    ...     _ = file.write_text("1 0.5 +PT:a>b -PT:c>d\n2 -0.25 +PT:e>f\n")
    ...     groups = read_groups(file, names)
    >>> groups.weights.tolist(), groups.title(0)
    ([0.5, -0.25], '+PT:a>b -PT:c>d')
    """
    members: dict[int, tuple[float, int]] = {}  # in the order of the file
    weights: list[float] = []
    for line, text in enumerate(read_lines(path), 1):
        number, weight, *its = [*text.split(), "", ""]
        its = its[:-2]
        if number != str(len(weights) + 1) or not _is_number(weight) or not its:
            raise InputError(
                f"{text.strip()!r} is not group {len(weights) + 1}; expected `number weight +name "
                "-name …`, numbered from 1",
                path=path, line=line,
            )  # fmt: skip
        for member in its:
            if member[0] not in "+-" or not is_name(member[1:]):
                raise InputError(
                    f"the member {member!r} is not a name behind + or -", path=path, line=line
                )
            feature = names.add(member[1:])
            if feature in members:
                raise InputError(f"{member[1:]!r} is in two groups", path=path, line=line)
            members[feature] = (1.0 if member[0] == "+" else -1.0, len(weights))
        weights.append(float(weight))
    if not weights:
        raise InputError("there is no group in it", path=path)
    signs, of = zip(*members.values(), strict=True)
    return Groups(
        np.array(list(members), dtype=np.int32),
        np.array(signs),
        np.array(of, dtype=np.int32),
        np.array(weights),
        names,
    )


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
