"""Moses' and cdec's text grammars as rule tables."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam.errors import InputError
from miriam.lexicon.vocabulary import Vocabulary
from miriam.progress import Report, silent
from miriam.rules.gaps import GAPS
from miriam.rules.notation import PROBABILITIES, cdec_features, cdec_sides, is_cdec, moses_sides
from miriam.rules.rows import (
    FLOOR,
    TextRows,
    read_links,
    score_names,
    split_fields,
    unescaped,
    write_rows,
)
from miriam.rules.table import TABLE_NAME, RuleTable
from miriam.text.files import BadLines, read_lines

__all__ = ["import_grammar"]


def import_grammar(
    paths: Path | str | Sequence[Path | str],
    out: Path | str,
    *,
    unescape: bool = False,
    words: tuple[Vocabulary, Vocabulary] | None = None,
    bad: BadLines | None = None,
    report: Report = silent,
) -> RuleTable:
    """The table of hierarchical rules of a text grammar, written to a folder.

    Grammars are Moses' (`der [X][X] [X] ||| the [X][X] [X] ||| scores ||| links ||| counts`) or
    cdec's (`[X] ||| der [X,1] ||| the [1] ||| features ||| links`). Several files, such as cdec's
    grammars of single sentences, make one table; a rule is taken from the first that has it. Words
    keep Moses' escapes unless `unescape` is set. `words` are as in `import_moses`.

    >>> import tempfile
    >>> line = "der [X][X] [X] ||| the [X][X] [X] ||| 0.5 0.25 1 0.5 ||| 0-0 1-1 ||| 2 1 1"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "grammar").write_text(line)
    ...     table = import_grammar(f"{folder}/grammar", folder)
    >>> rule, = table.lookup("der [X,1]")
    >>> rule.target, rule.links
    ('the [X,1]', ((0, 0),))
    """
    paths = [paths] if isinstance(paths, (str, Path)) else list(paths)
    bad = bad or BadLines()
    grammar: Grammar | None = None
    for path in paths:
        grammar = _read(path, grammar, unescape, bad)
        report("reading grammars", len(grammar.rows.sources) if grammar else 0, 0)
    if grammar is None or not grammar.rows.sources:
        raise InputError("there is no rule to take", path=paths[0] if paths else None)
    report("reading grammars", len(grammar.rows.sources), len(grammar.rows.sources))
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    return write_rows(grammar.rows, grammar.names, grammar.matrix, out / TABLE_NAME, words)


@dataclass
class Grammar:
    """The rules of grammar files, as they come: those of Moses."""

    rows: TextRows
    unescape: bool
    fields: int = 0  # how many the lines have
    seen: dict[tuple[str, str], Path | str] = field(default_factory=dict)  # where a rule was

    def add(self, line: str, number: int) -> None:
        """Take in a line."""
        fields = split_fields(line)
        if len(fields) < max(self.fields, 3):
            before = f"where the lines before have {self.fields}" if self.fields else "at least 3"
            raise ValueError(f"{len(fields)} fields, {before}; the file may have been cut short")
        self._add(fields, number)
        self.fields = len(fields)

    @property
    def names(self) -> list[str]:
        """The names of the score columns."""
        return score_names(None, self.rows, self.rows.path)

    @property
    def matrix(self) -> npt.NDArray[np.float32]:
        """A row of scores for each rule."""
        return self.rows.matrix

    def _add(self, fields: Sequence[str], number: int) -> None:
        points = read_links(fields[3] if len(fields) > 3 else "", self.rows.path, number)
        source, target, points = moses_sides(fields[0], fields[1], points)
        sides = self._sides(source, target)
        if self._is_new(sides):
            self.rows.add([*sides, fields[2], _text(points), *fields[4:5]], number)
            self.seen[sides] = self.rows.path

    def _sides(self, source: Sequence[str], target: Sequence[str]) -> tuple[str, str]:
        return self._side(source), self._side(target)

    def _side(self, side: Sequence[str]) -> str:
        """A side as text, without escapes if that is wanted."""
        words = [unescaped(word) for word in side] if self.unescape else side
        for word, before in zip(words, side, strict=True):
            if word != before and word in GAPS:
                raise ValueError(f"the word {before} would be a gap without its escapes")
        return " ".join(words)

    def _is_new(self, sides: tuple[str, str]) -> bool:
        first = self.seen.get(sides)
        if first == self.rows.path:
            raise ValueError(f"a second line for the rule {sides[0]!r} to {sides[1]!r}")
        return first is None


@dataclass
class CdecGrammar(Grammar):
    """The rules of cdec's grammar files, whose features have names."""

    columns: dict[str, int] = field(default_factory=dict)
    # Row, column and value of each feature; one that is not given is 0.
    cells: tuple[array[int], array[int], array[float]] = field(
        default_factory=lambda: (array("Q"), array("I"), array("d"))
    )
    needed: frozenset[str] = frozenset()  # what each rule must have, because the first has it

    @property
    def names(self) -> list[str]:
        """The names of the score columns, ours before others."""
        known = [name for name in PROBABILITIES if name in self.columns]
        return known + [name for name in self.columns if name not in PROBABILITIES]

    @property
    def matrix(self) -> npt.NDArray[np.float32]:
        """A row of scores for each rule."""
        rows, columns, values = (np.asarray(cell) for cell in self.cells)
        place = {name: i for i, name in enumerate(self.names)}
        order = np.array([place[name] for name in self.columns], np.int64)
        matrix = np.zeros((len(self.rows.sources), len(order)), np.float32)
        matrix[rows.astype(np.int64), order[columns]] = values
        return matrix

    def _add(self, fields: Sequence[str], number: int) -> None:
        if len(fields) < 4:
            raise ValueError(f"{len(fields)} fields, where a rule for cdec has at least 4")
        sides = self._sides(*cdec_sides(fields[0], fields[1], fields[2]))
        features = cdec_features(fields[3])
        if lost := self.needed - features.keys():
            raise ValueError(f"no value for {min(lost)}, which the lines before have")
        if not self._is_new(sides):
            return
        self.rows.add_rule(*sides, fields[4:5], number)
        self.seen[sides] = self.rows.path
        for name, value in features.items():
            self.cells[0].append(len(self.rows.sources) - 1)
            self.cells[1].append(self.columns.setdefault(name, len(self.columns)))
            self.cells[2].append(max(value, FLOOR) if name in PROBABILITIES else value)
        self.needed = self.needed or frozenset(
            name for name in features if name in PROBABILITIES or name.startswith("score")
        )


def _read(
    path: Path | str, grammar: Grammar | None, unescape: bool, bad: BadLines
) -> Grammar | None:
    """The rules of a file, behind those of the files before it, in the same notation."""
    for number, line in enumerate(read_lines(path, bad), 1):
        if grammar is None:
            rows = TextRows(path, unescape=False, hierarchical=True)
            grammar = (CdecGrammar if is_cdec(line) else Grammar)(rows, unescape)
        grammar.rows.path = path
        try:
            grammar.add(line, number)
        except ValueError as error:
            bad.meet(InputError(str(error), path=path, line=number))
        except InputError as error:
            bad.meet(error)
    return grammar


def _text(points: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{i}-{j}" for i, j in points)
