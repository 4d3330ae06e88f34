"""Rule tables and language models as the decoder takes them: numbered rules, columns, word ids."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from miriam.errors import ConfigError
from miriam.features.ragged import Ragged
from miriam.features.rules import Rule, RuleBatch
from miriam.features.table import Features
from miriam.lexicon.vocabulary import MappedVocabulary
from miriam.lm.classes import ClassModel
from miriam.lm.model import LanguageModel
from miriam.rules.gaps import GAPS
from miriam.rules.table import RuleTable

__all__ = ["Tables", "lm_ids", "orientation_events"]

BLOCKS = ("hier", "symmetric")  # orientations to blocks; the others are to phrases
EVENTS = {"monotone": "m", "swap": "s", "discontinuous": "lr", "left": "l", "right": "r"}
SIDES = {**EVENTS, "left": "sl", "right": "mr"}  # where these two are all there is
UNKNOWN = 0  # the id of <unk> in language models


def orientation_events(column: str) -> tuple[bool, bool, int] | None:
    """Of an orientation column: whether of blocks, whether with the next phrase, events as bits.

    >>> orientation_events("hier-mslr.next.left"), orientation_events("phi(e|f)")
    ((True, True, 4), None)
    """
    model, _, rest = column.partition(".")
    kind, _, classes = model.partition("-")
    direction, _, name = rest.partition(".")
    if direction not in ("previous", "next"):
        return None
    if classes == "monotonicity":
        events = "m" if name == "monotone" else "slr"
    else:
        events = (SIDES if classes == "leftright" else EVENTS)[name]
    return kind in BLOCKS, direction == "next", sum(1 << "mslr".index(e) for e in events)


class Tables:
    """Rule tables that share their vocabularies; their rules are numbered through."""

    def __init__(self, tables: Mapping[str, RuleTable]) -> None:
        if not tables:
            raise ConfigError("a decoder needs a rule table")
        self.tables = dict(tables)
        self.firsts = np.cumsum([0, *(len(table) for table in tables.values())])
        self.first = next(iter(tables.values()))
        if len({table.hierarchical for table in tables.values()}) > 1:
            raise ConfigError("rule tables with gaps and without; a decoder takes one kind")
        for name, table in tables.items():
            for side in ("source", "target"):
                part = f"{side}.vocabulary.text"
                if not np.array_equal(table.container[part], self.first.container[part]):
                    raise ConfigError(
                        f"the rule table {name!r} has other {side} words than the first; "
                        "build tables that are used together with the same vocabularies"
                    )

    @property
    def hierarchical(self) -> bool:
        """Whether rules have gaps."""
        return self.first.hierarchical

    @property
    def gaps(self) -> list[list[int]]:
        """The ids of the words that stand for gaps, on both sides; none if rules have none."""
        if not self.hierarchical:
            return [[], []]
        sides = (self.source_words, self.target_words)
        return [[i for gap in GAPS if (i := words.find(gap)) is not None] for words in sides]

    @property
    def source_words(self) -> MappedVocabulary:
        """The words that are known on the source side."""
        return self.first.source_words

    @property
    def target_words(self) -> MappedVocabulary:
        """The same on the target side."""
        return self.first.target_words

    @property
    def domains(self) -> list[str]:
        """The domains that rules have been seen in; rules have a bit for each, in this order."""
        return list(dict.fromkeys(d for t in self.tables.values() for d in t.domain_names))

    def _bits(self, table: RuleTable, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """The domains of rules of a table."""
        bits = np.zeros(len(rows), np.uint64)
        if not table.domain_names:
            return bits
        own = table.container["rule.domains"][rows].astype(np.uint64)
        for bit, name in enumerate(table.domain_names):
            here = own >> np.uint64(bit) & np.uint64(1)
            bits |= here << np.uint64(self.domains.index(name))
        return bits

    def target_lines(self) -> bytes:
        """All target words, one a line, in the order of their ids."""
        text = self.first.container["target.vocabulary.text"]
        ends = self.first.container["target.vocabulary.ends"].astype(np.int64)
        return np.insert(text, ends, ord("\n")).tobytes()

    def rule(self, number: int) -> Rule:
        """The rule with this number."""
        which = int(np.searchsorted(self.firsts, number, side="right")) - 1
        table = list(self.tables.values())[which]
        row = number - int(self.firsts[which])
        source = bisect_right(table.heads[:, 1], row) - 1  # searchsorted would copy the column
        found = table.rule(row, source)
        domains = int(self._bits(table, np.array([row], np.uint64))[0])
        return Rule(
            tuple(found.source.split()), tuple(found.target.split()), found.links,
            count=found.count, domains=domains,
        )  # fmt: skip

    def batches(
        self, numbers: npt.NDArray[np.uint32], features: Features
    ) -> Iterator[tuple[npt.NDArray[np.uint32], RuleBatch]]:
        """Rules with these numbers, those of each table in a batch."""
        bounds = zip(self.firsts.tolist(), self.firsts[1:].tolist(), strict=False)
        for (first, end), table in zip(bounds, self.tables.values(), strict=True):
            own = numbers[(first <= numbers) & (numbers < end)]
            if not len(own):
                continue
            rows = own.astype(np.uint64) - np.uint64(first)
            words, ends, target_words, target_ends, points, point_ends = table.native.gather(rows)
            source, target = Ragged(words, ends), Ragged(target_words, target_ends)
            domains = self._bits(table, rows)
            counts = table.container["rule.count"][rows].astype(np.float64)
            unknown = np.zeros(len(rows), np.bool_)
            yield (
                own,
                RuleBatch(
                    features, source, target, Ragged(points, point_ends), counts, unknown, domains
                ),
            )

    def find(self, source: Sequence[str], target: Sequence[str]) -> int | None:
        """The number of the rule that translates these words so, if there is one."""
        for first, table in zip(self.firsts.tolist(), self.tables.values(), strict=False):
            ids = [table.source_words.find(word) for word in source]
            if None in ids:
                continue
            words = np.array(ids, np.uint32)
            number = int(table.native.find(words, np.array([len(words)], np.uint64))[0])
            if number == table.source_count:
                continue
            begin, end = map(int, table.heads[number : number + 2, 1])
            for row in range(begin, end):
                if table.target_phrase(int(table.container["rule.target"][row])).split() == list(
                    target
                ):
                    return int(first) + row
        return None


def lm_ids(model: LanguageModel | ClassModel, lines: bytes) -> npt.NDArray[np.uint32]:
    """A model's ids of words, one a line."""
    if isinstance(model, ClassModel):
        return model.encode(lines)[0]
    ids, _ = model.vocabulary.encode(lines)
    return np.where(ids < len(model.vocabulary), ids, UNKNOWN).astype(np.uint32)
