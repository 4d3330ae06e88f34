"""What `miriam demo` shows when it has translated: scores, verses, and an explanation."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from miriam.pipeline.bible import TEST, Verse
from miriam.pipeline.translator import Translation

__all__ = ["show_explanation", "show_scores", "show_verses"]

SHOWN = [("Ecclesiastes", 11, 2), ("James", 4, 6), ("Jonah", 2, 10), ("James", 5, 9)]
EXPLAINED = ("Ecclesiastes", 7, 9)
FEATURES = 6  # shown of an explanation


def show_scores(test: Sequence[Verse], found: Sequence[Translation], console: Console) -> None:
    """A row of scores for each metric."""
    from miriam.metrics import Bleu, Chrf, Ter, evaluate

    systems = {
        "untranslated": [verse.pair.source for verse in test],
        "translated": [translation.text for translation in found],
    }
    table = Table("", *systems, box=None, pad_edge=False, padding=(0, 3, 0, 0))
    references = [[verse.pair.target for verse in test]]
    for row in evaluate([Bleu(), Chrf(), Ter()], systems, references):
        scores = [f"{verdict.score:.1f}" for verdict in row.systems.values()]
        table.add_row(row.metric if row.higher_is_better else f"{row.metric} (errors)", *scores)
    console.print("\nHow near the test books come to the modern version, by three metrics:\n")
    console.print(table)


def show_verses(test: Sequence[Verse], found: Sequence[Translation], console: Console) -> None:
    """Some verses: the source, ours, and the reference."""
    table = Table("", "", box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for place in SHOWN:
        number = _find(test, place)
        pair = test[number].pair
        table.add_row("", f"{place[0]} {place[1]}:{place[2]}", style="bold")
        table.add_row("  1769", pair.source)
        table.add_row("  ours", found[number].text)
        table.add_row("  2000", pair.target)
    console.print("\nSome verses that it had never seen:\n")
    console.print(table)


def show_explanation(test: Sequence[Verse], found: Sequence[Translation], console: Console) -> None:
    """The phrases of a verse, and the features that weighed most."""
    book, chapter, verse = EXPLAINED
    best = found[_find(test, EXPLAINED)]
    explanation = best.derivation.explain()
    console.print(f"\nWhy {book} {chapter}:{verse} became: {best.text}\n")
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


def _find(test: Sequence[Verse], place: tuple[str, int, int]) -> int:
    """Where a verse of a test book is."""
    book, chapter, verse = place
    wanted = (TEST[book], chapter, verse)
    return next(i for i, v in enumerate(test) if (v.book, v.chapter, v.verse) == wanted)
