"""Lower case, true case and the way back to the case that readers expect.

The first word of a sentence is capitalised whatever it is; a table that keeps "The" and "the" apart
wastes its counts. A truecaser learns how each word is written where nothing forces a capital, and
writes it so at the beginning of a sentence too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from miriam.errors import InputError
from miriam.text.files import open_write, read_lines
from miriam.text.placeholders import is_placeholder

__all__ = ["Truecaser", "learn_truecaser", "load_truecaser", "lowercase"]

HEADER = "# miriam truecaser 1: word, how often so written, how often at all"
_ENDS = frozenset(".?!。！？؟")
_OPENING_QUOTES = frozenset("“„‘‚«‹") | {"``"}
_STRAIGHT = frozenset('"')
_TRANSPARENT = _OPENING_QUOTES | frozenset("\"'`”’»›([{-–—¿¡*•") | {"''", "...", "…", "▁"}
_TURKISH = str.maketrans({"I": "ı", "İ": "i"})


def lowercase(tokens: Sequence[str], *, language: str = "") -> list[str]:
    """The tokens in lower case; placeholders stay, and Turkish and Azeri keep dotless ı apart.

    >>> lowercase(["The", "⟦tag1⟧", "ICE"]), lowercase(["IRAK"], language="tr")
    (['the', '⟦tag1⟧', 'ice'], ['ırak'])
    """
    if language in ("tr", "az"):
        return [token.translate(_TURKISH).lower() for token in tokens]
    return [token.lower() for token in tokens]


def learn_truecaser(sentences: Iterable[Sequence[str]]) -> Truecaser:
    """How each word is written most often, where it is not at the beginning of a sentence.

    Sentences all in capitals, and titles with no small word, teach nothing. Ties go to the
    spelling that comes first in code point order, so that the result depends on the counts alone.

    >>> truecaser = learn_truecaser([["See", "the", "Bible"], ["The", "Bible", "and", "sea"]])
    >>> truecaser.apply(["The", "Bible"]), truecaser.apply(["Sea", "and", "bible"])
    (['the', 'Bible'], ['sea', 'and', 'bible'])
    """
    counts: Counter[str] = Counter()
    for tokens in sentences:
        starts = set(_starts(tokens))
        inner = [t for i, t in enumerate(tokens) if i not in starts and _has_case(t)]
        if any(token[0].islower() for token in inner):
            counts.update(inner)
    return Truecaser(counts)


class Truecaser:
    """How words are written, from the counts of their spellings.

    >>> truecaser = Truecaser({"the": 9, "The": 1, "Paris": 2})
    >>> truecaser.apply(["The", "Paris", "of", "The", "North"])
    ['the', 'Paris', 'of', 'The', 'North']
    >>> truecaser.recase(["the", "north", "of", "paris"])
    ['The', 'north', 'of', 'Paris']
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        self.counts = dict(counts)
        self._best: dict[str, str] = {}
        for spelling in sorted(self.counts, key=lambda s: (-self.counts[s], s)):
            self._best.setdefault(spelling.lower(), spelling)

    def apply(self, tokens: Sequence[str]) -> list[str]:
        """The tokens as they would be written in the middle of a sentence.

        The first word of a sentence or quotation is written as learnt; one that was never learnt
        stays as it is, for it may be a name. Other words stay, unless all are in capitals: then
        each is written as learnt, or else in lower case.
        """
        if _is_shouted(tokens):
            return [self._best.get(token.lower(), token.lower()) for token in tokens]
        cased = list(tokens)
        for i in _starts(tokens):
            cased[i] = self._best.get(tokens[i].lower(), tokens[i])
        return cased

    def recase(
        self, tokens: Sequence[str], *, source: Sequence[str] | None = None, names: bool = True
    ) -> list[str]:
        """The tokens as readers expect them: names, and capitals where sentences begin.

        With `names`, words in lower case are written as learnt: right for the output of a model of
        lower-cased text; a model of truecased text has decided that itself. With the tokens of the
        `source` as they were written, output is all in capitals where the source is, and begins
        with a small letter where the source does.
        """
        if source is not None and _is_shouted(source):
            return [token if is_placeholder(token) else token.upper() for token in tokens]
        cased = [self._best.get(t, t) if names and t.islower() else t for t in tokens]
        starts = list(_starts(cased))
        if source is not None and starts:
            first = next(_starts(source), None)
            if first is not None and source[first][0].islower():
                starts = starts[1:]
        for i in starts:
            cased[i] = _capitalise(cased[i])
        return cased

    def save(self, path: Path | str) -> None:
        """Write the counts as text: a spelling a line, the best one of each word first."""
        totals: Counter[str] = Counter()
        for spelling, count in self.counts.items():
            totals[spelling.lower()] += count
        order = sorted(self.counts, key=lambda s: (s.lower(), -self.counts[s], s))
        with open_write(path) as out:
            out.write(f"{HEADER}\n".encode())
            for spelling in order:
                line = f"{spelling}\t{self.counts[spelling]}\t{totals[spelling.lower()]}\n"
                out.write(line.encode())


def load_truecaser(path: Path | str) -> Truecaser:
    """The truecaser that `save` wrote.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Truecaser({"Paris": 2}).save(f"{folder}/case.txt")
    ...     load_truecaser(f"{folder}/case.txt").counts
    {'Paris': 2}
    """
    lines = read_lines(path)
    if next(lines, None) != HEADER:
        raise InputError(f"not a truecaser: the first line must be {HEADER!r}", path=path, line=1)
    counts: dict[str, int] = {}
    for number, line in enumerate(lines, 2):
        spelling, *figures = line.split("\t")
        if len(figures) != 2 or not all(f.isascii() and f.isdigit() for f in figures):
            message = f"expected a word and two counts with tabs between, found {line[:50]!r}"
            raise InputError(message, path=path, line=number)
        counts[spelling] = int(figures[0])
    return Truecaser(counts)


def _starts(tokens: Sequence[str]) -> Iterator[int]:
    """Where sentences begin: first, after an end, and with a quotation after `,` or `:`.

    Brackets, quotation marks and tags may stand before the word; a number may not.
    """
    begins, quotes, before = True, 0, ""
    for i, token in enumerate(tokens):
        if token in _ENDS:
            begins = True
        elif token in _TRANSPARENT or token.startswith("⟦tag"):
            straight = token in _STRAIGHT
            quotes += straight
            if token in _OPENING_QUOTES or (straight and quotes % 2):
                begins = begins or before in (",", ":")
        else:
            if begins and token[0].isalpha():
                yield i
            begins = False
        before = token


def _has_case(token: str) -> bool:
    return token.lower() != token.upper() and not is_placeholder(token)


def _is_shouted(tokens: Sequence[str]) -> bool:
    """Whether a sentence is all in capitals: two words at least, none with a small letter."""
    capitals = 0
    for token in tokens:
        if token.isupper():
            capitals += 1
        elif _has_case(token):
            return False
    return capitals > 1


def _capitalise(token: str) -> str:
    """The token with its first letter as a title would have it (`ǆ` to `ǅ`); `ß` stays."""
    first = token[0].title()
    return first + token[1:] if len(first) == 1 else token
