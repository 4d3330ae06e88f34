"""From tokens back to text: where there was no blank between two tokens.

Each token joins its left neighbour, its right one, both or none. For most that is a matter of the
token alone; quotation marks need to know which are open; a few depend on their neighbours and on
the habits of the language.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

__all__ = ["detokenise"]

ALONE, LEFT, RIGHT, BOTH = 0, 1, 2, 3

_CLOSING = re.compile(r"[,.;:!?%)\]}…‰،؛؟٪।॥]+")
_OPENING = re.compile(r"[(\[{¿¡]+")
_ENDS_SENTENCE = re.compile(r"[.!?…]+")
_FIXED = {
    "''": LEFT, "``": RIGHT, "`": LEFT, "#": RIGHT, "@": RIGHT, "/": BOTH, "\\": BOTH, "_": BOTH,
    "^": BOTH, "′": LEFT, "″": LEFT, "™": LEFT, "®": LEFT, "²": LEFT, "³": LEFT, "№": RIGHT,
}  # fmt: skip
# Marks that open or close by what is open: the marks that each may close.
_CLOSES = {
    '"': '"', "”": "“„”", "“": "„", "»": "«»", "«": "»", "›": "‹›", "‹": "›",
}  # fmt: skip
_OPENS_ALWAYS = "„‚"
_SAME_QUOTES = {"sv", "fi"}  # ”…” and »…»
_POINTING_IN = {"de", "da", "cs", "sk", "sl", "hu", "pl", "hr"}  # »…«
_BLANK_BEFORE = {"fr": frozenset(":;!?%»")}
_BLANK_BEFORE |= dict.fromkeys(("cs", "de", "fi", "ru", "sk", "sv"), frozenset("%"))
_NO_BLANKS = {"ja", "yue", "zh"}
_WIDE_QUOTES = "“”‘’…—"  # as wide as the characters around them
_ELIDING = {"ca", "fr", "ga", "it"}  # l'eau: Moses leaves the apostrophe with what precedes it
_AFTER_APOSTROPHE = {"d", "ll", "m", "n", "ne", "nen", "ner", "re", "s", "t", "ve"}


def detokenise(tokens: Sequence[str], language: str) -> str:
    """The text of tokens, with blanks where a language's habits want them.

    >>> detokenise(["It", "'s", "$", "5", "(", "or", "more", ")", "."], "en")
    "It's $5 (or more)."
    >>> detokenise(["«", "Oui", "!", "»", "dit", "l'", "homme", "."], "fr")
    "« Oui ! » dit l'homme."
    """
    words = [token for token in tokens if token]
    sentence = _Sentence(words, language)
    pieces: list[str] = []
    joined = True  # to what precedes: at the beginning, to nothing
    for place, word in enumerate(words):
        # Most tokens are words, and have no say.
        sides = ALONE if word.isalpha() else sentence.sides(place)
        if not (joined or sides & LEFT or sentence.is_east_asian(place)):
            pieces.append(" ")
        pieces.append(word)
        joined = bool(sides & RIGHT)
    return "".join(pieces)


class _Sentence:
    """The tokens of a sentence, and the quotation marks that are open."""

    def __init__(self, words: list[str], language: str) -> None:
        self.words, self.language = words, language
        self.open: Counter[str] = Counter()
        self.straight = {mark: words.count(mark) for mark in "\"'"}  # still to come
        self.east_asian = language in _NO_BLANKS or any(word[0] >= "⺀" for word in words)

    def near(self, place: int) -> str:
        """The token at this place, or nothing beyond the ends."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def sides(self, place: int) -> int:
        """Which neighbours the token at this place joins."""
        word, before, after = self.words[place], self.near(place - 1), self.near(place + 1)
        if word in _CLOSES or word in _OPENS_ALWAYS:
            return self._quote(word, before, after)
        if word in ("'", "’", "‘"):
            return self._apostrophe(word, before, after)
        if word in _FIXED:
            return _FIXED[word]
        if _CLOSING.fullmatch(word):
            return self._closing(word, before, after)
        if _OPENING.fullmatch(word):
            return RIGHT
        if (
            word[0] in "'’"
            and word[1:2].isalpha()
            and (before[-1:].isalnum() or before[-1:] == "⟧")
        ):
            return LEFT  # English: don 't
        if word[-1] in "'’" and self.language in _ELIDING and after[:1].isalpha():
            return RIGHT
        return _symbol(word, before, after, self.language) if len(word) == 1 else ALONE

    def _closing(self, word: str, before: str, after: str) -> int:
        if word[-1] == ":" and before[-1:].isdigit() and after[:1].isdigit():
            return BOTH  # 10:30
        if word == ":" and self.language in _SAME_QUOTES and after.islower() and len(after) <= 3:
            return BOTH if before.isupper() or before.isdigit() else LEFT  # EU:n, USA:s
        if not before and word in ("...", "…"):
            return RIGHT
        return ALONE if word[0] in _BLANK_BEFORE.get(self.language, ()) else LEFT

    def _quote(self, mark: str, before: str, after: str) -> int:
        opener = self._opener(_CLOSES.get(mark, ""))
        closing = self._closes(mark, opener, before, after)
        self._mark(mark, opener, closing=closing)
        if mark in "«»" and self.language == "fr":
            return ALONE
        return LEFT if closing else RIGHT

    def _opener(self, marks: str) -> str:
        """The first of these marks that is open, if one is."""
        return next((mark for mark in marks if self.open[mark]), "")

    def _mark(self, mark: str, opener: str, *, closing: bool) -> None:
        if not closing:
            self.open[mark] += 1
        elif opener:
            self.open[opener] -= 1

    def _closes(self, mark: str, opener: str, before: str, after: str) -> bool:
        if mark in _OPENS_ALWAYS:
            return False
        is_open = bool(opener)
        if mark == '"':
            odd = self.straight[mark] % 2 == 1
            self.straight[mark] -= 1
            if not before or not after:
                return bool(before)
            if odd and not is_open:  # one without its partner: which is it?
                lower = after[0].islower() or _CLOSING.match(after) is not None
                return bool(_ENDS_SENTENCE.fullmatch(before)) or (before == "," and lower)
            return is_open
        if mark in "“‘«‹":
            return is_open
        if self.language in _SAME_QUOTES or (mark in "»›" and self.language in _POINTING_IN):
            return is_open
        return True

    def _apostrophe(self, mark: str, before: str, after: str) -> int:
        """A single mark: within a word, after it, or around words."""
        odd = self.straight.get(mark, 0) % 2 == 1
        if mark == "'":
            self.straight[mark] -= 1
        if mark != "‘" and before[-1:].isalnum() and after[:1].isalpha():
            elided = mark == "’" and self.language in _ELIDING and not self.open["‘"]
            if elided or after.lower() in _AFTER_APOSTROPHE:
                return BOTH
        opener = self._opener("‚" if mark == "‘" else "'‘‚")
        if opener or mark == "‘":
            self._mark(mark, opener, closing=bool(opener))
            return LEFT if opener else RIGHT
        if before[-1:].isalnum() and (mark == "’" or (odd and self._ends_in_apostrophe(before))):
            return LEFT
        if mark == "'" and after:
            self.open[mark] += not odd
            return RIGHT
        return LEFT if before else RIGHT

    def _ends_in_apostrophe(self, word: str) -> bool:
        """Whether a word may: the girls' room, un po' di pane."""
        return word[-1] in "sxz" or self.language in _ELIDING

    def is_east_asian(self, place: int) -> bool:
        """Whether the gap before this place has no blank because Chinese or Japanese has none."""
        if not self.east_asian or place == 0:
            return False
        left, right = self.words[place - 1][-1], self.words[place][0]
        if self.language in _NO_BLANKS:
            return any(_is_wide(side) or side in _WIDE_QUOTES for side in (left, right))
        return _is_wide(left) and _is_wide(right)


def _is_wide(character: str) -> bool:
    """Whether this is a character of Chinese or Japanese; Korean has blanks."""
    return unicodedata.east_asian_width(character) in "WF" and not "가" <= character <= "힣"


def _symbol(symbol: str, before: str, after: str, language: str) -> int:
    """The sides of a character that is neither a letter nor punctuation known above."""
    number = after[:1].isdigit() or after.startswith("⟦number")
    if unicodedata.category(symbol) == "Sc":
        return RIGHT if number and not before[-1:].isdigit() else ALONE
    if symbol in "+~" or (symbol == "-" and not before):
        return RIGHT if number and not before[-1:].isdigit() else ALONE
    if symbol == "–" and number and before[-1:].isdigit():
        return BOTH
    if symbol == "—" and language == "en":
        return BOTH
    if symbol == "°":
        return RIGHT if after in ("C", "F") else LEFT
    return ALONE
