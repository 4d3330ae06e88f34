"""What `miriam demo` shows when it has translated: scores, verses, and an explanation."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from miriam.analysis.report.content import TUNED, UNTUNED, Comparison
from miriam.pipeline.bible import TEST, Verse

__all__ = ["EXPLAINED", "find", "show_explanation", "show_scores", "show_verses"]

SHOWN = [("Ecclesiastes", 11, 2), ("James", 4, 6), ("Jonah", 2, 10), ("James", 5, 9)]
EXPLAINED = ("Ecclesiastes", 7, 9)
FEATURES = 6  # shown of an explanation


def show_scores(comparison: Comparison, console: Console) -> None:
    """A row of scores for each metric."""
    from miriam.metrics import Bleu, Chrf, Wer, evaluate

    sources = {"untranslated": [sentence.source for sentence in comparison.sentences]}
    references = list(zip(*(sentence.references for sentence in comparison.sentences), strict=True))
    before = evaluate([Bleu(), Chrf(), Wer()], sources, references)
    systems = [name for name in (UNTUNED, TUNED) if name in comparison.evaluations[0].systems]
    table = Table("", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for name in ("untranslated", *systems):
        table.add_column(name, justify="right")
    for raw, ours in zip(before, comparison.evaluations, strict=True):
        scores = [raw.systems["untranslated"], *(ours.systems[name] for name in systems)]
        title = raw.metric if raw.higher_is_better else f"{raw.metric} (errors)"
        table.add_row(title, *(f"{verdict.score:.1f}" for verdict in scores))
    console.print("\nHow near the test books come to the modern version, by three metrics:\n")
    console.print(table)


def show_verses(test: Sequence[Verse], comparison: Comparison, console: Console) -> None:
    """Some verses: the source, ours, and the reference."""
    table = Table("", "", box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for place in SHOWN:
        sentence = comparison.sentences[find(test, place)]
        table.add_row("", f"{place[0]} {place[1]}:{place[2]}", style="bold")
        table.add_row("  1769", sentence.source)
        table.add_row("  ours", sentence.texts[TUNED])
        table.add_row("  2000", sentence.references[0])
    console.print("\nSome verses that it had never seen:\n")
    console.print(table)


def show_explanation(comparison: Comparison, console: Console) -> None:
    """The phrases of a verse, and the features that weighed most."""
    book, chapter, verse = EXPLAINED
    explanation = comparison.explained[TUNED]
    text = comparison.sentences[comparison.number - 1].texts[TUNED]
    console.print(f"\nWhy {book} {chapter}:{verse} became: {text}\n")
    table = Table("phrase", "became", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for phrase in explanation.derivation.phrases:
        table.add_row(" ".join(phrase.source), " ".join(phrase.target))
    console.print(table)
    console.print("\nWhat weighed most in the choice of these phrases:\n")
    table = Table("feature", "value", "weight", "product", box=None, padding=(0, 3, 0, 0))
    for part in explanation.contributions[:FEATURES]:
        values = (part.value, part.weight, part.product)
        table.add_row(part.name, *(f"{value:.2f}" for value in values))
    console.print(table)


def find(test: Sequence[Verse], place: tuple[str, int, int]) -> int:
    """Where a verse of a test book is."""
    book, chapter, verse = place
    wanted = (TEST[book], chapter, verse)
    return next(i for i, v in enumerate(test) if (v.book, v.chapter, v.verse) == wanted)
