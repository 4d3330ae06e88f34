"""An aligned corpus read in shards: runs of sentence pairs that are extracted on their own.

A shard ends when it has enough words, so its end depends on the text alone: text that is added
behind leaves all shards but the last as they were.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from miriam._core.align import parse_links
from miriam._core.rules import MAX_WORDS, Shard
from miriam.align.links import Links
from miriam.errors import ConfigError, InputError
from miriam.lexicon.vocabulary import Sentences, Vocabulary, encode
from miriam.rules.gaps import GAPS, add_gaps
from miriam.text.files import BadLines, read_parallel

__all__ = ["Corpus", "ShardData"]

SHARD_WORDS = 1 << 17  # both sides together
MAX_DOMAINS = 64

Row: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class ShardData:
    """The arrays of a shard."""

    source: Sentences
    target: Sentences
    links: Links
    domains: npt.NDArray[np.uint64]  # a bit for each domain of each sentence pair; may be empty

    def __len__(self) -> int:
        return len(self.source)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """What a native `Shard` is made of."""
        return (
            self.source.ids, self.source.ends, self.target.ids, self.target.ends,
            self.links.points, self.links.ends, self.domains,
        )  # fmt: skip

    def native(self) -> Shard:
        """The shard as the core takes it."""
        return Shard(*self.arrays)

    def fingerprint(self, settings: str) -> str:
        """A name that this content under these settings has, and no other."""
        digest = hashlib.blake2b(settings.encode(), digest_size=16)
        for array in self.arrays:
            digest.update(len(array).to_bytes(8, "little"))
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()


@dataclass
class Corpus:
    """The files of an aligned corpus, and the vocabularies that grow as it is read."""

    source: Path | str
    target: Path | str
    alignment: Path | str
    domains: Path | str | None = None  # a line for each sentence pair: its labels
    bad: BadLines = field(default_factory=BadLines, kw_only=True)
    source_words: Vocabulary = field(default_factory=Vocabulary, init=False)
    target_words: Vocabulary = field(default_factory=Vocabulary, init=False)
    domain_bits: dict[str, int] = field(default_factory=dict, init=False)
    unsound: int = field(default=0, init=False)  # rows that were read and then left out
    gaps: bool = field(default=False, init=False)  # whether the first words stand for gaps

    def reserve_gaps(self) -> None:
        """Keep the words that stand for gaps out of the text; before anything is read."""
        add_gaps(self.source_words, self.target_words)
        if any(words.word(0) != GAPS[0] for words in (self.source_words, self.target_words)):
            raise ConfigError(
                "a corpus that was read for phrases; open it again for hierarchical rules"
            )
        self.gaps = True

    @property
    def paths(self) -> list[Path | str]:
        """The files that are read side by side."""
        some = [self.source, self.target, self.alignment]
        return some if self.domains is None else [*some, self.domains]

    def shards(self) -> Iterator[ShardData]:
        """The corpus, shard by shard."""
        rows: list[Row] = []
        lines: list[int] = []
        words = 0
        for count, row in enumerate(read_parallel(self.paths, self.bad), 1):
            rows.append(row)
            lines.append(count + self.bad.count - self.unsound)
            words += row[0].count(" ") + row[1].count(" ") + 2
            if words >= SHARD_WORDS:
                yield self._shard(rows, lines)
                rows, lines, words = [], [], 0
        if rows:
            yield self._shard(rows, lines)

    def _shard(self, rows: list[Row], lines: list[int]) -> ShardData:
        try:
            return self._encode(rows)
        except InputError:
            # Something is wrong with a pair: find out with which, line by line.
            sound = [
                row for row, line in zip(rows, lines, strict=True) if self._is_sound(row, line)
            ]
            return self._encode(sound)

    def _encode(self, rows: Sequence[Row]) -> ShardData:
        source, target = encode([row[:2] for row in rows], [self.source_words, self.target_words])
        for sentences, path in ((source, self.source), (target, self.target)):
            lengths = np.diff(sentences.ends, prepend=np.uint64(0))
            if lengths.size and not 0 < lengths.min() <= lengths.max() <= MAX_WORDS:
                found = int(lengths.min()) and int(lengths.max())
                raise InputError(_length_message(found), path=path)
            if self.gaps and sentences.ids.min(initial=len(GAPS)) < len(GAPS):
                raise InputError(
                    f"the word {GAPS[sentences.ids.min()]} stands for a gap in hierarchical rules; "
                    "write it otherwise, or skip such lines (--on-bad)",
                    path=path,
                )
        text = "".join(f"{row[2]}\n" for row in rows).encode()
        points, ends = parse_links(text, source.ends, target.ends, 0, str(self.alignment))
        bits = [] if self.domains is None else [self._bits(row[3]) for row in rows]
        return ShardData(source, target, Links(points, ends), np.array(bits, np.uint64))

    def _is_sound(self, row: Row, line: int) -> bool:
        """Whether a pair can be used; if not, its line is refused, or counted where such are."""
        try:
            self._encode([row])
        except InputError as error:
            message = str(error).removeprefix(f"{error.path or self.alignment}")
            message = message.removeprefix(", line 1").removeprefix(": ")
            self.bad.meet(InputError(message, path=error.path or self.alignment, line=line))
            self.unsound += 1
            return False
        return True

    def _bits(self, labels: str) -> int:
        bits = 0
        for label in labels.split():
            if label not in self.domain_bits and len(self.domain_bits) == MAX_DOMAINS:
                raise InputError(
                    f"more than {MAX_DOMAINS} different domains, with {label!r}",
                    path=self.domains,
                )
            bits |= 1 << self.domain_bits.setdefault(label, len(self.domain_bits))
        return bits


def _length_message(words: int) -> str:
    if words == 0:
        return "a line without tokens; leave out the sentence pair, or skip such lines (--on-bad)"
    return f"a sentence of {words:,} words; at most {MAX_WORDS:,} are taken, so split it"
