"""Compound words and their parts: `Schneemobil` is `Schnee` and `Mobil`, and may be translated so.

A word is parted where its parts are more frequent than itself, by the geometric mean of their
counts (Koehn and Knight 2003). A word that was never seen is parted wherever its parts were seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from miriam.errors import InputError
from miriam.text.files import open_write, read_lines

__all__ = ["Compounds", "load_compounds"]

HEADER = "# miriam compounds 1: word, how often, and whether it is never parted"
WHOLE = "whole"
LINKS = ("", "-", "s", "es", "n", "en", "e")  # what may stand behind a part that is not the last
SHORTEST, LONGEST = 4, 64  # letters of a part, and of a word
Ways = dict[int, tuple[float, tuple[str, ...]]]


class Compounds:
    """Parts words, by the counts of a text's words.

    Case tells nothing here, for parts lose the capital of their compound; each is written as the
    text has it most often.

    >>> compounds = Compounds({"Schnee": 30, "Mobil": 4, "Tagesschau": 9, "Tag": 8, "Schau": 2})
    >>> compounds.split(["das", "Schneemobil", "in", "der", "Tagesschau"])
    ['das', 'Schnee', 'Mobil', 'in', 'der', 'Tagesschau']
    """

    def __init__(self, counts: Mapping[str, int], *, whole: Iterable[str] = ()) -> None:
        self.counts: Counter[str] = Counter()
        spellings: dict[str, str] = {}
        for word in sorted(counts, key=lambda w: (-counts[w], w)):
            if len(word) >= SHORTEST and _has_parts(word):
                self.counts[word.lower()] += counts[word]
                spellings.setdefault(word.lower(), word)
        self.spellings = spellings
        self.whole = frozenset(word.lower() for word in whole)
        self._parts: dict[str, tuple[str, ...]] = {}

    def split(self, tokens: Iterable[str]) -> list[str]:
        """The tokens, compounds in parts."""
        return [part for token in tokens for part in self.parts(token)]

    def parts(self, word: str) -> tuple[str, ...]:
        """The parts of a word; itself, if it is none to be parted."""
        if len(word) < 2 * SHORTEST:
            return (word,)
        found = self._parts.get(word)
        if found is None:
            found = self._parts[word] = self._best(word)
        return found

    def _best(self, word: str) -> tuple[str, ...]:
        lower = word.lower()
        if len(lower) > LONGEST or lower in self.whole or not _has_parts(word):
            return (word,)
        ways = self._ways(lower, {})
        means = {number: total / number for number, (total, _) in ways.items()}
        number = max(means, key=lambda n: (means[n], -n), default=1)
        if number == 1:
            return (word,)
        return tuple(self.spellings[part] for part in ways[number][1])

    def _ways(self, text: str, known: dict[str, Ways]) -> Ways:
        """For each number of parts, the way to make up the text whose log counts sum highest."""
        if text in known:
            return known[text]
        ways: Ways = {1: (math.log(self.counts[text]), (text,))} if text in self.counts else {}
        for end in range(SHORTEST, len(text) - SHORTEST + 1):
            first = self._first(text[:end])
            if first is None:
                continue
            log_count = math.log(self.counts[first])
            for number, (total, parts) in self._ways(text[end:], known).items():
                better = (log_count + total, (first, *parts))
                if number + 1 not in ways or better[0] > ways[number + 1][0]:
                    ways[number + 1] = better
        known[text] = ways
        return ways

    def _first(self, text: str) -> str | None:
        """The most frequent word that the text is, a link behind it or none."""
        words = [text.removesuffix(link) for link in LINKS if text.endswith(link)]
        known = [word for word in words if word in self.counts]
        return max(known, key=lambda w: (self.counts[w], len(w)), default=None)

    def save(self, path: Path | str) -> None:
        """Write the counts as text, a word a line."""
        with open_write(path) as out:
            out.write(f"{HEADER}\n".encode())
            for word in sorted(self.counts):
                mark = f"\t{WHOLE}" if word in self.whole else ""
                out.write(f"{self.spellings[word]}\t{self.counts[word]}{mark}\n".encode())


def _has_parts(word: str) -> bool:
    """Whether it is of letters, with hyphens between them or none."""
    return word.isalpha() or (word.replace("-", "").isalpha() and "-" not in (word[0], word[-1]))


def load_compounds(path: Path | str) -> Compounds:
    """What `Compounds.save` wrote.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "source.compounds")
    ...     Compounds({"Schnee": 30, "Mobil": 4}).save(path)
    ...     load_compounds(path).split(["Schneemobil"])
    ['Schnee', 'Mobil']
    """
    counts: dict[str, int] = {}
    whole = []
    lines = read_lines(path)
    if next(lines, None) != HEADER:
        raise InputError(f"expected {HEADER!r}; train the model again", path=path, line=1)
    for number, line in enumerate(lines, 2):
        word, _, rest = line.partition("\t")
        count, _, mark = rest.partition("\t")
        if not (word and count.isdecimal()) or mark not in ("", WHOLE):
            raise InputError(f"expected a word and its count, found {line!r}", path=path,
                             line=number)  # fmt: skip
        counts[word] = int(count)
        whole += [word] if mark else []
    return Compounds(counts, whole=whole)
