"""From raw text to the tokens that a model knows, and from its tokens back to text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from miriam.config import Config
from miriam.text.case import Truecaser, learn_truecaser, load_truecaser, lowercase
from miriam.text.moses import Moses
from miriam.text.normalise import normalise
from miriam.text.placeholders import Placeholders, Value, protect, restore
from miriam.text.tokenise import AnyTokeniser, Tokeniser

__all__ = ["Preparation", "PreparedText", "TextSettings"]

CASERS = ("source.truecaser", "target.truecaser")


class TextSettings(Config, frozen=True, kw_only=True):
    """How text becomes tokens, and tokens text.

    Numbers are translated like words unless `placeholders.kinds` has them too.
    """

    source: AnyTokeniser = Moses()
    target: AnyTokeniser = Moses()
    case: Literal["true", "lower", "keep"] = "true"
    placeholders: Placeholders = Placeholders(kinds=("url", "email", "tag", "variable"))


@dataclass(frozen=True)
class PreparedText:
    """The tokens of a text for the decoder, and what the way back needs."""

    tokens: tuple[str, ...]
    written: tuple[str, ...] = ()  # the tokens with the case of the text
    values: tuple[Value, ...] = ()  # of the placeholders


@dataclass(frozen=True)
class Preparation:
    """Normalise, protect, tokenise, case; and, in the opposite order, the way back.

    >>> from miriam.text.exact import Whitespace
    >>> plain = TextSettings(source=Whitespace(), target=Whitespace())
    >>> preparation = Preparation(plain, Truecaser({"the": 1}), Truecaser({"das": 1}))
    >>> prepared = preparation.source("The %s rains")
    >>> prepared.tokens
    ('the', '⟦variable1⟧', 'rains')
    >>> preparation.back(["das", "⟦variable1⟧", "regnet"], prepared)
    'Das %s regnet'
    """

    settings: TextSettings
    source_case: Truecaser
    target_case: Truecaser

    @cached_property
    def tokenisers(self) -> tuple[Tokeniser, Tokeniser]:
        """Of the source and of the target."""
        return self.settings.source.build(), self.settings.target.build()

    def source(self, text: str) -> PreparedText:
        """A text to be translated."""
        protected = protect(normalise(text), self.settings.placeholders)
        written = self.tokenisers[0].tokenise(protected.text)
        tokens = self._cased(written, 0)
        return PreparedText(tuple(tokens), tuple(written), protected.values)

    def back(self, tokens: Sequence[str], prepared: PreparedText) -> str:
        """The text of a translation of what was prepared."""
        words = list(tokens)
        if self.settings.case != "keep":
            names = self.settings.case == "lower"
            words = self.target_case.recase(words, source=prepared.written, names=names)
        return restore(self.tokenisers[1].detokenise(words), prepared.values).text

    def pair(self, source: str, target: str) -> tuple[list[str], list[str]]:
        """A sentence pair to learn from, with the case of the text."""
        protected = protect(normalise(source), self.settings.placeholders)
        known = protect(normalise(target), self.settings.placeholders, known=protected.values)
        return (
            self.tokenisers[0].tokenise(protected.text),
            self.tokenisers[1].tokenise(known.text),
        )

    def target(self, text: str) -> str:
        """The token line of a text of the target language alone, placeholders in it."""
        protected = protect(normalise(text), self.settings.placeholders)
        return " ".join(self._cased(self.tokenisers[1].tokenise(protected.text), 1))

    def references(self, source: str, references: Sequence[str]) -> list[str]:
        """The token lines of references, with the placeholders of their source."""
        return [self.cased(self.pair(source, reference))[1] for reference in references]

    def cased(self, pair: tuple[Sequence[str], Sequence[str]]) -> tuple[str, str]:
        """The token lines of such a pair."""
        return " ".join(self._cased(pair[0], 0)), " ".join(self._cased(pair[1], 1))

    def _cased(self, tokens: Sequence[str], side: int) -> Sequence[str]:
        if self.settings.case == "true":
            return (self.source_case, self.target_case)[side].apply(tokens)
        if self.settings.case == "lower":
            tokeniser = (self.settings.source, self.settings.target)[side]
            return lowercase(tokens, language=getattr(tokeniser, "language", ""))
        return tokens

    def learn_case(self, pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Preparation:
        """The same preparation, with the case of the words of these pairs learnt."""
        if self.settings.case == "keep":
            return self
        sources, targets = zip(*pairs, strict=True)
        return Preparation(self.settings, learn_truecaser(sources), learn_truecaser(targets))

    def save(self, folder: Path) -> None:
        """Write the truecasers; the settings are the caller's."""
        for name, caser in zip(CASERS, (self.source_case, self.target_case), strict=True):
            caser.save(folder / name)

    @classmethod
    def load(cls, settings: TextSettings, folder: Path) -> Preparation:
        """The preparation whose truecasers are in a folder."""
        return cls(settings, *(load_truecaser(folder / name) for name in CASERS))
