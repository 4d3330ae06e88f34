"""Features: what a model can weigh, and the contract by which templates compute them."""

from miriam.features.dense import initial_weights
from miriam.features.feature_set import FeatureSet
from miriam.features.plugins import plugged_in
from miriam.features.ragged import Ragged
from miriam.features.rules import Fired, Rule, RuleBatch
from miriam.features.settings import FeatureSettings
from miriam.features.table import Family, Features, escape
from miriam.features.templates import (
    AdjacentFlag,
    Boundary,
    BoundaryTemplate,
    LocalTemplate,
    NonLocalFeature,
    Orientation,
    OrientationTemplate,
    Ratio,
    RuleFunction,
)

__all__ = [
    "AdjacentFlag",
    "Boundary",
    "BoundaryTemplate",
    "Family",
    "FeatureSet",
    "FeatureSettings",
    "Features",
    "Fired",
    "LocalTemplate",
    "NonLocalFeature",
    "Orientation",
    "OrientationTemplate",
    "Ragged",
    "Ratio",
    "Rule",
    "RuleBatch",
    "RuleFunction",
    "escape",
    "initial_weights",
    "plugged_in",
]
