"""Hierarchical tables as text grammars: Moses', cdec's, and cdec's of single sentences."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from miriam.errors import ConfigError
from miriam.lexicon.vocabulary import encode
from miriam.progress import Report, silent
from miriam.rules.filters import matching_sources, write_filtered
from miriam.rules.gaps import GAPS
from miriam.rules.listing import Line, Rows, Texts, listed, text_order, texts_of
from miriam.rules.notation import cdec_names, cdec_side, moses_side
from miriam.rules.table import RuleTable
from miriam.text.files import open_write

__all__ = ["export_grammar", "export_sentence_grammars"]

FILES = {"moses": "rule-table.gz", "cdec": "grammar.gz"}


def export_grammar(
    table: RuleTable,
    out: Path | str,
    *,
    notation: Literal["moses", "cdec"] = "moses",
    report: Report = silent,
) -> Path:
    """Write `rule-table.gz` (Moses) or `grammar.gz` (cdec) into a folder; its path.

    Moses' scores are probabilities, cdec's -log10 of them. Words that could be taken for gaps or
    borders have Moses' escapes.

    >>> from miriam.rules.grammar_import import import_grammar
    >>> from miriam.text.files import read_lines
    >>> line = "[X] ||| der [X,1] ||| [1] the ||| EgivenF=0.5 ||| 0-1"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "grammar").write_text(line)
    ...     table = import_grammar(f"{folder}/grammar", folder)
    ...     path = export_grammar(table, f"{folder}/moses")
    ...     list(read_lines(path))
    ['der [X][X] [X] ||| [X][X] the [X] ||| 0.3162278 ||| 0-1 1-0 ||| 0 0 0 ||| |||']
    """
    _refuse_phrases(table)
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    path = out / FILES[notation]
    texts = texts_of(table)
    lines = MosesLines(texts) if notation == "moses" else CdecLines(texts, table.score_names)
    step = f"writing {path.name}"
    with open_write(path) as file:
        for some in listed(table, text_order(lines.sources), lines, step=step, report=report):
            file.writelines(some)
    return path


def export_sentence_grammars(
    table: RuleTable,
    out: Path | str,
    sentences: Sequence[str],
    *,
    max_span: int | None = None,
    report: Report = silent,
) -> Path:
    """Write `grammar.0.gz` and so on into a folder, cdec's grammar of each sentence.

    Each has the rules that match the sentence, covering at most `max_span` words. What is returned
    is the path of `sentences.sgm`, the sentences with their grammars as cdec reads them.

    >>> from miriam.rules.grammar_import import import_grammar
    >>> line = "[X] ||| der [X,1] ||| the [1] ||| EgivenF=0.5 ||| 0-0"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "grammar").write_text(line)
    ...     table = import_grammar(f"{folder}/grammar", folder)
    ...     path = export_sentence_grammars(table, f"{folder}/grammars", ["der hund", "ein hund"])
    ...     sorted(file.name for file in path.parent.iterdir())
    ['grammar.0.gz', 'grammar.1.gz', 'sentences.sgm']
    """
    _refuse_phrases(table)
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    (text,) = encode(((sentence,) for sentence in sentences), [table.source_words])
    matches = matching_sources(table, text, max_span=max_span, report=report)
    used = np.unique(np.concatenate([np.empty(0, np.int64), *matches]))
    begins = table.heads[:, 1].astype(np.int64)
    keep = np.repeat(np.isin(np.arange(table.source_count), used), np.diff(begins))
    with tempfile.TemporaryDirectory(dir=out, prefix=".grammar-") as folder:
        small = write_filtered(table, keep, Path(folder, "rules"))
        texts = texts_of(small)
        lines = CdecLines(texts, table.score_names)
        # The source phrases that are left have kept their order.
        found = listed(small, range(len(used)), lines, step="writing rules", report=report)
        rules = dict(zip(used.tolist(), map(b"".join, found), strict=True))
    segments = []
    for number, (sentence, sources) in enumerate(zip(sentences, matches, strict=True)):
        path = out / f"grammar.{number}.gz"
        with open_write(path) as file:
            file.writelines(rules[source] for source in sources.tolist())
        segments.append(f'<seg id="{number}" grammar="{path.absolute()}"> {sentence} </seg>\n')
        report("writing grammars", number + 1, len(sentences))
    with open_write(out / "sentences.sgm") as file:
        file.write("".join(segments).encode())
    return out / "sentences.sgm"


def _refuse_phrases(table: RuleTable) -> None:
    if not table.hierarchical:
        raise ConfigError(
            f"{table.container.path} holds phrases; only hierarchical rules make a grammar"
        )


class MosesLines:
    """The lines of Moses' rule table; its alignments pair the gaps too."""

    def __init__(self, texts: Texts) -> None:
        self.sources, self.targets = (
            [moses_side(side) for side in sides] for sides in (texts.sources, texts.targets)
        )
        self.places = [
            [_gap_places(side) for side in sides] for sides in (texts.sources, texts.targets)
        ]
        self.links = texts.links

    def __call__(self, rows: Rows) -> list[Line]:
        """The lines of some rules."""
        probabilities = np.exp(rows.scores).tolist()
        lines = []
        for source, target, links, scores, counts in zip(
            rows.sources, rows.targets, rows.links, probabilities, rows.counts, strict=True
        ):
            key = f"{self.targets[target]} |||"
            gaps = zip(self.places[0][source], self.places[1][target], strict=True)
            points = [*(f"{i}-{j}" for i, j in gaps), *self.links[links].split()]
            text = f"{self.sources[source]} ||| {key} " + " ".join([f"{s:.7g}" for s in scores])
            text += f" ||| {' '.join(sorted(points, key=_place))} ||| "
            lines.append((key, text + " ".join([f"{n:.9g}" for n in counts]) + " ||| |||"))
        return lines


class CdecLines:
    """The lines of cdec's grammar, whose features have names."""

    def __init__(self, texts: Texts, columns: Sequence[str]) -> None:
        self.sources = [cdec_side(side, target=False) for side in texts.sources]
        self.targets = [cdec_side(side, target=True) for side in texts.targets]
        self.links = texts.links
        names = cdec_names(columns)
        self.names, self.factors = list(names), np.array(list(names.values()))

    def __call__(self, rows: Rows) -> list[Line]:
        """The lines of some rules."""
        # Adding zero makes zeros of those that are negative.
        values = (rows.scores * self.factors + 0.0).tolist()
        lines = []
        for source, target, links, scores in zip(
            rows.sources, rows.targets, rows.links, values, strict=True
        ):
            key = f"{self.targets[target]} |||"
            features = [f"{name}={s:.7g}" for name, s in zip(self.names, scores, strict=True)]
            text = f"[X] ||| {self.sources[source]} ||| {key} {' '.join(features)}"
            lines.append((key, f"{text} ||| {self.links[links]}"))
        return lines


def _gap_places(side: str) -> list[int]:
    """Where the gaps are, by their number."""
    words = side.split()
    return [words.index(gap) for gap in GAPS if gap in words]


def _place(point: str) -> tuple[int, ...]:
    return tuple(map(int, point.split("-")))
