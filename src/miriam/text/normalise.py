"""Text in one form: composed (NFC), one kind of blank, nothing that cannot be seen."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["normalise"]

# What has no width and no meaning for translation, by Unicode's categories: control characters (Cc)
# that are no blanks, and format characters (Cf) but for the visible number signs of Arabic and
# other scripts. U+200C and U+200D, which shape words in Persian, Indic scripts and emoji, have a
# rule of their own.
_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # controls
    "\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"  # music and tag characters
)
_LATIN = "\0-\u036f\u1e00-\u1eff\u200c\u200d"  # ASCII, Latin, their marks; joiners
_IDLE_JOINER = re.compile(f"(?:(?<![^{_LATIN}])[\u200c\u200d]|[\u200c\u200d](?![^{_LATIN}]))+")


def normalise(text: str) -> str:
    r"""The text in form NFC, with single blanks between words and no invisible characters.

    Every white space of Unicode becomes a blank, runs of them one, and those at the ends go.
    Removed are control characters, zero-width and bidirectional marks, soft hyphens, byte-order
    marks and tag characters; U+200C and U+200D stay between two characters that are not Latin.

    >>> normalise(" cafe\u0301\u00a0\u200bso\u00ady\t")
    'café soy'
    """
    if not (text.isascii() and text.isprintable()):
        text = " ".join(_INVISIBLE.sub("", text).split())
        text = _IDLE_JOINER.sub("", unicodedata.normalize("NFC", text))
        text = unicodedata.normalize("NFC", text)  # of what stood on both sides of a joiner
    return " ".join(text.split())
