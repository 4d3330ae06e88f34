"""A normaliser: a model directory, opened in milliseconds, that gives words their modern forms."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from miriam import config
from miriam.errors import ModelError
from miriam.features.spelling import Candidates, EditFeatures, PairCounts, SpellingFeatures
from miriam.features.weights import read_weights
from miriam.model.directory import open_model
from miriam.pipeline.spelling.characters import CharacterModel
from miriam.pipeline.spelling.pairs import LONGEST, hidden, read_counts, shown
from miriam.pipeline.spelling.settings import SpellingSettings
from miriam.pipeline.translator import Translator
from miriam.text.files import read_lines
from miriam.tune.loglinear import posteriors

__all__ = ["MODERN_WORDS", "PAIRS", "SETTINGS", "SPELLING_WEIGHTS", "Form", "Normaliser"]

PAIRS, MODERN_WORDS = "pairs.tsv", "modern.txt"
SETTINGS, SPELLING_WEIGHTS = "spelling.toml", "spelling.weights.txt"
KEPT_WORDS = 200_000  # words whose forms are remembered


class Form(NamedTuple):
    """A modern form of a word, and how likely it is the right one, among those considered."""

    text: str
    confidence: float


class Normaliser:
    """Gives words their modern forms; each word once, however often it comes."""

    def __init__(self, path: Path | str) -> None:
        directory = open_model(path)
        if SETTINGS not in directory:
            raise ModelError(
                f"{path}: a model that translates sentences; `miriam translate` uses it, and "
                "`miriam train --preset characters` makes one that normalises"
            )
        self.settings = config.load(SpellingSettings, directory.text(SETTINGS))
        translator = Translator(path)
        self.characters = CharacterModel(translator.decoder, translator.weights)
        self.pairs = PairCounts(read_counts(directory[PAIRS]))
        modern = read_lines(directory[MODERN_WORDS]) if MODERN_WORDS in directory else ()
        weights = read_weights(directory[SPELLING_WEIGHTS])
        edits = EditFeatures()
        for name in weights:
            if name.startswith("Edit:"):
                edits.add(np.frombuffer(name[len("Edit:") :].encode("utf-32-le"), np.uint32))
        self.features = SpellingFeatures(self.characters.names, frozenset(modern), edits)
        self.weights = np.array([weights.get(name, 0.0) for name in self.features.names])
        self._forms: dict[str, list[Form]] = {}

    def normalise(self, words: Sequence[str], *, threads: int = 1) -> list[str]:
        """The best form of each word."""
        return [forms[0].text for forms in self.forms(words, threads=threads)]

    def forms(self, words: Sequence[str], *, nbest: int = 1, threads: int = 1) -> list[list[Form]]:
        """The best forms of each word, best first; what is not a word stays as it is."""
        keys = [self._key(word) for word in words]
        if len(self._forms) > KEPT_WORDS:
            self._forms.clear()
        self._learn(sorted({key for key in keys if key not in self._forms}), threads)
        return [
            [Form(self._written(form.text, word), form.confidence) for form in forms]
            for word, forms in zip(words, (self._forms[key][:nbest] for key in keys), strict=True)
        ]

    def _key(self, word: str) -> str:
        key = shown(word)
        return key.lower() if self.settings.case == "lower" else key

    def _learn(self, words: Sequence[str], threads: int) -> None:
        """Remember the forms of new words."""
        odd = [word for word in words if not 0 < len(word) <= LONGEST or not has_letter(word)]
        self._forms |= {word: [Form(word, 1.0)] for word in odd if word not in self.pairs}
        sound = [word for word in words if word not in self._forms]
        if not sound:
            return
        found = self.characters.candidates(sound, self.settings.candidates, threads=threads)
        for word, forms in zip(sound, self._ranked(found), strict=True):
            self._forms[word] = forms

    def _ranked(self, found: Candidates) -> list[list[Form]]:
        """The forms of each word, with confidence, best first."""
        scores = self.features.rows(found, self.pairs) @ self.weights
        shares = posteriors(scores, found.ends)
        rows = []
        for begin, end in itertools.pairwise([0, *found.ends.tolist()]):
            order = begin + np.argsort(-scores[begin:end], kind="stable")
            rows.append([Form(found.forms[i], float(shares[i])) for i in order.tolist()])
        return rows

    def _written(self, form: str, word: str) -> str:
        """A form as text, with the capitals of the word where the model knows none."""
        text = hidden(form)
        return like(text, word.strip()) if self.settings.case == "lower" else text


def has_letter(word: str) -> bool:
    """Whether a word has a letter: numbers and signs are left alone.

    >>> has_letter("1648"), has_letter("1648er")
    (False, True)
    """
    return any(character.isalpha() for character in word)


def like(form: str, word: str) -> str:
    """A form in small letters, with the capitals that a word has.

    >>> like("und", "Vnd"), like("und", "VND"), like("und", "vnd"), like("in", "J")
    ('Und', 'UND', 'und', 'In')
    """
    if len(word) > 1 and word.isupper():
        return form.upper()
    return form[:1].upper() + form[1:] if word[:1].isupper() else form
