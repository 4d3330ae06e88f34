"""Rules read from a text table, line by line, and the rule table that is made of them."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam._core.rules import group_phrases
from miriam.errors import ConfigError, InputError
from miriam.lexicon.vocabulary import Sentences, Vocabulary, encode
from miriam.progress import Report
from miriam.rules.gaps import HIERARCHICAL, add_gaps
from miriam.rules.settings import PHRASE_SCORES
from miriam.rules.table import RuleTable
from miriam.rules.write import TableWriter
from miriam.text.files import read_lines

__all__ = [
    "ESCAPES",
    "FLOOR",
    "TextRows",
    "logs",
    "probabilities",
    "read_fields",
    "read_links",
    "score_names",
    "split_fields",
    "unescaped",
    "write_rows",
]

FLOOR = -100.0  # the logarithm of a probability of zero, as in Moses
ESCAPES = {"&#124;": "|", "&lt;": "<", "&gt;": ">", "&apos;": "'", "&quot;": '"', "&#91;": "[",
           "&#93;": "]", "&amp;": "&"}  # fmt: skip
MAX_POSITION = 255
REPORT_EVERY = 100_000


@dataclass
class TextRows:
    """The rules of a text table, as they come."""

    path: Path | str  # of the file that is being read
    unescape: bool
    hierarchical: bool = False
    sources: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    scores: array[float] = field(default_factory=lambda: array("d"))
    counts: array[float] = field(default_factory=lambda: array("d"))  # of e, of f, of both
    links: array[int] = field(default_factory=lambda: array("I"))
    link_sets: dict[str, int] = field(default_factory=dict)
    link_points: list[list[tuple[int, int]]] = field(default_factory=list)
    width: int = 0

    def add(self, fields: Sequence[str], line: int) -> None:
        """Take in source, target, scores, and perhaps links and counts, as Moses orders them."""
        values = probabilities(fields[2], self.width, self.path, line)
        self.add_rule(fields[0], fields[1], fields[3:], line)
        self.width = len(values)
        self.scores.extend(values)

    def add_rule(self, source: str, target: str, more: Sequence[str], line: int) -> None:
        """Take in a rule without its scores; `more` may have its links and its counts."""
        links = self._link_set(source, target, more[0] if more else "", line)
        self.counts.extend(self._counts(more[1] if len(more) > 1 else "", line))
        self.sources.append(source)
        self.targets.append(target)
        self.links.append(links)

    def _link_set(self, source: str, target: str, links: str, line: int) -> int:
        """The number of a set of links, which must lie within the rule."""
        number = self.link_sets.get(links)
        points = read_links(links, self.path, line) if number is None else self.link_points[number]
        if points and not (
            max(i for i, _ in points) <= source.count(" ")
            and max(j for _, j in points) <= target.count(" ")
        ):
            raise InputError(
                f"the alignment {links} lies outside its phrase pair", path=self.path, line=line
            )
        if number is None:
            number = self.link_sets[links] = len(self.link_points)
            self.link_points.append(points)
        return number

    def _counts(self, text: str, line: int) -> tuple[float, float, float]:
        try:
            numbers = [float(number) for number in text.split()]
        except ValueError:
            raise InputError(
                f"expected counts, found {text!r}", path=self.path, line=line
            ) from None
        target, source, both = (*numbers[:3], *[0.0] * (3 - len(numbers)))
        return target, source, both

    @property
    def matrix(self) -> npt.NDArray[np.float32]:
        """The scores as natural logs, a row for each line."""
        return logs(self.scores, self.width)

    def phrases(self, side: Sequence[str], words: Vocabulary) -> Sentences:
        """The ids of one side."""
        (ids,) = encode(((unescaped(phrase) if self.unescape else phrase,) for phrase in side),
                        [words])  # fmt: skip
        return ids


def read_fields(path: Path | str, least: int, report: Report) -> Iterator[tuple[int, list[str]]]:
    """The lines of a table with their numbers, cut into fields without outer blanks."""
    number = 0
    for number, line in enumerate(read_lines(path), 1):
        fields = split_fields(line)
        if len(fields) < least or not fields[0]:
            raise InputError(
                f"expected {least} fields or more, parted by |||, and a source phrase in the first",
                path=path, line=number,
            )  # fmt: skip
        yield number, fields
        if number % REPORT_EVERY == 0:
            report(f"reading {Path(path).name}", number, 0)
    if number == 0:
        raise InputError("the table is empty", path=path)
    report(f"reading {Path(path).name}", number, number)


def split_fields(line: str) -> list[str]:
    """The fields of a line, each with single blanks."""
    return [" ".join(field.split()) for field in line.split("|||")]


def probabilities(text: str, width: int, path: Path | str, line: int) -> list[float]:
    """The probabilities of a line, as many as the lines before have; `width` 0 is any number."""
    try:
        values = [float(value) for value in text.split()]
    except ValueError:
        values = [math.nan]
    if not values or not all(0 <= value < math.inf for value in values):
        raise InputError(f"expected probabilities, found {text!r}", path=path, line=line)
    if width and len(values) != width:
        raise InputError(
            f"{len(values)} scores, where the lines before have {width}", path=path, line=line
        )
    return values


def read_links(text: str, path: Path | str, line: int) -> list[tuple[int, int]]:
    """Links such as `0-0 1-2`, sorted."""
    points = []
    for point in text.split():
        match = re.fullmatch(r"(\d+)-(\d+)", point)
        if not match or max(map(int, match.groups())) > MAX_POSITION:
            raise InputError(f"expected points such as 0-2, found {point!r}", path=path, line=line)
        points.append((int(match[1]), int(match[2])))
    return sorted(set(points))


def logs(values: array[float], width: int) -> npt.NDArray[np.float32]:
    """Probabilities as natural logarithms, `width` a row."""
    numbers = np.frombuffer(values, np.float64).reshape(-1, width)
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(numbers), FLOOR).astype(np.float32)


def unescaped(text: str) -> str:
    """Text without Moses' escapes."""
    if "&" in text:
        for escape, character in ESCAPES.items():
            text = text.replace(escape, character)
    return text


