"""Moses' text tables as rule tables, so that models trained with Moses can be used."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam._core.rules import group_phrases
from miriam.errors import ConfigError, InputError
from miriam.lexicon.vocabulary import Sentences, Vocabulary, encode
from miriam.progress import Report, silent
from miriam.rules.settings import CLASSES, PHRASE_SCORES, orientation_columns
from miriam.rules.table import TABLE_NAME, RuleTable
from miriam.rules.write import TableWriter
from miriam.text.files import read_lines

__all__ = ["import_moses"]

FLOOR = -100.0  # the logarithm of a probability of zero, as in Moses
DIRECTIONS = {"bidirectional": ["previous", "next"], "backward": ["previous"], "forward": ["next"]}
REORDERING = re.compile(
    rf"(?P<model>(wbe|phrase|hier|symmetric)-({'|'.join(CLASSES)}))"
    rf"-(?P<direction>{'|'.join(DIRECTIONS)})-(?P<key>fe|f)(?![a-z])"
)
ESCAPES = {"&#124;": "|", "&lt;": "<", "&gt;": ">", "&apos;": "'", "&quot;": '"', "&#91;": "[",
           "&#93;": "]", "&amp;": "&"}  # fmt: skip
MAX_POSITION = 255
REPORT_EVERY = 100_000


def import_moses(
    phrase_table: Path | str,
    out: Path | str,
    *,
    reordering: Sequence[Path | str] = (),
    scores: Sequence[str] | None = None,
    unescape: bool = False,
    words: tuple[Vocabulary, Vocabulary] | None = None,
    report: Report = silent,
) -> RuleTable:
    """The rule table of Moses' phrase table and its reordering tables, written to a folder.

    The type of a reordering table is read from its name, which must hold something like
    `wbe-msd-bidirectional-fe`. `scores` names the columns of the phrase table: by default four are
    Moses' usual ones, and others are `score0`, `score1` and so on. Words keep Moses' escapes
    (`&apos;`) unless `unescape` is set. `words` are vocabularies to be used and stored: tables of
    one model need the same. The table is put together in memory.

    >>> import tempfile
    >>> line = "ein hund ||| a dog ||| 0.5 0.25 1 0.5 ||| 0-0 1-1 ||| 2 1 1"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "table").write_text(line)
    ...     table = import_moses(f"{folder}/table", folder)
    >>> table.lookup("ein hund")[0].links
    ((0, 0), (1, 1))
    """
    rows = PhraseRows(phrase_table, unescape)
    for number, fields in _fields(phrase_table, 3, report):
        rows.add(fields, number)
    names = _score_names(scores, rows, phrase_table)
    matrices = [rows.matrix]
    for path in reordering:
        columns, matrix = _read_reordering(path, rows, report)
        if set(columns) & set(names):
            raise ConfigError(f"{path}: a second reordering table of the same type")
        names += columns
        matrices.append(matrix)
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    return _write(rows, names, np.hstack(matrices), out / TABLE_NAME, words)


@dataclass
class PhraseRows:
    """The rows of a phrase table, as they come."""

    path: Path | str
    unescape: bool
    sources: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    scores: array[float] = field(default_factory=lambda: array("d"))
    counts: array[float] = field(default_factory=lambda: array("d"))  # of e, of f, of both
    links: array[int] = field(default_factory=lambda: array("I"))
    link_sets: dict[str, int] = field(default_factory=dict)
    link_points: list[list[tuple[int, int]]] = field(default_factory=list)
    width: int = 0

    def add(self, fields: Sequence[str], line: int) -> None:
        """Take in the fields of a line."""
        source, target, scores = fields[:3]
        values = _probabilities(scores, self.width, self.path, line)
        self.width = len(values)
        self.scores.extend(values)
        self.sources.append(source)
        self.targets.append(target)
        self.counts.extend(self._counts(fields[4] if len(fields) > 4 else "", line))
        links = fields[3] if len(fields) > 3 else ""
        number = self.link_sets.setdefault(links, len(self.link_sets))
        if number == len(self.link_points):
            self.link_points.append(_links(links, self.path, line))
        self.links.append(number)
        points = self.link_points[number]
        if points and not (
            max(i for i, _ in points) <= source.count(" ")
            and max(j for _, j in points) <= target.count(" ")
        ):
            raise InputError(
                f"the alignment {links} lies outside its phrase pair", path=self.path, line=line
            )

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
        return _logs(self.scores, self.width)

    def phrases(self, side: Sequence[str], words: Vocabulary) -> Sentences:
        """The ids of one side."""
        (ids,) = encode(((_unescaped(phrase) if self.unescape else phrase,) for phrase in side),
                        [words])  # fmt: skip
        return ids


def _fields(path: Path | str, least: int, report: Report) -> Iterator[tuple[int, list[str]]]:
    """The lines of a table with their numbers, cut into fields without outer blanks."""
    number = 0
    for number, line in enumerate(read_lines(path), 1):
        fields = [" ".join(field.split()) for field in line.split("|||")]
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


def _probabilities(text: str, width: int, path: Path | str, line: int) -> list[float]:
    try:
        values = [float(value) for value in text.split()]
    except ValueError:
        values = [math.nan]
    if not all(0 <= value < math.inf for value in values):
        raise InputError(f"expected probabilities, found {text!r}", path=path, line=line)
    if width and len(values) != width:
        raise InputError(
            f"{len(values)} scores, where the lines before have {width}", path=path, line=line
        )
    return values


def _links(text: str, path: Path | str, line: int) -> list[tuple[int, int]]:
    points = []
    for point in text.split():
        match = re.fullmatch(r"(\d+)-(\d+)", point)
        if not match or max(map(int, match.groups())) > MAX_POSITION:
            raise InputError(f"expected points such as 0-2, found {point!r}", path=path, line=line)
        points.append((int(match[1]), int(match[2])))
    return sorted(set(points))


def _logs(values: array[float], width: int) -> npt.NDArray[np.float32]:
    numbers = np.frombuffer(values, np.float64).reshape(-1, width)
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(numbers), FLOOR).astype(np.float32)


def _unescaped(text: str) -> str:
    if "&" in text:
        for escape, character in ESCAPES.items():
            text = text.replace(escape, character)
    return text


def _score_names(scores: Sequence[str] | None, rows: PhraseRows, path: Path | str) -> list[str]:
    usual = PHRASE_SCORES[: rows.width] if rows.width in (4, len(PHRASE_SCORES)) else None
    names = list(scores or usual or (f"score{i}" for i in range(rows.width)))
    if len(names) != rows.width or len(set(names)) != len(names) or any("." in n for n in names):
        raise ConfigError(
            f"{path} has {rows.width} scores, which need as many different names without a dot, "
            f"not {', '.join(names)}"
        )
    return names


def _read_reordering(
    path: Path | str, rows: PhraseRows, report: Report
) -> tuple[list[str], npt.NDArray[np.float32]]:
    """The columns of a reordering table, and their values for each row of the phrase table."""
    match = REORDERING.search(Path(path).name)
    if not match:
        raise ConfigError(
            f"{path}: the name of a reordering table must tell its type, as in "
            "reordering-table.wbe-msd-bidirectional-fe.gz"
        )
    columns = orientation_columns(match["model"], DIRECTIONS[match["direction"]])
    by_pair = match["key"] == "fe"
    keys: list[str] = []
    values = array("d")
    for number, fields in _fields(path, 3 if by_pair else 2, report):
        numbers = _probabilities(fields[-1], 0, path, number)
        if len(numbers) != len(columns):
            raise InputError(
                f"{len(numbers)} scores, where {match[0]} has {len(columns)}",
                path=path, line=number,
            )  # fmt: skip
        keys.append(f"{fields[0]} ||| {fields[1]}" if by_pair else fields[0])
        values.extend(numbers)
    pairs = zip(rows.sources, rows.targets, strict=True)
    wanted = [f"{f} ||| {e}" for f, e in pairs] if by_pair else rows.sources
    found = _join(wanted, keys)
    if (missing := np.flatnonzero(found < 0)).size:
        line = int(missing[0])
        raise InputError(
            f"no scores for {wanted[line]!r}, which line {line + 1} of {rows.path} has", path=path
        )
    return columns, _logs(values, len(columns))[found]


def _join(wanted: Iterable[str], keys: Iterable[str]) -> npt.NDArray[np.int64]:
    """For each wanted key its place in `keys`, or -1."""
    place = {key: i for i, key in enumerate(keys)}
    return np.fromiter((place.get(key, -1) for key in wanted), np.int64)


def _write(
    rows: PhraseRows,
    names: Sequence[str],
    scores: npt.NDArray[np.float32],
    path: Path,
    vocabularies: tuple[Vocabulary, Vocabulary] | None,
) -> RuleTable:
    source_words, target_words = vocabularies or (Vocabulary(), Vocabulary())
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
    with TableWriter(path, scores=names) as writer:
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
    rows: PhraseRows,
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
