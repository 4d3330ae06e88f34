"""`miriam normalise`: historical spelling in, modern spelling out, the doubtful words marked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import click

from miriam.cli.command import Command, threads_option
from miriam.errors import ConfigError

if TYPE_CHECKING:
    from miriam.pipeline.spelling.model import Form, Normaliser
    from miriam.pipeline.spelling.review import Review

__all__ = ["command"]

BATCH = 2000  # lines read at once
MARK = "[?]"
REVIEWED = 5  # forms that a review shows at most


@click.command(cls=Command)
@click.option("--model", required=True, metavar="DIR", help="The model directory.")
@click.option("--input", "form", type=click.Choice(["text", "words", "columns"]), default="text",
              show_default=True, help="Running text; a word a line; or a table with tabs, whose "
              "first column has the words.")  # fmt: skip
@click.option("--nbest", type=click.IntRange(1, 20), default=1, show_default=True,
              help="Forms of each word, with confidence; for words and columns.")  # fmt: skip
@click.option("--doubt", type=click.FloatRange(0, 1), default=0.8, show_default=True,
              help="Forms of a confidence below this are doubtful.")  # fmt: skip
@click.option("--mark", is_flag=True, help=f"Write {MARK} behind doubtful words.")
@click.option("--review", metavar="F", help="Write the doubtful words, with other forms and an "
              "example: F.html for a page, else tab-separated columns.")  # fmt: skip
@threads_option
def command(
    model: str, form: str, nbest: int, doubt: float, mark: bool, review: str | None, threads: int
) -> None:
    """Give the words of standard input their modern spelling, on standard output.

    In text, everything between words stays as it is: spaces, punctuation, line ends, capitals. A
    table keeps its columns, and gets two more: the modern form, and how sure it is (from 0 to 1).

    \b
    miriam normalise --model german < letters.txt > modern.txt
    miriam normalise --model german --input columns < words.tsv > forms.tsv
    miriam normalise --model german --mark --review doubtful.html < letters.txt > modern.txt
    """  # noqa: D301
    from miriam.pipeline.spelling.model import Normaliser
    from miriam.pipeline.spelling.review import Review, write_review
    from miriam.text.files import read_lines

    if form == "text" and nbest > 1:
        raise ConfigError(f"--nbest {nbest} needs --input words or columns; text has the best form")
    normaliser = Normaliser(model)
    seen = Review(below=doubt)
    writer = {"text": _text, "words": _words, "columns": _columns}[form]
    asked = Asked(nbest, max(nbest, REVIEWED) if review else nbest, doubt if mark else 0.0, threads)
    write = writer(normaliser, seen, asked)
    lines = read_lines("-")
    size = 1 if sys.stdin.isatty() else BATCH
    while batch := list(islice(lines, size)):
        sys.stdout.writelines(f"{line}\n" for line in write(batch))
        sys.stdout.flush()
    if review:
        write_review(review, seen)
    if review or mark:
        print(f"doubtful words: {seen.unsure:,} of {seen.words:,}", file=sys.stderr)


class Asked(NamedTuple):
    """What is asked of each word."""

    nbest: int  # forms to show
    forms: int  # forms to find, for the review too
    mark: float  # forms of less confidence are marked
    threads: int


Writer = Callable[[Sequence[str]], Iterator[str]]


def _text(model: Normaliser, review: Review, asked: Asked) -> Writer:
    """What writes lines of running text."""
    from miriam.pipeline.spelling.text import Splitter

    splitter = Splitter(model.pairs, lower=model.settings.case == "lower")

    def write(lines: Sequence[str]) -> Iterator[str]:
        rows = [splitter.split(line) for line in lines]
        words = [piece.text for row in rows for piece in row if piece.is_word]
        found = iter(model.forms(words, nbest=asked.forms, threads=asked.threads))
        for line, row in zip(lines, rows, strict=True):
            written, place = [], 0
            for text, is_word in row:
                end = place + len(text)
                forms = next(found) if is_word else []
                if forms:
                    review.add(text, forms, (line[:place], text, line[end:]))
                written.append(_marked(forms[0], asked.mark) if forms else text)
                place = end
            yield "".join(written)

    return write


def _words(model: Normaliser, review: Review, asked: Asked) -> Writer:
    """What writes a word a line, or a word and its forms."""

    def write(lines: Sequence[str]) -> Iterator[str]:
        for word, forms in zip(lines, _found(model, review, lines, asked), strict=True):
            if not word.strip():
                yield word
            elif asked.nbest == 1:
                yield _marked(forms[0], asked.mark)
            else:
                yield "\t".join([word, *_cells(forms, asked)])

    return write


def _columns(model: Normaliser, review: Review, asked: Asked) -> Writer:
    """What writes a table with further columns."""

    def write(lines: Sequence[str]) -> Iterator[str]:
        words = [line.partition("\t")[0] for line in lines]
        for line, forms in zip(lines, _found(model, review, words, asked), strict=True):
            yield "\t".join([line, *_cells(forms, asked)]) if line.strip() else line

    return write


def _found(
    model: Normaliser, review: Review, words: Sequence[str], asked: Asked
) -> Iterator[list[Form]]:
    """The forms of each word, which are told to the review."""
    found = model.forms(words, nbest=asked.forms, threads=asked.threads)
    for word, forms in zip(words, found, strict=True):
        if word.strip():
            review.add(word, forms, ("", word, ""))
        yield forms


def _cells(forms: Sequence[Form], asked: Asked) -> Iterator[str]:
    for number, form in enumerate(forms[: asked.nbest]):
        yield form.text if number else _marked(form, asked.mark)
        yield f"{form.confidence:.3f}"


def _marked(form: Form, below: float) -> str:
    return form.text + MARK if form.confidence < below else form.text
