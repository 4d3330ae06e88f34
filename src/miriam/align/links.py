"""Word alignments of a bitext, as arrays and in Pharaoh format (`0-0 1-2`, one line a pair)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam._core.align import format_links, parse_links
from miriam.errors import InputError
from miriam.lexicon.vocabulary import Sentences
from miriam.text.files import open_write, read_blocks

__all__ = ["Links", "pharaoh", "read_links", "write_links"]

WRITE_PAIRS = 100_000  # sentence pairs that are turned into text at a time


@dataclass(frozen=True)
class Links:
    """The links of all sentence pairs, one after another: sorted and distinct within a pair.

    A link is a source word and a target word, both counted from 0.

    >>> links = Links.of([[(1, 0), (0, 0)], []])
    >>> len(links), links[0].tolist(), links[1].tolist()
    (2, [[0, 0], [1, 0]], [])
    """

    points: npt.NDArray[np.uint32]  # [links, 2]: source word, target word
    ends: npt.NDArray[np.uint64]  # where each sentence pair ends in `points`

    @classmethod
    def of(cls, pairs: Iterable[Iterable[tuple[int, int]]]) -> Links:
        """The links given pair by pair: for tests, and for alignments made elsewhere."""
        rows = [sorted(set(pair)) for pair in pairs]
        points = np.array([point for row in rows for point in row], np.uint32)
        return cls(points.reshape(-1, 2), np.cumsum([len(row) for row in rows], dtype=np.uint64))

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> npt.NDArray[np.uint32]:
        begin = self.ends[index - 1] if index else 0
        return self.points[int(begin) : int(self.ends[index])]

    def __iter__(self) -> Iterator[npt.NDArray[np.uint32]]:
        return (self[index] for index in range(len(self)))


def read_links(path: Path | str, source: Sentences, target: Sentences) -> Links:
    r"""The alignment of a bitext from a file in Pharaoh format, checked against the bitext.

    A point outside its sentence pair, and a number of lines that is not that of the sentence
    pairs, are refused.

    >>> import tempfile
    >>> from miriam.lexicon.vocabulary import Vocabulary, encode
    >>> german, english = encode([("ein hund", "a dog")], [Vocabulary(), Vocabulary()])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "aligned").write_text("1-1 0-0\n")
    ...     read_links(Path(folder, "aligned"), german, english)[0].tolist()
    [[0, 0], [1, 1]]
    """
    if len(source) != len(target):
        raise InputError(f"{len(source):,} source sentences, and {len(target):,} target sentences")
    points, ends = [np.empty((0, 2), np.uint32)], [np.empty(0, np.uint64)]
    lines = pairs = total = 0
    for block in read_blocks(path):
        part, part_ends = parse_links(block, source.ends, target.ends, pairs, str(path))
        points.append(part)
        ends.append(part_ends + np.uint64(total))
        lines += block.count(b"\n")
        pairs += len(part_ends)
        total += len(part)
    if lines != len(source):
        raise InputError(f"{lines:,} lines, for {len(source):,} sentence pairs", path=path)
    return Links(np.concatenate(points), np.concatenate(ends))


def write_links(path: Path | str, links: Links) -> None:
    r"""Write an alignment in Pharaoh format, whole or not at all; `-` is standard output.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_links(Path(folder, "aligned"), Links.of([[(0, 0), (1, 2)], []]))
    ...     Path(folder, "aligned").read_text()
    '0-0 1-2\n\n'
    """
    with open_write(path) as out:
        out.writelines(pharaoh(links))


def pharaoh(links: Links) -> Iterator[bytes]:
    r"""Lines of Pharaoh format, many at a time.

    >>> list(pharaoh(Links.of([[(0, 0), (1, 2)], []])))
    [b'0-0 1-2\n\n']
    """
    for begin in range(0, len(links), WRITE_PAIRS):
        ends = links.ends[begin : begin + WRITE_PAIRS]
        start = links.ends[begin - 1] if begin else np.uint64(0)
        yield format_links(links.points[int(start) : int(ends[-1])], ends - start)
