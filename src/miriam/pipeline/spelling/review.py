"""The table of doubtful words, for an editor: as TSV, or as a page that shows what to look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from miriam.pipeline.spelling.model import Form
from miriam.text.files import open_write

__all__ = ["Doubt", "Review", "write_review"]

EXAMPLE = 60  # characters of a line before and after a word
OTHERS = 4  # forms shown besides the best


class Doubt(NamedTuple):
    """A word whose form is not certain."""

    word: str
    forms: Sequence[Form]  # best first
    times: int
    example: tuple[str, str, str]  # what stands before the word, the word, and what follows it

    @property
    def expected_errors(self) -> float:
        """How many of its occurrences are likely to be wrong: what to look at first."""
        return self.times * (1.0 - self.forms[0].confidence)


class Review:
    """Gathers the words of a text, with how often each has come and where first.

    >>> review = Review(below=0.8)
    >>> review.add("jn", [Form("in", 0.6), Form("ihn", 0.4)], ("gehe ", "jn", " das haus"))
    >>> review.add("vnd", [Form("und", 1.0)], ("", "vnd", ""))
    >>> [(doubt.word, doubt.forms[0].text) for doubt in review.doubts()], review.words
    ([('jn', 'in')], 2)
    """

    def __init__(self, *, below: float) -> None:
        self.below = below
        self.words = self.unsure = 0  # running words
        self._found: dict[str, Doubt] = {}

    def add(self, word: str, forms: Sequence[Form], example: tuple[str, str, str]) -> None:
        """A word of the text."""
        self.words += 1
        if forms[0].confidence >= self.below:
            return
        self.unsure += 1
        known = self._found.get(word)
        if known:
            self._found[word] = known._replace(times=known.times + 1)
        else:
            before, here, after = (" ".join(part.split("\t")) for part in example)
            shortened = (_end(before), here, _begin(after))
            self._found[word] = Doubt(word, forms[: 1 + OTHERS], 1, shortened)

    def doubts(self) -> list[Doubt]:
        """The doubtful words; those that are likely to be wrong most often come first."""
        return sorted(self._found.values(), key=lambda d: (-d.expected_errors, d.word))


def _end(text: str) -> str:
    return text if len(text) <= EXAMPLE else "…" + text[-EXAMPLE:].partition(" ")[2]


def _begin(text: str) -> str:
    return text if len(text) <= EXAMPLE else text[:EXAMPLE].rpartition(" ")[0] + " …"


def write_review(path: Path | str, review: Review) -> None:
    """Write the table: a page where the name ends in .html, else tab-separated columns."""
    lines = _page(review) if str(path).endswith((".html", ".htm")) else _table(review)
    with open_write(path) as out:
        out.writelines(f"{line}\n".encode() for line in lines)


def _table(review: Review) -> Iterable[str]:
    yield "word\tform\tconfidence\ttimes\tother forms\texample"
    for doubt in review.doubts():
        best, *others = doubt.forms
        listed = "; ".join(f"{form.text} ({form.confidence:.2f})" for form in others)
        cells = (doubt.word, best.text, f"{best.confidence:.2f}", str(doubt.times), listed,
                 "".join(doubt.example))  # fmt: skip
        yield "\t".join(cells)


_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Doubtful words</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #1d2430; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .25rem; }
p { color: #56606f; margin-top: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid #e3e7ee;
  vertical-align: top; }
th { position: sticky; top: 0; background: #fff; font-size: .8rem; color: #56606f; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.word, td.form, td.sure { white-space: nowrap; }
td.form { font-weight: 600; }
.bar { display: inline-block; width: 4rem; height: .5rem; background: #e3e7ee;
  border-radius: .25rem; margin-right: .5rem; }
.bar i { display: block; height: 100%; border-radius: .25rem; }
.others { color: #56606f; }
.others span { white-space: nowrap; margin-right: .6rem; }
.example { color: #56606f; font-family: Georgia, serif; }
mark { background: #fff0c2; color: #1d2430; padding: 0 .1rem; }
@media print { th { position: static; } body { font-size: 11px; } }
</style>
</head>
<body>"""


def _page(review: Review) -> Iterable[str]:
    doubts = review.doubts()
    yield _HEAD
    yield "<h1>Doubtful words</h1>"
    yield (
        f"<p>{review.unsure:,} of {review.words:,} words ({len(doubts):,} different ones) have a "
        f"form of which the model is less than {review.below:.0%} sure. Those that are likely to "
        "be wrong most often come first.</p>"
    )
    yield "<table><thead><tr><th>word</th><th>form</th><th>confidence</th><th>times</th>"
    yield "<th>other forms</th><th>first found in</th></tr></thead><tbody>"
    for doubt in doubts:
        yield _row(doubt)
    yield "</tbody></table>\n</body>\n</html>"


def _row(doubt: Doubt) -> str:
    best, *others = doubt.forms
    before, word, after = map(escape, doubt.example)
    listed = "".join(
        f"<span>{escape(form.text)} {form.confidence:.0%}</span>"
        for form in others
        if form.confidence >= 0.01
    )
    hue = round(120 * max(0.0, (best.confidence - 0.3) / 0.7))  # from red to green
    bar = f'<i style="width: {best.confidence:.0%}; background: hsl({hue} 60% 45%)"></i>'
    return (
        f'<tr><td class="word">{escape(doubt.word)}</td><td class="form">{escape(best.text)}</td>'
        f'<td class="sure"><span class="bar">{bar}</span>{best.confidence:.0%}</td>'
        f'<td class="number">{doubt.times:,}</td><td class="others">{listed}</td>'
        f'<td class="example">{before}<mark>{word}</mark>{after}</td></tr>'
    )
