"""A batch of sentences for the core: word ids, and the rules that belong to a sentence alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from miriam._core.search import Batch, Decoder
from miriam.features.rules import EVERY_DOMAIN, Rule
from miriam.lexicon.vocabulary import NO_WORD
from miriam.rules.gaps import GAPS
from miriam.search.sentence import Sentence
from miriam.search.settings import SearchSettings
from miriam.search.tables import Tables

__all__ = ["Prepared"]


class Prepared:
    """Sentences with their ids; unknown words and forced translations become extra rules."""

    def __init__(
        self,
        tables: Tables,
        decoder: Decoder,
        sentences: Sequence[Sentence],
        settings: SearchSettings,
        unknown: Callable[[str], str] | None,
    ) -> None:
        self.tables = tables
        self.sentences = sentences
        self.settings = settings
        self.unknown = unknown
        self.first_extra = decoder.rule_count
        self.new_words: dict[str, int] = {}  # target words that the tables do not have
        self.extra: list[tuple[int, tuple[int, int], Rule]] = []
        text = "".join(" ".join(s.tokens) + "\n" for s in sentences).encode()
        self.words, self.ends = tables.source_words.encode(text)
        self.gaps: tuple[str, ...] = GAPS if tables.hierarchical else ()
        if tables.hierarchical:  # a word of the text that looks like a gap is none
            self.words[np.isin(self.words, tables.gaps[0])] = NO_WORD
        self.native = Batch(self.words, self.ends)
        self.rule = lru_cache(maxsize=None)(self._rule)
        known = decoder.known_words(self.words).astype(bool)
        self._add_unknown(np.flatnonzero(~known))
        for number, sentence in enumerate(sentences):
            self._add_markup(number, sentence)

    def target_ids(self, words: Sequence[str]) -> list[int]:
        """The ids of target words; those that the tables do not have get new ones."""
        ids = []
        for word in words:
            number = None if word in self.gaps else self.tables.target_words.find(word)
            if number is None:
                number = len(self.tables.target_words) + self.new_words.setdefault(
                    word, len(self.new_words)
                )
            ids.append(number)
        return ids

    def find_extra(
        self, sentence: int, span: tuple[int, int], target: tuple[str, ...]
    ) -> int | None:
        """The number of an extra rule."""
        for number, (of_sentence, where, rule) in enumerate(self.extra, self.first_extra):
            if (of_sentence, where, rule.target) == (sentence, span, target):
                return number
        return None

    def _rule(self, number: int) -> Rule:
        """The rule with this number, of a table or of the batch."""
        if number >= self.first_extra:
            return self.extra[number - self.first_extra][2]
        return self.tables.rule(number)

    def _add_unknown(self, places: npt.NDArray[np.intp]) -> None:
        """Extra rules for words that no rule translates alone: copied, dropped, or by a user."""
        for place in places.tolist():
            sentence = int(np.searchsorted(self.ends, place, side="right"))
            at = place - (int(self.ends[sentence - 1]) if sentence else 0)
            word = self.sentences[sentence].tokens[at]
            if self.unknown is not None:
                target = tuple(self.unknown(word).split())
            else:
                target = (word,) if self.settings.unknown == "copy" else ()
            self._add(
                sentence,
                (at, at + 1),
                Rule((word,), target, _straight(target), unknown=True, domains=EVERY_DOMAIN),
            )

    def _add_markup(self, number: int, sentence: Sentence) -> None:
        for forced in sentence.forced:
            source = sentence.tokens[forced.begin : forced.end]
            rule = Rule(source, forced.target, domains=EVERY_DOMAIN)
            self._add(number, (forced.begin, forced.end), rule, exclusive=forced.exclusive)
        for scope in sentence.wall_scopes():
            self.native.add_wall(number, scope)
        for zone in sentence.zones:
            self.native.add_zone(number, zone)
        if sentence.reference is not None:
            self.native.require(number, self.target_ids(sentence.reference), True)
        elif sentence.prefix:
            self.native.require(number, self.target_ids(sentence.prefix), False)

    def _add(
        self, sentence: int, span: tuple[int, int], rule: Rule, *, exclusive: bool = False
    ) -> None:
        ids = self.target_ids(rule.target)
        self.native.add_rule(sentence, span, ids, rule.unknown, exclusive)
        self.extra.append((sentence, span, rule))


def _straight(target: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    return ((0, 0),) if len(target) == 1 else ()