def score_names(scores: Sequence[str] | None, rows: TextRows, path: Path | str) -> list[str]:
    """The names of the score columns: those given, the usual ones, or numbered ones."""
    usual = PHRASE_SCORES[: rows.width] if rows.width in (4, len(PHRASE_SCORES)) else None
    names = list(scores or usual or (f"score{i}" for i in range(rows.width)))
    if len(names) != rows.width or len(set(names)) != len(names) or any("." in n for n in names):
        raise ConfigError(
            f"{path} has {rows.width} scores, which need as many different names without a dot, "
            f"not {', '.join(names)}"
        )
    return names


def write_rows(
    rows: TextRows,
    names: Sequence[str],
    scores: npt.NDArray[np.float32],
    path: Path,
    vocabularies: tuple[Vocabulary, Vocabulary] | None,
) -> RuleTable:
    """The rule table of rows with their scores, written to a file."""
    source_words, target_words = vocabularies or (Vocabulary(), Vocabulary())
    if rows.hierarchical:
        add_gaps(source_words, target_words)
    sources = rows.phrases(rows.sources, source_words)
    targets = rows.phrases(rows.targets, target_words)
    source_of, first_source = _groups(sources)
    target_of, first_target = _groups(targets)
    best = scores[:, names.index("phi(e|f)") if "phi(e|f)" in names else 0]
    order = np.lexsort((target_of, -best, source_of))
    _refuse_duplicates(rows, source_of, target_of)
    sizes = np.bincount(source_of, minlength=len(first_source))
    counts = np.frombuffer(rows.counts, np.float64).reshape(-1, 3)
    words, ends = _phrases(sources, first_source)
    points = [point for links in rows.link_points for link in links for point in link]
    columns = {
        "source.words": words,
        "source.ends": ends,
        "source.counts": counts[first_source, 1],
        "rule.ends": np.cumsum(sizes, dtype=np.uint64),
        "rule.target": target_of[order].astype(np.uint32),
        "rule.count": counts[order, 2],
        "rule.links": np.frombuffer(rows.links, np.uint32)[order],
        "rule.scores": np.ascontiguousarray(scores[order]).reshape(-1),
        "link.points": np.array(points, np.uint8),
        "link.ends": np.cumsum([2 * len(links) for links in rows.link_points], dtype=np.uint64),
    }
    metadata = HIERARCHICAL if rows.hierarchical else None
    with TableWriter(path, scores=names, metadata=metadata) as writer:
        writer.add_vocabularies(source_words, target_words)
        writer.add_targets(*_phrases(targets, first_target), counts[first_target, 0])
        writer.add_rules(columns)
    return RuleTable.open(path)


def _groups(phrases: Sentences) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The number of each phrase among the different ones, by hash, and the first row of each."""
    order, starts = group_phrases(phrases.ids, phrases.ends)
    numbers = np.empty(len(order), np.int64)
    first = np.zeros(len(order), np.int64)
    first[starts.astype(np.int64)] = 1
    numbers[order.astype(np.int64)] = np.cumsum(first) - 1
    return numbers, order[starts.astype(np.int64)].astype(np.int64)


def _phrases(
    phrases: Sentences, rows: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
    """The phrases of some rows, one after another."""
    pieces = [np.empty(0, np.uint32), *(phrases[row] for row in rows.tolist())]
    ends = np.cumsum([len(piece) for piece in pieces[1:]], dtype=np.uint64)
    return np.concatenate(pieces), ends


def _refuse_duplicates(
    rows: TextRows,
    source_of: npt.NDArray[np.int64],
    target_of: npt.NDArray[np.int64],
) -> None:
    pairs = source_of * (int(target_of.max(initial=0)) + 1) + target_of
    by_pair = np.argsort(pairs, kind="stable")
    again = np.flatnonzero(np.diff(pairs[by_pair]) == 0)
    if again.size:
        line = int(by_pair[again[0] + 1])
        raise InputError(
            f"a second line for the rule {rows.sources[line]!r} to {rows.targets[line]!r}",
            path=rows.path, line=line + 1,
        )  # fmt: skip
