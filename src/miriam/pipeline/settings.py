"""The settings of a translator, and of how it is trained."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from miriam.align.models import AlignSettings
from miriam.config import Config
from miriam.corpus.clean import Cleaning
from miriam.errors import ConfigError
from miriam.features.settings import FeatureSettings
from miriam.lexicon.cluster import ClusterSettings
from miriam.model.preparation import TextSettings
from miriam.rules.settings import HierarchicalLimits, Orientation
from miriam.search.settings import SearchSettings
from miriam.tune.settings import DecoderTuning

__all__ = [
    "DataSettings", "HierarchicalRules", "HoldOut", "LmSettings", "PhraseRules", "TextFiles",
    "TrainSettings", "TranslatorSettings",
]  # fmt: skip

PLAIN = re.compile(r"\w[\w.-]*")


class TranslatorSettings(Config, frozen=True, kw_only=True):
    """What a model directory says of its translator, in `config.toml`."""

    text: TextSettings | None = None  # None: the model knows tokens only
    search: SearchSettings = SearchSettings()
    tables: tuple[str, ...] = ("TM",)  # rule tables, by the first part of their features' names
    language_models: tuple[str, ...] = ("LM",)
    features: FeatureSettings = FeatureSettings()


class PhraseRules(Config, frozen=True, kw_only=True, tag="phrases", tag_field="kind"):
    """How phrase rules are extracted."""

    max_length: Annotated[int, Meta(ge=1)] = 7  # words a side
    orientations: Annotated[tuple[Orientation, ...], Meta(max_length=4)] = ("hier-mslr",)
    smoothing: Annotated[float, Meta(gt=0)] = 0.5


class HierarchicalRules(
    HierarchicalLimits, frozen=True, kw_only=True, tag="hierarchical", tag_field="kind"
):
    """Which rules with gaps are extracted."""


class LmSettings(Config, frozen=True, kw_only=True):
    """How the language model is estimated from the target side."""

    order: Annotated[int, Meta(ge=1, le=10)] = 5
    prune: tuple[int, ...] = ()


class TextFiles(Config, frozen=True, kw_only=True):
    """A file of sentences, and files of their translations."""

    source: str
    references: Annotated[tuple[str, ...], Meta(min_length=1)]
    domains: str | None = None  # a file of the domains of each sentence


class DataSettings(Config, frozen=True, kw_only=True):
    """The files of a run; names are as on the command line, so from the current folder."""

    source: str | None = None  # sentences to translate from
    target: str | None = None  # their translations
    domains: str | None = None  # the names of the domains of each pair: labels for rules
    mono: tuple[str, ...] = ()  # more text of the target language
    tuning: TextFiles | None = None  # what weights are learnt on
    development: TextFiles | None = None  # what chooses the epoch; None: the tuning set
    tests: Mapping[str, TextFiles] = {}  # by the names that scores have

    def __post_init__(self) -> None:
        for name in self.tests:
            if not PLAIN.fullmatch(name):
                raise ConfigError(
                    f"data.tests.{name}: a test set's name has letters, digits, '-', '_' and '.', "
                    "and begins with none of the latter"
                )


class HoldOut(Config, frozen=True, kw_only=True):
    """Pairs that are drawn from the corpus and set aside before anything is learnt from it."""

    tuning: Annotated[int, Meta(ge=0)] = 0  # where data.tuning gives none
    development: Annotated[int, Meta(ge=0)] = 0  # where data.development gives none
    test: Annotated[int, Meta(ge=0)] = 0  # where data.tests gives none


class TrainSettings(Config, frozen=True, kw_only=True):
    """All settings of `miriam train`.

    >>> from miriam.config import load
    >>> load(TrainSettings, overrides=["lm.order=3"]).lm.order
    3
    """

    data: DataSettings = DataSettings()
    seed: Annotated[int, Meta(ge=0)] = 1
    text: TextSettings | None = None
    cleaning: Cleaning = Cleaning()
    hold_out: HoldOut = HoldOut()
    # auto: part them if the language makes them, as its translations tell.
    compounds: Literal["auto", "part", "keep"] = "auto"
    # Measured (docs/rooms/model.md): a little better than grow-diag, with fewer rules.
    align: AlignSettings = AlignSettings(symmetrise="grow-diag-final-and")
    rules: PhraseRules | HierarchicalRules = PhraseRules()
    lm: LmSettings = LmSettings()
    classes: ClusterSettings = ClusterSettings()  # learnt where features need word classes
    features: FeatureSettings = FeatureSettings()
    search: SearchSettings = SearchSettings()
    tune: DecoderTuning = DecoderTuning()
    check_space: bool = True  # refuse to begin where disk or memory look too small
