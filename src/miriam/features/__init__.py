"""Features: what a model can weigh, and the contract by which templates compute them."""

from miriam.features.dense import initial_weights
from miriam.features.feature_set import FeatureSet
from miriam.features.plugins import FeatureSettings, plugged_in
from miriam.features.table import Family, Features, escape
from miriam.features.templates import (
    AdjacentFlag,
    BoundaryTemplate,
    LocalTemplate,
    NonLocalFeature,
    OrientationTemplate,
    Rule,
    RuleBatch,
    RuleFunction,
)

__all__ = [
    "AdjacentFlag",
    "BoundaryTemplate",
    "Family",
    "FeatureSet",
    "FeatureSettings",
    "Features",
    "LocalTemplate",
    "NonLocalFeature",
    "OrientationTemplate",
    "Rule",
    "RuleBatch",
    "RuleFunction",
    "escape",
    "initial_weights",
    "plugged_in",
]
