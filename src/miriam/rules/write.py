"""Writes rule tables: the layout of the file that `RuleTable` opens."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from miriam._core.rules import bucket_count, hash_phrases, make_buckets
from miriam.container import ContainerWriter
from miriam.lexicon.vocabulary import MappedVocabulary, Vocabulary, write_vocabulary

__all__ = ["KIND", "VERSION", "TableWriter"]

KIND = "rules"
VERSION = 1
BUCKETS_AT_A_TIME = 1 << 16


class TableWriter:
    """Takes the parts of a table piece by piece; the file is there when the block ends well.

    Pieces of target phrases come sorted by hash, and pieces of rules by the hash of their source
    phrases; a piece holds whole source phrases.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        scores: Sequence[str],
        domains: Sequence[str] = (),
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        described = {"scores": json.dumps(list(scores)), "domains": json.dumps(list(domains))}
        self.writer = ContainerWriter(
            path, kind=KIND, version=VERSION, metadata={**described, **(metadata or {})}
        )
        self.has_domains = bool(domains)
        self.link_sets: dict[bytes, int] = {}
        self.hashes = tempfile.TemporaryFile(dir=Path(path).parent)  # noqa: SIM115, of sources
        self.source_count = 0
        self.heads = np.zeros(2, np.uint64)  # where the next source phrase begins
        self.target_end = np.uint64(0)
        for name, kind in {
            "source.heads": np.uint64, "source.words": np.uint32, "source.counts": np.float64,
            "target.words": np.uint32, "target.ends": np.uint64, "target.counts": np.float64,
            "rule.target": np.uint32, "rule.links": np.uint32, "rule.count": np.float64,
            "rule.scores": np.float32,
        }.items():  # fmt: skip
            self.writer.append(name, np.empty(0, kind))

    def add_targets(self, words: np.ndarray, ends: np.ndarray, counts: np.ndarray) -> None:
        """Store the next target phrases: words, where each ends in them, and counts."""
        self.writer.append("target.words", words)
        self.writer.append("target.ends", ends + self.target_end)
        self.writer.append("target.counts", counts)
        self.target_end += np.uint64(len(words))

    def add_rules(self, columns: Mapping[str, np.ndarray]) -> None:
        """Store the next source phrases and their rules, in the arrays that the core gives."""
        words, ends, rules = (
            columns[name] for name in ("source.words", "source.ends", "rule.ends")
        )
        begins = np.zeros((len(ends), 2), np.uint64)
        begins[1:, 0], begins[1:, 1] = ends[:-1], rules[:-1]
        self.writer.append("source.heads", (begins + self.heads).reshape(-1))
        self.heads += np.array([len(words), len(columns["rule.target"])], np.uint64)
        self.hashes.write(hash_phrases(words, ends).data)
        self.source_count += len(ends)
        numbers = self._number_links(columns["link.points"], columns["link.ends"])
        self.writer.append("rule.links", numbers[columns["rule.links"]])
        self.writer.append("source.words", words)
        self.writer.append("source.counts", columns["source.counts"])
        for name in ("rule.target", "rule.count", "rule.scores"):
            self.writer.append(name, columns[name])
        if self.has_domains:
            self.writer.append("rule.domains", columns["rule.domains"])

    def add_vocabularies(
        self,
        source: Vocabulary | MappedVocabulary,
        target: Vocabulary | MappedVocabulary,
    ) -> None:
        """Store the words of both sides."""
        write_vocabulary(self.writer, "source.vocabulary", _growing(source))
        write_vocabulary(self.writer, "target.vocabulary", _growing(target))

    def add_lexical(self, keys: np.ndarray, counts: np.ndarray) -> None:
        """Store how often each word pair (source * 2**32 + target) is linked."""
        self.writer.add("lexical.keys", keys)
        self.writer.add("lexical.counts", counts)

    def _number_links(self, points: np.ndarray, ends: np.ndarray) -> npt.NDArray[np.uint32]:
        """The numbers of the sets of links of a piece in the whole table."""
        data = points.tobytes()
        numbers = np.empty(len(ends), np.uint32)
        begin = 0
        for i, end in enumerate(ends.tolist()):
            numbers[i] = self.link_sets.setdefault(data[begin:end], len(self.link_sets))
            begin = end
        return numbers

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._finish()
        except BaseException as failure:
            self.writer.__exit__(type(failure), failure, failure.__traceback__)
            raise
        finally:
            self.hashes.close()
        self.writer.__exit__(kind, error, trace)

    def _finish(self) -> None:
        self.writer.append("source.heads", self.heads)
        for buckets in self._buckets():
            self.writer.append("source.buckets", buckets)
        points = b"".join(self.link_sets)
        self.writer.add("link.points", np.frombuffer(points, np.uint8))
        ends = np.cumsum([len(points) for points in self.link_sets], dtype=np.uint64)
        self.writer.add("link.ends", ends)

    def _buckets(self) -> Iterator[npt.NDArray[np.uint32]]:
        """The hash table of the source phrases, some of its buckets at a time."""
        total = bucket_count(self.source_count)
        self.hashes.seek(0)
        rest = np.empty(0, np.uint64)
        first = 0
        for begin in range(0, total, BUCKETS_AT_A_TIME):
            end = min(begin + BUCKETS_AT_A_TIME, total)
            limit = np.uint64((end << 64) // total - 1)  # the last hash that may fall into them
            blocks = [rest]
            while not len(blocks[-1]) or blocks[-1][-1] <= limit:
                data = self.hashes.read(8 * BUCKETS_AT_A_TIME)
                if not data:
                    break
                blocks.append(np.frombuffer(data, np.uint64))
            hashes = np.concatenate(blocks)
            size = int(np.searchsorted(hashes, limit, side="right"))
            yield make_buckets(hashes[:size], first, begin, end, total)
            rest, first = hashes[size:], first + size


def _growing(words: Vocabulary | MappedVocabulary) -> Vocabulary:
    if isinstance(words, Vocabulary):
        return words
    copy = Vocabulary()
    for number in range(len(words)):
        copy.add(words.word(number))
    return copy
