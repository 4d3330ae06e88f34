"""n-best files: Moses' format and JSON lines, read as a stream of sentences, and written.

The candidates of a sentence stand together, and its number, from 0 on, is that of the line its
references have.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain, groupby, pairwise
from pathlib import Path
from typing import IO, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from miriam._core import tune as core
from miriam.errors import InputError
from miriam.features.nbest import Names
from miriam.features.weights import is_name
from miriam.lexicon.vocabulary import Vocabulary
from miriam.text.files import open_write, read_blocks, read_lines
from miriam.tune.lists import Candidates, RowList
from miriam.tune.losses.loss import Array
from miriam.tune.table import Ids

__all__ = ["read_nbest", "write_nbest"]


class Part(NamedTuple):
    """Some lines of one sentence."""

    sentence: int
    line: int  # of the first
    texts: list[str]
    totals: Array
    offsets: npt.NDArray[np.int64]
    ids: Ids
    values: Array


class JsonLine(msgspec.Struct):
    """A line of a JSON-lines file; other keys are ignored."""

    id: int
    hypothesis: str
    features: dict[str, float] = {}  # msgspec copies it
    score: float = math.nan


def read_nbest(
    path: Path | str, names: Vocabulary, *, columns: Mapping[str, Path | str] | None = None
) -> Iterator[Candidates]:
    r"""The sentences of an n-best file; `.jsonl` (or `.jsonl.gz`, ...) is JSON lines.

    `columns` names further features, each with a file of one number for each line of `path`.

    >>> import tempfile
    >>> names = Vocabulary()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "nbest"
    ...     _ = file.write_text("0 ||| a dog ||| LM= -3 TM= -1 -2 ||| -4.5\n")
    ...     (sentence,) = read_nbest(file, names)
    >>> sentence.texts, [names.word(i) for i in sentence.nbest.ids]
    (['a dog'], ['LM', 'TM.0', 'TM.1'])
    """
    read = _json_parts if ".jsonl" in Path(path).name else _moses_parts
    parts = _with_columns(read(path, names), path, names, columns or {})
    known: set[int] = set()
    for sentence, group in groupby(parts, key=lambda part: part.sentence):
        lines = list(group)
        if sentence in known:
            raise InputError(
                f"sentence {sentence} comes a second time; its candidates must stand together",
                path=path, line=lines[0].line,
            )  # fmt: skip
        known.add(sentence)
        yield _join(lines)
    if not known:
        raise InputError("the n-best file is empty", path=path)


def _moses_parts(path: Path | str, names: Vocabulary) -> Iterator[Part]:
    line = 1
    for block in read_blocks(path):
        try:
            parsed = core.parse_moses(block, line, names)
        except InputError as error:
            raise InputError(str(error).partition(": ")[2], path=path, line=_line(error)) from None
        sentences, begins, ends, totals, offsets, ids, values = parsed
        bounds = np.flatnonzero(np.diff(sentences, prepend=-1, append=-1))
        for first, last in pairwise(bounds):
            spans = zip(begins[first:last].tolist(), ends[first:last].tolist(), strict=True)
            rows = slice(offsets[first], offsets[last])
            yield Part(
                int(sentences[first]),
                line + int(first),
                [block[begin:end].decode() for begin, end in spans],
                totals[first:last],
                offsets[first : last + 1] - offsets[first],
                ids[rows],
                values[rows],
            )
        line += len(sentences)


def _line(error: InputError) -> int:
    """The number in the core's `line N: ...`."""
    return int(str(error).partition(":")[0].removeprefix("line "))


def _json_parts(path: Path | str, names: Names) -> Iterator[Part]:
    decoder = msgspec.json.Decoder(JsonLine, strict=False)
    known: dict[str, int] = {}
    for number, text in enumerate(read_lines(path), 1):
        try:
            line = decoder.decode(text)
        except msgspec.MsgspecError as error:
            raise InputError(f"not a candidate: {error}", path=path, line=number) from None
        if line.id < 0:
            raise InputError(f"the sentence number {line.id} is negative", path=path, line=number)
        for name, value in line.features.items():
            if name not in known:
                if not is_name(name):
                    raise InputError(
                        f"the feature name {name!r} is empty or has a blank in it",
                        path=path, line=number,
                    )  # fmt: skip
                known[name] = names.add(name)
            if not math.isfinite(value):
                raise InputError(f"feature {name!r} is not finite", path=path, line=number)
        cells = {known[name]: value for name, value in line.features.items() if value}
        yield Part(
            line.id,
            number,
            [line.hypothesis],
            np.array([line.score]),
            np.array([0, len(cells)]),
            np.fromiter(cells, dtype=np.int32),
            np.fromiter(cells.values(), dtype=np.float64),
        )


