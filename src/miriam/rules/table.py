"""The rule table: a mapped file in which the rules of a source phrase are found in nanoseconds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam._core.rules import LexicalTable, Table
from miriam.container import Container, open_container
from miriam.errors import ModelError
from miriam.lexicon.vocabulary import NO_WORD, MappedVocabulary, read_vocabulary
from miriam.rules.gaps import is_hierarchical
from miriam.rules.write import KIND, VERSION

__all__ = ["TABLE_NAME", "Rule", "RuleTable"]

TABLE_NAME = "rules.safetensors"


@dataclass(frozen=True)
class Rule:
    """A rule as a person reads it."""

    source: str
    target: str
    scores: Mapping[str, float]  # natural logs, by the name of their column
    links: tuple[tuple[int, int], ...]  # source word, target word
    count: float  # how often the pair was extracted
    source_count: float  # the same of all rules with this source phrase
    target_count: float
    domains: tuple[str, ...] = ()


class RuleTable:
    """An open table; its arrays are mapped, so processes share them.

    Source phrases are numbered in the order of their hash, target phrases too; the rules of a
    source phrase are consecutive rows, those seen most often first.
    """

    def __init__(self, container: Container) -> None:
        self.container = container
        try:
            self.score_names: tuple[str, ...] = tuple(json.loads(container.metadata["scores"]))
            self.domain_names: tuple[str, ...] = tuple(json.loads(container.metadata["domains"]))
        except (KeyError, ValueError):
            raise ModelError(f"{container.path}: the header is damaged; build it again") from None
        self.source_words: MappedVocabulary = read_vocabulary(container, "source.vocabulary")
        self.target_words: MappedVocabulary = read_vocabulary(container, "target.vocabulary")
        self.native = Table(
            *(
                container[name]
                for name in (
                    "source.buckets", "source.heads", "source.words", "target.ends",
                    "target.words", "link.ends", "link.points", "rule.target", "rule.links",
                    "rule.scores",
                )
            )
        )  # fmt: skip

    @classmethod
    def open(cls, path: Path | str) -> RuleTable:
        """The table in a file, or in a folder that `extract_rules` wrote."""
        path = Path(path)
        if path.is_dir():
            path = path / TABLE_NAME
        if not path.exists():
            raise ModelError(f"{path}: there is no rule table; `miriam extract` makes one")
        return cls(open_container(path, kind=KIND, version=VERSION))

    def __len__(self) -> int:
        return len(self.container["rule.target"])

    def __iter__(self) -> Iterator[Rule]:
        for source in range(self.source_count):
            yield from self.rules_of(source)

    @property
    def hierarchical(self) -> bool:
        """Whether rules have gaps: the words [X,1] and [X,2] of both vocabularies."""
        return is_hierarchical(self.container.metadata)

    @property
    def source_count(self) -> int:
        """How many source phrases there are."""
        return len(self.container["source.counts"])

    @property
    def target_count(self) -> int:
        """How many target phrases there are."""
        return len(self.container["target.counts"])

    @property
    def heads(self) -> npt.NDArray[np.uint64]:
        """Where the words and the rules of each source phrase begin; one row more at the end."""
        return self.container["source.heads"].reshape(-1, 2)

    @property
    def scores(self) -> npt.NDArray[np.float32]:
        """A row of natural logs for each rule, a column for each of `score_names`."""
        return self.container["rule.scores"].reshape(len(self), -1)

    @cached_property
    def lexical(self) -> LexicalTable:
        """The word translation probabilities that the lexical weights were made of."""
        return LexicalTable(self.container["lexical.keys"], self.container["lexical.counts"])

    @cached_property
    def target_frequencies(self) -> npt.NDArray[np.int64]:
        """How often training has linked each target word, or seen it without a link; by word id.

        A word with several links counts several times. Imported tables have no such counts.
        """
        words = len(self.target_words)
        if "lexical.keys" not in self.container.arrays:
            return np.zeros(words, np.int64)
        targets = self.container["lexical.keys"] & np.uint64(NO_WORD)
        kept = targets < words  # not the empty word
        counts = self.container["lexical.counts"][kept]
        return np.bincount(targets[kept].astype(np.int64), counts, words).astype(np.int64)

    def lookup(self, source: str) -> list[Rule]:
        """The rules of a source phrase, those seen most often first."""
        ids = [self.source_words.find(word) for word in source.split()]
        words = np.array([NO_WORD if i is None else i for i in ids], np.uint32)
        number = int(self.native.find(words, np.array([len(words)], np.uint64))[0])
        return [] if number == self.source_count else list(self.rules_of(number))

    def rules_of(self, source: int) -> Iterator[Rule]:
        """The rules of the source phrase with this number."""
        begin, end = map(int, self.heads[source : source + 2, 1])
        return map(self.rule, range(begin, end), [source] * (end - begin))

    def rule(self, row: int, source: int) -> Rule:
        """The rule in a row, which belongs to the source phrase with this number."""
        arrays = self.container
        target = int(arrays["rule.target"][row])
        points = _piece(arrays["link.points"], arrays["link.ends"], int(arrays["rule.links"][row]))
        mask = int(arrays["rule.domains"][row]) if self.domain_names else 0
        return Rule(
            source=self.source_phrase(source),
            target=self.target_phrase(target),
            scores=dict(zip(self.score_names, self.scores[row].tolist(), strict=True)),
            links=tuple((i, j) for i, j in points.reshape(-1, 2).tolist()),
            count=float(arrays["rule.count"][row]),
            source_count=float(arrays["source.counts"][source]),
            target_count=float(arrays["target.counts"][target]),
            domains=tuple(name for bit, name in enumerate(self.domain_names) if mask >> bit & 1),
        )

    def source_phrase(self, number: int) -> str:
        """The words of a source phrase."""
        begin, end = map(int, self.heads[number : number + 2, 0])
        ids = self.container["source.words"][begin:end].tolist()
        return " ".join(map(self.source_words.word, ids))

    def target_phrase(self, number: int) -> str:
        """The words of a target phrase."""
        ids = _piece(self.container["target.words"], self.container["target.ends"], number)
        return " ".join(map(self.target_words.word, ids.tolist()))


def _piece(values: np.ndarray, ends: np.ndarray, number: int) -> np.ndarray:
    begin = int(ends[number - 1]) if number else 0
    return values[begin : int(ends[number])]
