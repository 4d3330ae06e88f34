"""Where two systems order a sentence's main clause differently (Green et al., 2013, section 5.3).

There is no parser here. The main clause is taken to be what stands before the first punctuation
mark, and its order to be that of the target words that its source words are linked to.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import msgspec
import numpy as np

from miriam.errors import InputError
from miriam.text.files import open_write, read_lines

__all__ = [
    "COLUMNS", "Difference", "Output", "Verdict", "begins_with", "clause_length", "differences",
    "read_outputs", "read_verdicts", "write_differences",
]  # fmt: skip

Verdict = Literal["first", "second", "both", "neither"]
"""Which translation has the main clause in the right order."""

COLUMNS = ("line", "why", "source", "first", "second", "references", "verdict")
Link = tuple[int, int]


class Output(NamedTuple):
    """What a system made of a sentence."""

    source: tuple[str, ...]
    translation: str
    links: frozenset[Link]


class Difference(NamedTuple):
    """A sentence whose main clause two systems order differently."""

    line: int
    why: str
    first: Output
    second: Output


class _Record(msgspec.Struct):
    """A line of `miriam translate --format jsonl`."""

    source_tokens: str
    translation: str
    alignment: str


def read_outputs(path: Path | str) -> list[Output]:
    """The output of `miriam translate --format jsonl`, or of any system, in the same form.

    >>> import tempfile
    >>> line = '{"source_tokens": "ein hund", "translation": "a dog", "alignment": "0-0 1-1"}'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "out.jsonl")
    ...     _ = path.write_text(line)
    ...     read_outputs(path)[0].source
    ('ein', 'hund')
    """
    outputs = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            record = msgspec.json.decode(line, type=_Record)
            links = frozenset(map(_link, record.alignment.split()))
        except (msgspec.MsgspecError, ValueError) as error:
            raise InputError(
                f"not a translation with source_tokens and alignment ({error}); write it by "
                "`miriam translate --format jsonl`", path=path, line=number
            ) from None  # fmt: skip
        outputs.append(Output(tuple(record.source_tokens.split()), record.translation, links))
    return outputs


def _link(text: str) -> Link:
    i, j = text.split("-")
    return int(i), int(j)


def begins_with(source: Sequence[str], phrases: Iterable[Sequence[str]]) -> bool:
    """Whether a sentence begins with one of these phrases.

    >>> begins_with("و+ قال الله".split(), [["قال"], ["و+", "قال"]])
    True
    """
    return any(list(source[: len(phrase)]) == list(phrase) for phrase in phrases)


def clause_length(source: Sequence[str]) -> int:
    """How many words stand before the first punctuation mark.

    >>> clause_length("قال الله : ليكن نور".split()), clause_length(["قال"])
    (2, 1)
    """
    marks = (i for i, word in enumerate(source) if _is_punctuation(word))
    return next(marks, len(source))


def _is_punctuation(word: str) -> bool:
    return all(unicodedata.category(letter).startswith("P") for letter in word)


def differences(
    first: Sequence[Output], second: Sequence[Output], phrases: Sequence[Sequence[str]] = ()
) -> Iterator[Difference]:
    """The sentences, of those that begin with a phrase, that the two order differently.

    >>> words = ("kam", "er", "nicht")
    >>> straight = Output(words, "came he not", frozenset({(0, 0), (1, 1), (2, 2)}))
    >>> swapped = Output(words, "he came not", frozenset({(0, 1), (1, 0), (2, 2)}))
    >>> [found.why for found in differences([straight], [swapped], [["kam"]])]
    ['order: kam … er']
    """
    for number, (one, other) in enumerate(zip(first, second, strict=True), 1):
        if one.source != other.source:
            raise InputError(f"line {number}: the two systems translate different sentences")
        if phrases and not begins_with(one.source, phrases):
            continue
        if why := _why(one, other):
            yield Difference(number, why, one, other)


def _why(one: Output, other: Output) -> str:
    """In what the order of two main clauses differs; nothing if it does not."""
    words = range(clause_length(one.source))
    at = [_places(output.links) for output in (one, other)]
    for i, j in combinations((i for i in words if all(i in places for places in at)), 2):
        if (at[0][i] - at[0][j]) * (at[1][i] - at[1][j]) < 0:
            return f"order: {one.source[i]} … {one.source[j]}"
    # The first word is the verb where sentences were chosen by theirs.
    lost = [i for i in words[:1] if (i in at[0]) != (i in at[1])]
    return f"only one translates: {one.source[lost[0]]}" if lost else ""


def _places(links: Iterable[Link]) -> Mapping[int, float]:
    """Where each source word comes to stand: the mean of its links."""
    linked: dict[int, list[int]] = {}
    for i, j in links:
        linked.setdefault(i, []).append(j)
    return {i: float(np.mean(there)) for i, there in linked.items()}


def write_differences(
    path: Path | str, found: Iterable[Difference], references: Sequence[Sequence[str]]
) -> None:
    r"""The differences as a table with tabs; `references` are whole translations, if any.

    >>> import tempfile
    >>> one, other = (Output(("a", "b"), text, frozenset()) for text in ("x y", "y x"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "order.tsv")
    ...     write_differences(path, [Difference(1, "order", one, other)], [["x y"]])
    ...     path.read_text().splitlines()[1].split("\t")
    ['1', 'order', 'a b', 'x y', 'y x', 'x y', '']
    """
    with open_write(path) as file:
        file.write("\t".join(COLUMNS).encode() + b"\n")
        for line, why, one, other in found:
            known = " | ".join(column[line - 1] for column in references)
            cells = (str(line), why, " ".join(one.source), one.translation, other.translation,
                     known, "")  # fmt: skip
            file.write("\t".join(cell.replace("\t", " ") for cell in cells).encode() + b"\n")


def read_verdicts(path: Path | str) -> dict[str, int]:
    r"""How often each verdict was given in the table's last column, and how many are missing.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "order.tsv")
    ...     _ = path.write_text("1\torder\ta b\tx y\ty x\tx y\tfirst\n")
    ...     read_verdicts(path)["first"]
    1
    """
    counts = dict.fromkeys((*get_args(Verdict), ""), 0)
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            raise InputError(
                f"{len(cells)} columns; the table has {len(COLUMNS)}, with tabs between them",
                path=path, line=number,
            )  # fmt: skip
        verdict = cells[-1].strip().lower()
        if number == 1 and verdict == COLUMNS[-1]:
            continue
        if verdict not in counts:
            raise InputError(
                f"verdict {verdict!r}; write {', '.join(get_args(Verdict))} or nothing",
                path=path, line=number,
            )  # fmt: skip
        counts[verdict] += 1
    return counts
