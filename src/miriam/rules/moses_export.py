"""Rule tables as Moses' text files: a phrase table, and a reordering table for each model.

Lines are sorted as `LC_ALL=C sort` sorts them, which Moses' own tools expect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from miriam.progress import Report, silent
from miriam.rules.table import RuleTable
from miriam.text.files import open_write

__all__ = ["export_moses"]

OUR_OWN = ("count", "unique")  # columns that Moses' tables do not have; counts are a field there
DIRECTIONS = {
    ("previous", "next"): "bidirectional",
    ("previous",): "backward",
    ("next",): "forward",
}
REPORT_EVERY = 10_000


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
    for file in files:
        with open_write(out / file.name) as lines:
            for line in _lines(table, file, report):
                lines.write(line)
    return [out / file.name for file in files]


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


def _lines(table: RuleTable, file: TextFile, report: Report) -> Iterator[bytes]:
    arrays = table.container
    links = _link_texts(arrays["link.points"], arrays["link.ends"])
    sources = [table.source_phrase(i) for i in range(table.source_count)]
    targets = [table.target_phrase(i) for i in range(table.target_count)]
    order = sorted(range(len(sources)), key=lambda i: f"{sources[i]} |||".encode())
    begins = table.heads[:, 1].astype(np.int64).tolist()
    for done, source in enumerate(order):
        if done % REPORT_EVERY == 0:
            report(f"writing {file.name}", done, len(order))
        rows = slice(begins[source], begins[source + 1])
        probabilities = np.exp(table.scores[rows, file.columns].astype(np.float64)).tolist()
        lines = []
        for target, scores, link_set, count in zip(
            arrays["rule.target"][rows].tolist(), probabilities,
            arrays["rule.links"][rows].tolist(), arrays["rule.count"][rows].tolist(),
            strict=True,
        ):  # fmt: skip
            text = f"{sources[source]} ||| {targets[target]} ||| "
            text += " ".join(f"{score:.7g}" for score in scores)
            if file.whole:
                counts = arrays["target.counts"][target], arrays["source.counts"][source], count
                text += f" ||| {links[link_set]} ||| "
                text += " ".join(f"{number:.9g}" for number in counts) + " ||| |||"
            lines.append((f"{targets[target]} |||".encode(), text.encode() + b"\n"))
        yield b"".join(line for _, line in sorted(lines))
    report(f"writing {file.name}", len(order), len(order))


def _link_texts(points: np.ndarray, ends: np.ndarray) -> list[str]:
    texts, begin = [], 0
    for end in ends.tolist():
        pairs = points[begin:end].reshape(-1, 2).tolist()
        texts.append(" ".join(f"{i}-{j}" for i, j in pairs))
        begin = end
    return texts
