"""Parts of a bitext that share no sentence, on either side, drawn by seed.

Tuning and test sets are sequestered from a bitext before anything is learnt from it (Green et al.
2013, section 4.4). Two pairs that share a source or a target sentence land in the same part, and so
do pairs that are linked by others: what is drawn is a connected component of the graph whose nodes
are the sentences and whose edges are the pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from miriam.config import Config
from miriam.corpus.bitext import Pair, blocks, write_block
from miriam.corpus.domains import number_domains
from miriam.corpus.duplicates import hash_texts
from miriam.corpus.tokens import squeeze_lines
from miriam.errors import ConfigError, InputError
from miriam.text.files import open_together

__all__ = ["Split", "Splitting", "components", "split", "write_parts"]

Ids = NDArray[np.int32]


class Splitting(Config, frozen=True, kw_only=True):
    """The parts to draw, in pairs; what is left is the part `rest`."""

    sizes: Mapping[str, int]
    rest: str = "train"
    seed: int = 1
    stratify: bool = False  # each part has the domains in the proportions of the whole

    def __post_init__(self) -> None:
        for name, size in self.sizes.items():
            if size < 1:
                raise ConfigError(f"the part {name!r} has {size} pairs; give it 1 or more")
        if self.rest in self.sizes:
            raise ConfigError(f"{self.rest!r} names a part and the rest; give the rest a new name")


@dataclass(frozen=True)
class Split:
    """The part of each pair."""

    names: tuple[str, ...]  # the parts in the order given, then the rest
    part: Ids  # [pairs], an index into the names

    def sizes(self) -> dict[str, int]:
        """How many pairs each part has."""
        counts = np.bincount(self.part, minlength=len(self.names)).tolist()
        return dict(zip(self.names, counts, strict=True))


def split(pairs: Iterable[Pair], settings: Splitting) -> Split:
    """The part of each pair; the pairs themselves are not kept.

    Components come in random order, and each goes to the first part that has room for all of it.
    So a part is never larger than was asked for, and smaller only where each component of the rest
    is larger than what it lacks.

    >>> pairs = [Pair("a", "x"), Pair("b", "y"), Pair("b", "z"), Pair("c", "z"), Pair("d", "v")]
    >>> result = split(pairs, Splitting(sizes={"test": 3}))
    >>> result.sizes(), result.part.tolist()
    ({'test': 3, 'train': 2}, [1, 0, 0, 0, 1])
    """
    sources, targets, labels = _read(pairs)
    wanted = sum(settings.sizes.values())
    if wanted >= len(sources):
        raise InputError(
            f"{wanted:,} pairs are asked for and there are {len(sources):,}, which would leave "
            f"none for {settings.rest!r}"
        )
    of_pair, size = components(sources, targets)
    order = np.random.default_rng(settings.seed).permutation(len(size))
    part = np.full(len(size), len(settings.sizes), dtype=np.int32)
    room = np.array(list(settings.sizes.values()), dtype=np.int64)
    if settings.stratify:
        _, first = np.unique(of_pair, return_index=True)
        stratum = labels[first]  # a component has the label of its first pair
        in_stratum = np.bincount(stratum, weights=size).astype(np.int64)
        for label, quota in enumerate(_apportion(room, in_stratum)):
            room -= quota
            room += _fill(part, quota, order[stratum[order] == label], size)
    _fill(part, room, order, size)
    return Split((*settings.sizes, settings.rest), part[of_pair])


def write_parts(pairs: Iterable[Pair], result: Split, paths: Sequence[Path | str]) -> None:
    """Write the same pairs, read again, to the files of their parts, in their order.

    The paths are those of the first part (source, target and perhaps labels), then the second's.

    >>> import tempfile
    >>> pairs = [Pair("a", "x"), Pair("b", "y"), Pair("c", "z")]
    >>> result = split(pairs, Splitting(sizes={"test": 1}))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = [f"{folder}/{name}" for name in ("test.de", "test.en", "train.de", "train.en")]
    ...     write_parts(pairs, result, files)
    ...     [len(Path(file).read_text().splitlines()) for file in files]
    [1, 1, 2, 2]
    """
    for name, size in result.sizes().items():
        if not size:
            raise InputError(f"no pair for {name!r}: the pairs that share sentences are too many")
    count, width = 0, len(paths) // len(result.names)
    with open_together(paths) as files:
        for block in blocks(pairs):
            part = result.part[count : count + len(block)]
            count += len(block)
            for index in range(len(result.names)):
                chosen = list(compress(block, (part == index).tolist()))
                if chosen:
                    write_block(chosen, files[width * index : width * (index + 1)])
        if count != len(result.part):
            raise InputError(
                f"there were {len(result.part):,} pairs at first and {count:,} when they were "
                "read again; did the files change?"
            )


def _read(pairs: Iterable[Pair]) -> tuple[NDArray[np.uint64], NDArray[np.uint64], Ids]:
    """A 64-bit hash of each source and each target, and the id of each label.

    Two sentences with the same hash only join their components, so that the promise holds.
    """
    sources, targets, labels = [], [], []
    for block in blocks(pairs):
        sources.append(hash_texts(squeeze_lines([pair.source for pair in block]))[:, 0])
        targets.append(hash_texts(squeeze_lines([pair.target for pair in block]))[:, 0])
        labels.append([pair.domain for pair in block])
    if not sources:
        raise InputError("no pair to split")
    ids = number_domains(label for block in labels for label in block).ids
    return np.concatenate(sources), np.concatenate(targets), ids


def components(
    sources: NDArray[np.uint64], targets: NDArray[np.uint64]
) -> tuple[Ids, NDArray[np.int64]]:
    """The component of each pair, and the number of pairs of each component.

    >>> one, two, three = np.arange(3, dtype=np.uint64)
    >>> of_pair, size = components(np.array([one, two, one]), np.array([two, three, one]))
    >>> of_pair.tolist(), size.tolist()
    ([0, 1, 0], [2, 1])
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    left, source = np.unique(sources, return_inverse=True)
    right, target = np.unique(targets, return_inverse=True)
    nodes = len(left) + len(right)
    edges = np.ones(len(source), dtype=np.int8), (source, len(left) + target)
    count, of_node = connected_components(coo_array(edges, shape=(nodes, nodes)), directed=False)
    of_pair = of_node[source]
    return of_pair, np.bincount(of_pair, minlength=count)


def _apportion(room: NDArray[np.int64], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Quotas [strata, parts] in proportion to the weights of the strata, by largest remainder."""
    exact = np.outer(weights / weights.sum(), room)
    quotas = np.floor(exact).astype(np.int64)
    for part, missing in enumerate(room - quotas.sum(axis=0)):
        remainder = exact[:, part] - quotas[:, part]
        quotas[np.argsort(-remainder, kind="stable")[:missing], part] += 1
    return quotas


def _fill(
    part: Ids, room: NDArray[np.int64], order: NDArray[np.int64], size: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Put components of the rest, in this order, where they fit; the room that is left."""
    left = room.tolist()
    rest = len(left)
    for component in order.tolist():
        if not any(left):
            break
        if part[component] == rest:
            pairs = int(size[component])
            for index, space in enumerate(left):
                if pairs <= space:
                    part[component], left[index] = index, space - pairs
                    break
    return np.array(left, dtype=np.int64)
