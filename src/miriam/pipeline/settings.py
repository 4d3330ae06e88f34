"""The settings of a translator, and of how it is trained."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from miriam.align.models import AlignSettings
from miriam.config import Config
from miriam.corpus.clean import Cleaning
from miriam.features.settings import FeatureSettings
from miriam.model.preparation import TextSettings
from miriam.rules.settings import HierarchicalLimits, Orientation
from miriam.search.settings import SearchSettings

__all__ = ["HierarchicalRules", "LmSettings", "PhraseRules", "TrainSettings", "TranslatorSettings"]


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


class TrainSettings(Config, frozen=True, kw_only=True):
    """All settings of `miriam train`.

    >>> from miriam.config import load
    >>> load(TrainSettings, overrides=["lm.order=3"]).lm.order
    3
    """

    text: TextSettings | None = None
    cleaning: Cleaning = Cleaning()
    # Measured (docs/rooms/model.md): a little better than grow-diag, with fewer rules.
    align: AlignSettings = AlignSettings(symmetrise="grow-diag-final-and")
    rules: PhraseRules | HierarchicalRules = PhraseRules()
    lm: LmSettings = LmSettings()
    features: FeatureSettings = FeatureSettings()
    search: SearchSettings = SearchSettings()
