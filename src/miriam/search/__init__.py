"""Decoders: from a sentence, tables and weights to derivations and n-best lists."""

from miriam.features.feature_set import FeatureSet
from miriam.search.decoded import Decoded
from miriam.search.decoder import Decoder
from miriam.search.derivation import Derivation, Explanation
from miriam.search.nbest import NBest
from miriam.search.sentence import Forced, Sentence
from miriam.search.settings import SearchSettings

__all__ = [
    "Decoded",
    "Decoder",
    "Derivation",
    "Explanation",
    "FeatureSet",
    "Forced",
    "NBest",
    "SearchSettings",
    "Sentence",
]
