"""A translator: a model directory, opened in milliseconds, that takes text and gives text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from miriam import config
from miriam.errors import ModelError
from miriam.features.weights import read_known_weights
from miriam.lexicon.classes import WordClasses, read_classes
from miriam.lexicon.compounds import Compounds, load_compounds
from miriam.lexicon.domains import DomainClassifier
from miriam.lm.model import LanguageModel
from miriam.model.directory import ModelDirectory, open_model
from miriam.model.preparation import Preparation, PreparedText
from miriam.model.weights import fit_weights
from miriam.pipeline.settings import TranslatorSettings
from miriam.rules.table import RuleTable
from miriam.search import Decoder, Derivation, Forced, Sentence
from miriam.text.placeholders import is_placeholder

__all__ = [
    "ALIGNER",
    "CLASSES",
    "CLASSIFIER",
    "COMPOUNDS",
    "CONFIG",
    "WEIGHTS",
    "ClassFiles",
    "Translation",
    "Translator",
    "lm_file",
    "sentence_of",
    "table_file",
]

ALIGNER = "aligner.safetensors"
CONFIG, WEIGHTS = "config.toml", "weights.txt"
CLASSES = ("source.classes", "target.classes")
COMPOUNDS = "source.compounds"
CLASSIFIER = "domains.classifier"
DOMAIN_TAG = re.compile(r'\s*<domain name="([^"<>]*)"/>')


class ClassFiles(NamedTuple):
    """Maps from words to classes."""

    source: Path
    target: Path


def table_file(name: str) -> str:
    """The file of a rule table.

    >>> table_file("TM")
    'TM.rules.safetensors'
    """
    return f"{name}.rules.safetensors"


def lm_file(name: str) -> str:
    """The file of a language model.

    >>> lm_file("LM")
    'LM.lm.safetensors'
    """
    return f"{name}.lm.safetensors"


@dataclass(frozen=True)
class Translation:
    """One way to translate a sentence: as text, and how it was made."""

    text: str
    derivation: Derivation
    confidence: float  # the share of these words in the probability of the n-best list

    @property
    def tokens(self) -> str:
        """The words, as the model knows them."""
        return str(self.derivation)

    @property
    def score(self) -> float:
        """The model's score."""
        return self.derivation.score


