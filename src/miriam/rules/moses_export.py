"""Phrase tables as Moses' text files: a phrase table, and a reordering table for each model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from miriam.progress import Report, silent
from miriam.rules.listing import Line, Rows, Texts, listed, text_order, texts_of
from miriam.rules.table import RuleTable
from miriam.text.files import open_together

__all__ = ["export_moses"]

OUR_OWN = ("count", "unique")  # columns that Moses' tables do not have; counts are a field there
DIRECTIONS = {
    ("previous", "next"): "bidirectional",
    ("previous",): "backward",
    ("next",): "forward",
}


@dataclass(frozen=True)
class TextFile:
    """A file to write: its name, the score columns in it, and whether it is the phrase table."""

    name: str
    columns: Sequence[int]
    whole: bool


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
    texts = texts_of(table)
    order = text_order(texts.sources)
    paths = [out / file.name for file in files]
    with open_together(paths) as outputs:
        for file, output in zip(files, outputs, strict=True):

            def lines_of(rows: Rows, file: TextFile = file) -> list[Line]:
                return _lines(texts, file, rows)

            step = f"writing {file.name}"
            for lines in listed(table, order, lines_of, step=step, report=report):
                output.writelines(lines)
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


def _lines(texts: Texts, file: TextFile, rows: Rows) -> list[Line]:
    probabilities = np.exp(rows.scores[:, file.columns]).tolist()
    lines = []
    for source, target, links, scores, counts in zip(
        rows.sources, rows.targets, rows.links, probabilities, rows.counts, strict=True
    ):
        key = f"{texts.targets[target]} |||"
        text = f"{texts.sources[source]} ||| {key} " + " ".join([f"{s:.7g}" for s in scores])
        if file.whole:
            text += f" ||| {texts.links[links]} ||| "
            text += " ".join([f"{n:.9g}" for n in counts]) + " ||| |||"
        lines.append((key, text))
    return lines