def _with_columns(
    parts: Iterator[Part],
    path: Path | str,
    names: Names,
    columns: Mapping[str, Path | str],
) -> Iterator[Part]:
    """The parts with a feature more for each column."""
    if not columns:
        yield from parts
        return
    for name in columns:
        if not is_name(name):
            raise InputError(f"the feature name {name!r} is empty or has a blank in it")
    ids = np.array([names.add(name) for name in columns], dtype=np.int32)
    streams = [_numbers(file) for file in columns.values()]
    for part in parts:
        rows = len(part.texts)
        added = np.full((rows, len(streams)), np.nan)
        for j, (stream, file) in enumerate(zip(streams, columns.values(), strict=True)):
            for i in range(rows):
                added[i, j] = value = next(stream, math.nan)
                if math.isnan(value):
                    raise InputError(
                        f"the file ends before line {part.line + i} of {path}", path=file
                    )
        at = np.repeat(part.offsets[1:], len(streams))
        yield part._replace(
            offsets=part.offsets + len(streams) * np.arange(rows + 1),
            ids=np.insert(part.ids, at, np.tile(ids, rows)),
            values=np.insert(part.values, at, added.ravel()),
        )
    for stream, file in zip(streams, columns.values(), strict=True):
        if next(stream, None) is not None:
            raise InputError(f"the file has more lines than {path}", path=file)


def _numbers(path: Path | str) -> Iterator[float]:
    for number, line in enumerate(read_lines(path), 1):
        try:
            value = float(line)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError(f"{line.strip()!r} is not a finite number", path=path, line=number)
        yield value


def _join(parts: Sequence[Part]) -> Candidates:
    """Parts of one sentence as one list."""
    sizes = np.concatenate([np.diff(part.offsets) for part in parts])
    nbest = RowList(
        np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)]),
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.values for part in parts]),
    )
    return Candidates(
        parts[0].sentence,
        list(chain.from_iterable(part.texts for part in parts)),
        nbest,
        np.concatenate([part.totals for part in parts]),
    )


def write_nbest(
    path: Path | str, sentences: Iterable[Candidates], names: Names, *, total: bool = True
) -> None:
    r"""Write lists as Moses' format or JSON lines, by the file's name, in the order given.

    In Moses' format each feature is a group of one value, `Name= 1`; reading gives them back.

    >>> import tempfile
    >>> from miriam.tune.lists import RowList
    >>> names = Vocabulary()
    >>> nbest = RowList.of([{"LM": -3.0}], names)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "nbest")
    ...     write_nbest(path, [Candidates(0, ["a dog"], nbest, np.array([-1.5]))], names)
    ...     path.read_text()
    '0 ||| a dog ||| LM= -3.0 ||| -1.5\n'
    """
    line = _json_line if ".jsonl" in Path(path).name else _moses_line
    with ExitStack() as stack:
        out: IO[bytes] = stack.enter_context(open_write(path))
        for candidates in sentences:
            offsets, columns, values = candidates.nbest.csr()
            words = [names.word(int(i)) for i in candidates.nbest.ids]
            for i, text in enumerate(candidates.texts):
                row = slice(offsets[i], offsets[i + 1])
                cells = zip(columns[row].tolist(), values[row].tolist(), strict=True)
                features = {words[column]: value for column, value in cells}
                score = float(candidates.totals[i]) if total else math.nan
                out.write(line(candidates.sentence, text, features, score))


def _moses_line(sentence: int, text: str, features: Mapping[str, float], score: float) -> bytes:
    listed = " ".join(f"{name}= {value!r}" for name, value in features.items())
    for part in (text, listed):
        if "|||" in part or "\n" in part:
            raise InputError(f"{part!r} cannot stand in Moses' format; write a .jsonl file")
    end = "" if math.isnan(score) else f" ||| {score!r}"
    return f"{sentence} ||| {text} ||| {listed}{end}\n".encode()


def _json_line(sentence: int, text: str, features: Mapping[str, float], score: float) -> bytes:
    line = {"id": sentence, "hypothesis": text, "features": dict(features)}
    if not math.isnan(score):
        line["score"] = score
    return msgspec.json.encode(line) + b"\n"