class Translator:
    """Translates text, or tokens, by the model in a directory; safe from several threads."""

    def __init__(
        self,
        path: Path | str,
        *,
        weights: Path | str | None = None,
        overrides: Iterable[str] = (),
        allow_missing_weights: bool = False,
        classes: ClassFiles | None = None,
    ) -> None:
        self.directory = open_model(path)
        self.settings = _settings(self.directory, overrides)
        self.classes = classes or ClassFiles(*(self.directory.path / name for name in CLASSES))
        self.decoder = _decoder(self.directory.path, self.settings, self.classes)
        file = Path(weights) if weights else self.directory[WEIGHTS]
        self.weights = _weights(file, self.decoder, allow_missing=allow_missing_weights)
        text = self.settings.text
        self.preparation = Preparation.load(text, self.directory.path) if text else None
        self.classifier = self._open_classifier()

    def _open_classifier(self) -> DomainClassifier | None:
        """What knows the domain of a sentence that nobody names one for, if it is asked."""
        chosen = self.settings.features
        if not chosen.needs_domains or chosen.default_domain or CLASSIFIER not in self.directory:
            return None
        return DomainClassifier.open(self.directory[CLASSIFIER])

    @staticmethod
    def features_of(folder: Path, settings: TranslatorSettings) -> Sequence[str]:
        """The names of all features of the model in a folder that need not be whole."""
        classes = ClassFiles(*(folder / name for name in CLASSES))
        return list(_decoder(folder, settings, classes).features.dense)

    @overload
    def translate(
        self, text: str, *, threads: int = 1, tokens: bool = False,
        domains: Sequence[str] | None = None,
    ) -> str: ...  # fmt: skip

    @overload
    def translate(
        self, text: list[str], *, threads: int = 1, tokens: bool = False,
        domains: Sequence[str] | None = None,
    ) -> list[str]: ...  # fmt: skip

    def translate(
        self, text: str | list[str], *, threads: int = 1, tokens: bool = False,
        domains: Sequence[str] | None = None,
    ) -> str | list[str]:  # fmt: skip
        """The translation of a sentence, or of several; an empty one stays empty.

        `tokens`: the text is tokenised and cased as in the model, and so will be the translation.
        """
        lines = [text] if isinstance(text, str) else list(text)
        found = self.decode_all(lines, threads=threads, tokens=tokens, domains=domains)
        best = [row[0].text if row else "" for row in found]
        return best[0] if isinstance(text, str) else best

    def decode(
        self, text: str, *, nbest: int = 1, distinct: bool = False, tokens: bool = False
    ) -> list[Translation]:
        """The best translations of a sentence, best first."""
        return self.decode_all([text], nbest=nbest, distinct=distinct, tokens=tokens)[0]

    def decode_all(
        self,
        text: Sequence[str],
        *,
        nbest: int = 1,
        distinct: bool = False,
        threads: int = 1,
        tokens: bool = False,
        domains: Sequence[str] | None = None,
    ) -> list[list[Translation]]:
        """The best translations of each of several sentences, best first.

        `domains` has the names of the domains of each sentence, with blanks between.
        """
        raw = self.preparation is not None and not tokens
        sentences = self.sentences(text, raw=raw, domains=domains)
        decoded = self.decoder.decode(
            [sentence for _, sentence in sentences], self.weights,
            nbest=nbest, distinct=distinct, threads=threads,
        )  # fmt: skip
        return [
            self._translations(decoded[number], prepared, raw=raw)
            for number, (prepared, _) in enumerate(sentences)
        ]

    def sentences(
        self, text: Sequence[str], *, raw: bool, domains: Sequence[str] | None = None
    ) -> list[tuple[PreparedText, Sentence]]:
        """Sentences as the model knows them, and as its decoder takes them.

        The domain of each is that in `domains`, or in `<domain name="…"/>` before the text, or as
        the classifier says.
        """
        found = []
        for number, line in enumerate(text):
            names = tuple(domains[number].split()) if domains is not None else ()
            if self.decoder.domains and (tag := DOMAIN_TAG.match(line)):
                names, line = names or tuple(tag[1].split()), line[tag.end() :]
            prepared = self.prepare(line, raw=raw)
            if not names and self.classifier:
                names = self.classifier(prepared.tokens)
            found.append((prepared, sentence_of(prepared, names)))
        return found

    def reference_tokens(self, source: str, reference: str, *, tokens: bool = False) -> str:
        """A reference translation as the model would write it, in tokens."""
        if self.preparation is None or tokens:
            return " ".join(reference.split())
        return self.preparation.cased(self.preparation.pair(source, reference))[1]

    def frequency(self, word: str) -> int:
        """How often a target word was linked in training; 0 where that is not known."""
        ids = [
            (table, table.target_words.find(word)) for table in self.decoder.tables.tables.values()
        ]
        return sum(int(table.target_frequencies[i]) for table, i in ids if i is not None)

    @cached_property
    def compounds(self) -> Compounds | None:
        """What parts compound words of the source, if the model does."""
        if COMPOUNDS not in self.directory:
            return None
        return load_compounds(self.directory[COMPOUNDS])

    def prepare(self, line: str, *, raw: bool) -> PreparedText:
        """A sentence as the model knows it, and the way back; `raw` text or tokens."""
        prepared = (
            self.preparation.source(line)
            if raw and self.preparation
            else PreparedText(tuple(line.split()))
        )
        if self.compounds is None:
            return prepared
        return replace(prepared, tokens=tuple(self.compounds.split(prepared.tokens)))

    def _translations(
        self, derivations: Sequence[Derivation], prepared: PreparedText, *, raw: bool
    ) -> list[Translation]:
        if not derivations:
            return []
        scores = np.array([derivation.score for derivation in derivations])
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        by_words: dict[str, float] = {}  # different derivations may give the same translation
        for derivation, share in zip(derivations, shares.tolist(), strict=True):
            by_words[str(derivation)] = by_words.get(str(derivation), 0.0) + share
        back = self.preparation.back if raw and self.preparation else _joined
        return [Translation(back(d.tokens, prepared), d, by_words[str(d)]) for d in derivations]


def _joined(tokens: Sequence[str], _: PreparedText) -> str:
    return " ".join(tokens)


def sentence_of(prepared: PreparedText, domains: tuple[str, ...] = ()) -> Sentence:
    """The tokens, with placeholders that have to survive, and their domains.

    >>> sentence_of(PreparedText(("see", "⟦url1⟧"))).forced
    (Forced(begin=1, end=2, target=('⟦url1⟧',), exclusive=True),)
    """
    forced = tuple(
        Forced(i, i + 1, (token,))
        for i, token in enumerate(prepared.tokens)
        if is_placeholder(token)
    )
    return Sentence(prepared.tokens, forced=forced, domains=domains)


def _settings(directory: ModelDirectory, overrides: Iterable[str]) -> TranslatorSettings:
    text = directory.text(CONFIG)
    return config.load(TranslatorSettings, text, overrides=overrides, name=str(directory[CONFIG]))


def _weights(file: Path, decoder: Decoder, *, allow_missing: bool) -> npt.NDArray[np.float64]:
    """The weights in a file, by feature; sparse ones need none."""
    dense, ids, values = read_known_weights(file, decoder.features)
    fitted = fit_weights(dense, decoder.features.dense, path=file, allow_missing=allow_missing)
    weights = decoder.features.weights(fitted)
    weights[ids] = values
    weights.setflags(write=False)
    return weights


def _classes(path: Path) -> WordClasses:
    if not path.is_file():
        raise ModelError(
            f"{path}: the model has no word classes, which its features need; train it again with "
            "--set features.set=extended, which learns them"
        )
    return read_classes(path)


def _decoder(folder: Path, settings: TranslatorSettings, classes: ClassFiles) -> Decoder:
    chosen = settings.features
    maps = [_classes(path) for path in classes] if chosen.needs_classes else [None, None]
    feature_set = chosen.build(source_classes=maps[0], target_classes=maps[1])
    tables = {name: RuleTable.open(folder / table_file(name)) for name in settings.tables}
    models = {name: LanguageModel.load(folder / lm_file(name)) for name in settings.language_models}
    return Decoder(tables, models, feature_set=feature_set, settings=settings.search)
