"""Language models: estimated, queried, shared."""

from miriam.lm.classes import ClassModel
from miriam.lm.estimate import Estimate, Estimation, estimate
from miriam.lm.mixture import Mixture, interpolate
from miriam.lm.model import LanguageModel, Perplexity, SentenceModel

__all__ = [
    "ClassModel",
    "Estimate",
    "Estimation",
    "LanguageModel",
    "Mixture",
    "Perplexity",
    "SentenceModel",
    "estimate",
    "interpolate",
]
