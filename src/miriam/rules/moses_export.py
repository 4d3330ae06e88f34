"""Rule tables as Moses' text files: a phrase table, and a reordering table for each model.

Lines are sorted as `LC_ALL=C sort` sorts them, which Moses' own tools expect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from miriam.lexicon.vocabulary import MappedVocabulary
from miriam.progress import Report, silent
from miriam.rules.table import RuleTable
from miriam.text.files import open_together

__all__ = ["export_moses"]

OUR_OWN = ("count", "unique")  # columns that Moses' tables do not have; counts are a field there
DIRECTIONS = {
    ("previous", "next"): "bidirectional",
    ("previous",): "backward",
    ("next",): "forward",
}
BLOCK_SOURCES = 10_000


@dataclass(frozen=True)
class TextFile:
    """A file to write: its name, the score columns in it, and whether it is the phrase table."""

    name: str
    columns: Sequence[int]
    whole: bool


@dataclass(frozen=True)
class Texts:
    """Phrases and links as text, by number, and the source phrases in the order of the files."""

    sources: list[str]
    targets: list[str]
    links: list[str]
    order: list[int]


def export_moses(table: RuleTable, out: Path | str, *, report: Report = silent) -> list[Path]:
    """Write `phrase-table.gz` and `reordering-table.TYPE.gz` into a folder; their paths.

    Scores are probabilities, in seven digits.

    >>> import tempfile
    >>> from miriam.rules.moses_import import import_moses
    >>> line = "ein hund ||| a dog ||| 0.5 0.25 1 0.5 ||| 0-0 1-1 ||| 2 1 1"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "table").write_text(line)
    ...     table = import_moses(f"{folder}/table", folder)
    ...     [path.name for path in export_moses(table, f"{folder}/moses")]
    ['phrase-table.gz']
    """
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    files = _files(table.score_names)
    texts = _texts(table)
    paths = [out / file.name for file in files]
    with open_together(paths) as outputs:
        for file, output in zip(files, outputs, strict=True):
            output.writelines(_blocks(table, texts, file, report))
    return paths


def _files(names: Sequence[str]) -> list[TextFile]:
    plain = [i for i, name in enumerate(names) if "." not in name and name not in OUR_OWN]
    files = [TextFile("phrase-table.gz", plain, whole=True)]
    models: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        if "." in name:
            models.setdefault(name.partition(".")[0], []).append(i)
    for model, columns in models.items():
        directions = tuple(dict.fromkeys(names[i].split(".")[1] for i in columns))
        name = f"reordering-table.{model}-{DIRECTIONS[directions]}-fe.gz"
        files.append(TextFile(name, columns, whole=False))
    return files


def _texts(table: RuleTable) -> Texts:
    arrays = table.container
    sources = _phrases(table.source_words, arrays["source.words"], table.heads[1:, 0])
    return Texts(
        sources,
        _phrases(table.target_words, arrays["target.words"], arrays["target.ends"]),
        _links(arrays["link.points"], arrays["link.ends"]),
        sorted(range(len(sources)), key=lambda i: f"{sources[i]} |||".encode()),
    )


def _phrases(words: MappedVocabulary, ids: np.ndarray, ends: np.ndarray) -> list[str]:
    names = [words.word(number) for number in range(len(words))]
    flat, texts, begin = ids.tolist(), [], 0
    for end in ends.tolist():
        texts.append(" ".join([names[i] for i in flat[begin:end]]))
        begin = end
    return texts


def _links(points: np.ndarray, ends: np.ndarray) -> list[str]:
    flat, texts, begin = points.tolist(), [], 0
    for end in ends.tolist():
        texts.append(" ".join(f"{flat[i]}-{flat[i + 1]}" for i in range(begin, end, 2)))
        begin = end
    return texts


def _blocks(table: RuleTable, texts: Texts, file: TextFile, report: Report) -> Iterator[bytes]:
    """The lines of a file, those of some source phrases at a time."""
    begins = table.heads[:, 1].astype(np.int64)
    for start in range(0, len(texts.order), BLOCK_SOURCES):
        report(f"writing {file.name}", start, len(texts.order))
        numbers = np.array(texts.order[start : start + BLOCK_SOURCES])
        sizes = begins[numbers + 1] - begins[numbers]
        last = np.cumsum(sizes)
        rows = np.repeat(begins[numbers] - last + sizes, sizes) + np.arange(last[-1])
        lines = _lines(table, texts, file, np.repeat(numbers, sizes), rows)
        ends = [0, *last.tolist()]
        for begin, end in pairwise(ends):
            lines[begin:end] = sorted(lines[begin:end])
        yield b"".join(line for _, line in lines)
    report(f"writing {file.name}", len(texts.order), len(texts.order))


def _lines(
    table: RuleTable, texts: Texts, file: TextFile, sources: np.ndarray, rows: np.ndarray
) -> list[tuple[bytes, bytes]]:
    """The lines of some rows, each behind what it is sorted by among those of its source phrase."""
    arrays = table.container
    targets = arrays["rule.target"][rows]
    probabilities = np.exp(table.scores[rows][:, file.columns].astype(np.float64))
    counts = np.stack(
        [arrays["target.counts"][targets], arrays["source.counts"][sources],
         arrays["rule.count"][rows]], axis=1,
    )  # fmt: skip
    lines = []
    for source, target, scores, link_set, numbers in zip(
        sources.tolist(), targets.tolist(), probabilities.tolist(),
        arrays["rule.links"][rows].tolist(), counts.tolist(), strict=True,
    ):  # fmt: skip
        key = f"{texts.targets[target]} |||"
        text = f"{texts.sources[source]} ||| {key} " + " ".join([f"{s:.7g}" for s in scores])
        if file.whole:
            text += f" ||| {texts.links[link_set]} ||| "
            text += " ".join([f"{n:.9g}" for n in numbers]) + " ||| |||"
        lines.append((key.encode(), text.encode() + b"\n"))
    return lines
