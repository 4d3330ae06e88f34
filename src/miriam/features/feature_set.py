"""Which features a model has besides its tables, its language models and the decoder's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from miriam.features.templates import (
    AdjacentFlag,
    Boundary,
    LocalTemplate,
    NonLocalFeature,
    Orientation,
    Ratio,
    RuleFunction,
)

__all__ = ["FeatureSet"]


@dataclass(frozen=True)
class FeatureSet:
    """What a model weighs besides its tables, its language models and the decoder's own."""

    local: Sequence[LocalTemplate] = ()
    orientations: Sequence[Orientation] = ()
    boundaries: Sequence[Boundary] = ()
    adjacent: Sequence[AdjacentFlag] = ()
    ratios: Sequence[Ratio] = ()
    non_local: Sequence[NonLocalFeature] = ()
    signed_distortion: bool = False
    in_domain: bool = False  # of rules seen in the sentence's domain
    adjacent_in_domain: bool = False  # of two such in a row
    augmented: Sequence[str] = ()  # families with a copy of each feature for each domain
    default_domain: str = ""  # of sentences without one

    @property
    def dense(self) -> list[str]:
        """The dense features among them."""
        names = [n for t in self.local if isinstance(t, RuleFunction) for n in t.names]
        names += [template.name for template in self.adjacent]
        return names + [name for feature in self.non_local for name in feature.names]

    def joined(self, other: FeatureSet) -> FeatureSet:
        """The features of both, these first."""
        return FeatureSet(
            local=(*self.local, *other.local),
            orientations=(*self.orientations, *other.orientations),
            boundaries=(*self.boundaries, *other.boundaries),
            adjacent=(*self.adjacent, *other.adjacent),
            ratios=(*self.ratios, *other.ratios),
            non_local=(*self.non_local, *other.non_local),
            signed_distortion=self.signed_distortion or other.signed_distortion,
            in_domain=self.in_domain or other.in_domain,
            adjacent_in_domain=self.adjacent_in_domain or other.adjacent_in_domain,
            augmented=(*self.augmented, *other.augmented),
            default_domain=self.default_domain or other.default_domain,
        )

    @property
    def asks_rules(self) -> bool:
        """Whether some template has to be asked about rules."""
        return bool(
            self.local or self.orientations or self.boundaries or self.adjacent or self.ratios
            or self.uses_domains
        )  # fmt: skip

    @property
    def uses_domains(self) -> bool:
        """Whether something depends on a sentence's domain."""
        return bool(self.in_domain or self.adjacent_in_domain or self.augmented)
