"""Gathers what a report says: a run's files, and a text translated with and without its weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from miriam.analysis.charts import Bars
from miriam.analysis.curves import frequency_chart, length_chart
from miriam.analysis.groups import by_frequency, by_length
from miriam.analysis.report.content import TUNED, UNTUNED, Comparison, Report, Sentence
from miriam.analysis.run import RUNS, Run, find_runs
from miriam.errors import ConfigError, InputError
from miriam.metrics import (
    Bleu,
    BleuPlusOne,
    Chrf,
    Evaluation,
    Metric,
    Significance,
    Tokenizer,
    Wer,
    evaluate,
)  # fmt: skip
from miriam.pipeline.translator import Translation, Translator
from miriam.progress import Report as Progress
from miriam.progress import silent
from miriam.tune.gold import Gold

__all__ = ["Text", "choose_run", "gather"]

EXPLAINED = (6, 16)  # words of a sentence that is short enough to be drawn, and long enough


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text to translate, and whole reference translations of it, if there are any."""

    source: Sequence[str]
    references: Sequence[Sequence[str]] = ()
    tokens: bool = False  # it is tokenised, as the model knows it


def choose_run(folder: Path | str, name: str | None = None) -> Run:
    """The run of this name, or else the last one of a model."""
    runs = find_runs(folder)
    if not runs:
        raise InputError(f"there is no run here: no {RUNS}/ and no log.jsonl", path=folder)
    if name is None:
        return runs[-1]
    for run in runs:
        if run.name == name:
            return run
    raise ConfigError(
        f"--run {name}: {folder} has no such run, but {', '.join(run.name for run in runs)}"
    )


def gather(
    folder: Path | str,
    run: Run,
    text: Text | None = None,
    *,
    explain: int | None = None,
    threads: int = 1,
    progress: Progress = silent,
) -> Report:
    """The report on a run of the model in a folder; `explain` is the line of a sentence to draw."""
    title = Path(folder).resolve().name
    if text is None:
        return Report(title=title, run=run)
    translators = _translators(folder, run)
    found: dict[str, list[Translation]] = {}
    for name, translator in translators.items():
        progress(f"translating, {name}", 0, 0)
        found[name] = _best(translator, text, threads)
        progress(f"translating, {name}", 1, 1)
    progress("scoring", 0, 0)
    comparison = _compare(text, found, translators[TUNED], explain)
    progress("scoring", 1, 1)
    return Report(title=title, run=run, comparison=comparison)


def _translators(folder: Path | str, run: Run) -> dict[str, Translator]:
    """The model with the weights that the run began with, if they are known, and with its own."""
    untuned = run.folder / "weights.untuned.txt"
    tuned = run.folder / "weights.txt"
    found = {}
    if untuned.is_file():
        found[UNTUNED] = Translator(folder, weights=untuned, allow_missing_weights=True)
    chosen = tuned if tuned.is_file() else None
    found[TUNED] = Translator(folder, weights=chosen, allow_missing_weights=chosen is not None)
    return found


def _best(translator: Translator, text: Text, threads: int) -> list[Translation]:
    rows = translator.decode_all(text.source, threads=threads, tokens=text.tokens)
    return [row[0] for row in rows]


def _compare(
    text: Text, found: Mapping[str, Sequence[Translation]], translator: Translator,
    explain: int | None,
) -> Comparison:  # fmt: skip
    rows: Sequence[tuple[str, ...]] = list(zip(*text.references, strict=True))
    judged = _judge(text, rows, found, translator) if rows else _Judged({}, {}, [])
    sentences = [
        Sentence(
            number=i + 1, source=source, references=rows[i] if rows else (),
            texts={name: translations[i].text for name, translations in found.items()},
            scores={name: float(values[i]) for name, values in judged.scores.items()},
        )
        for i, source in enumerate(text.source)
    ]  # fmt: skip
    number = _to_explain(sentences, found[TUNED], explain)
    return Comparison(
        sentences=sentences,
        evaluations=_evaluate(text, found) if rows else (),
        charts=_charts(judged, found, translator) if rows else (),
        explained={name: t[number].derivation.explain() for name, t in found.items()},
        number=number + 1,
    )


class _Judged(NamedTuple):
    """Tokens against tokens: BLEU+1 in percent and BLEU's statistics, a row a sentence."""

    scores: dict[str, np.ndarray]
    stats: dict[str, np.ndarray]
    references: list[list[list[str]]]


def _judge(
    text: Text, rows: Sequence[Sequence[str]], found: Mapping[str, Sequence[Translation]],
    translator: Translator,
) -> _Judged:  # fmt: skip
    gold = Gold(BleuPlusOne())
    references, stats, scores = [], [], []
    for i, (source, row) in enumerate(zip(text.source, rows, strict=True)):
        known = [translator.reference_tokens(source, r, tokens=text.tokens) for r in row]
        found_stats, found_scores = gold.judge(known)([t[i].tokens for t in found.values()])
        references.append([reference.split() for reference in known])
        stats.append(found_stats)
        scores.append(100 * found_scores)
    by_system = zip(found, np.swapaxes(stats, 0, 1), np.transpose(scores), strict=True)
    named = {name: (s, g) for name, s, g in by_system}
    return _Judged(
        {name: g for name, (_, g) in named.items()},
        {name: s for name, (s, _) in named.items()},
        references,
    )


def _evaluate(text: Text, found: Mapping[str, Sequence[Translation]]) -> list[Evaluation]:
    """Corpus scores of the texts; against the untuned ones, if there are any."""
    systems = {name: [t.text for t in translations] for name, translations in found.items()}
    tokenize: Tokenizer = "none" if text.tokens else "13a"
    metrics: list[Metric] = [Bleu(tokenize=tokenize), Chrf(), Wer(tokenize=tokenize)]
    tests = Significance() if len(systems) > 1 else None
    return evaluate(metrics, systems, text.references, tests=tests)


def _charts(
    judged: _Judged, found: Mapping[str, Sequence[Translation]], translator: Translator
) -> list[Bars]:
    """Scores by length, and by frequency where the model knows it."""
    lengths = [len(t.derivation.source) for t in found[TUNED]]
    charts = [length_chart(by_length(Bleu(tokenize="none"), judged.stats, lengths), "BLEU")]
    tokens = {name: [t.derivation.tokens for t in row] for name, row in found.items()}
    if any(table.target_frequencies.any() for table in translator.decoder.tables.tables.values()):
        groups = by_frequency(tokens, judged.references, translator.frequency)
        charts.append(frequency_chart(groups))
    return charts


def _to_explain(
    sentences: Sequence[Sentence], found: Sequence[Translation], line: int | None
) -> int:
    """The sentence of this line, or else the one of a handy length that tuning has helped most."""
    if line is not None:
        if not 1 <= line <= len(sentences):
            raise ConfigError(f"--explain {line}: the source has {len(sentences)} lines")
        return line - 1
    lengths = [len(t.derivation.source) for t in found]
    handy = [i for i, n in enumerate(lengths) if EXPLAINED[0] <= n <= EXPLAINED[1]]
    return max(handy or range(len(sentences)), key=lambda i: (sentences[i].change, -i))
