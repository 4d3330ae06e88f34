"""The settings of feature templates: a struct a template, and named sets of them.

The union is the registry. A template's struct says what it is; `build` makes of it what the decoder
weighs, given the word classes and the function words of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from miriam.config import Config
from miriam.errors import ConfigError
from miriam.features.alignments import Alignments, Constellation, Unaligned, WordPairs
from miriam.features.dimensions import Dimension, Side
from miriam.features.feature_set import FeatureSet
from miriam.features.lexical import (
    BoundaryPairs,
    RuleIndicator,
    RuleOrientation,
    TargetPairs,
    TargetUnits,
)
from miriam.features.plugins import plugged_in
from miriam.features.ratios import WordRatio, is_punctuation
from miriam.features.symbols import Classes, ClassMap, Symbols, Words

__all__ = ["SETS", "AnyTemplate", "FeatureSettings", "FunctionWords", "Resources", "SetName"]

CUTOFF = 50  # of the 2014 paper
Cutoff = Annotated[int, Meta(ge=0)]
By = Literal["words", "classes"]


class FunctionWords(Config, frozen=True, kw_only=True):
    """The most frequent words of each side that are no number, punctuation or symbol."""

    source: tuple[str, ...] = ()
    target: tuple[str, ...] = ()


@dataclass(frozen=True)
class Resources:
    """What templates need besides rules."""

    function_words: FunctionWords
    source_classes: ClassMap | None = None
    target_classes: ClassMap | None = None

    @cached_property
    def classes(self) -> Classes:
        """The classes of the words of both sides."""
        if self.source_classes is None or self.target_classes is None:
            raise ConfigError(
                "the feature templates need word classes of both sides; make them with "
                "`miriam cluster`, or choose templates of words"
            )
        return Classes(self.source_classes, self.target_classes)

    def symbols(self, by: By) -> Symbols:
        """Words, or classes."""
        return Words() if by == "words" else self.classes


class Indicator(Config, frozen=True, kw_only=True, tag="rule-indicator", tag_field="kind"):
    """PT: a feature for each rule, or each prototype of rules in classes."""

    by: By = "words"
    cutoff: Cutoff | None = None  # only rules seen more often in training

    def build(self, given: Resources) -> FeatureSet:
        """The template."""
        return FeatureSet(local=(RuleIndicator(given.symbols(self.by), self.cutoff),))


class Alignment(Config, frozen=True, kw_only=True, tag="alignment", tag_field="kind"):
    """ALN: a feature for each clique of linked words in a rule."""

    by: By = "words"
    cutoff: Cutoff | None = None

    def build(self, given: Resources) -> FeatureSet:
        """The template."""
        return FeatureSet(local=(Alignments(given.symbols(self.by), self.cutoff),))


class RuleOrientations(Config, frozen=True, kw_only=True, tag="rule-orientation", tag_field="kind"):
    """LO: a feature for each rule and each of eight ways to lie to its neighbours."""

    by: By = "words"
    cutoff: Cutoff | None = None
    blocks: bool = False  # neighbours are blocks of phrases, not phrases

    def build(self, given: Resources) -> FeatureSet:
        """The template."""
        template = RuleOrientation(given.symbols(self.by), self.cutoff, blocks=self.blocks)
        return FeatureSet(orientations=(template,))


class SourceDeletion(Config, frozen=True, kw_only=True, tag="source-deletion", tag_field="kind"):
    """ALNS: a feature for each source word that no link touches."""

    by: By = "words"

    def build(self, given: Resources) -> FeatureSet:
        """The template."""
        return FeatureSet(local=(Unaligned(given.symbols(self.by)),))


class TargetInsertion(Config, frozen=True, kw_only=True, tag="target-insertion", tag_field="kind"):
    """ALNT: a feature for each target word that no link touches."""

    by: By = "words"

    def build(self, given: Resources) -> FeatureSet:
        """The template."""
        return FeatureSet(local=(Unaligned(given.symbols(self.by), target=True),))


class TargetUnigram(Config, frozen=True, kw_only=True, tag="target-unigram", tag_field="kind"):
    """TGTCLS: a feature for each class (or word) of the target side."""

    by: By = "classes"

    def build(self, given: Resources) -> FeatureSet:
        """The template."""
        return FeatureSet(local=(TargetUnits(given.symbols(self.by)),))


class TargetBigram(Config, frozen=True, kw_only=True, tag="target-bigram", tag_field="kind"):
    """NGR: a feature for each pair of neighbours on the target side, over boundaries too."""

    by: By = "words"

    def build(self, given: Resources) -> FeatureSet:
        """The template and its mechanism."""
        pairs = TargetPairs(given.symbols(self.by))
        return FeatureSet(local=(pairs,), boundaries=(pairs.boundary,))


class TargetBoundary(Config, frozen=True, kw_only=True, tag="target-boundary", tag_field="kind"):
    """TGTCBND: a feature for the classes (or words) on both sides of a boundary of phrases."""

    by: By = "classes"

    def build(self, given: Resources) -> FeatureSet:
        """The template."""
        return FeatureSet(boundaries=(BoundaryPairs(given.symbols(self.by)),))


class RuleDimension(Config, frozen=True, kw_only=True, tag="rule-dimension", tag_field="kind"):
    """SRCD, TGTD, RSHP: a feature for each number of words of a rule."""

    side: Side = "both"

    def build(self, _: Resources) -> FeatureSet:
        """The template."""
        return FeatureSet(local=(Dimension(self.side),))


class AlignmentConstellation(
    Config, frozen=True, kw_only=True, tag="alignment-constellation", tag_field="kind"
):
    """ACON: a feature for each pattern of links of a rule."""

    def build(self, _: Resources) -> FeatureSet:
        """The template."""
        return FeatureSet(local=(Constellation(),))


class WordPair(Config, frozen=True, kw_only=True, tag="word-pair", tag_field="kind"):
    """WP: a feature for each pair of linked words, and with the word before on either side."""

    context: bool = True

    def build(self, _: Resources) -> FeatureSet:
        """The template."""
        return FeatureSet(local=(WordPairs(self.context),))


class SignedDistortion(
    Config, frozen=True, kw_only=True, tag="signed-distortion", tag_field="kind"
):
    """DDIST: a feature for each length of a jump, and for its direction."""

    def build(self, _: Resources) -> FeatureSet:
        """The mechanism."""
        return FeatureSet(signed_distortion=True)


class PunctuationRatio(
    Config, frozen=True, kw_only=True, tag="punctuation-ratio", tag_field="kind"
):
    """PDIF: punctuation of the translation over punctuation of the sentence."""

    def build(self, _: Resources) -> FeatureSet:
        """The mechanism."""
        return FeatureSet(ratios=(WordRatio("PDIF", is_punctuation, is_punctuation),))


class FunctionWordRatio(
    Config, frozen=True, kw_only=True, tag="function-word-ratio", tag_field="kind"
):
    """TWFN: function words of the translation over function words of the sentence."""

    def build(self, given: Resources) -> FeatureSet:
        """The mechanism."""
        words = given.function_words
        if not words.source or not words.target:
            raise ConfigError(
                "the function-word ratio needs the function words of both sides; a model that "
                "`miriam train` made has them, and the setting features.function_words gives them"
            )
        source, target = frozenset(words.source), frozenset(words.target)
        ratio = WordRatio("TWFN", source.__contains__, target.__contains__)
        return FeatureSet(ratios=(ratio,))


class InDomainRule(Config, frozen=True, kw_only=True, tag="in-domain-rule", tag_field="kind"):
    """DOM:inrule: 1 for a rule that was seen in the sentence's domain (Durrani et al., 2013)."""

    def build(self, _: Resources) -> FeatureSet:
        """The mechanism."""
        return FeatureSet(in_domain=True)


class AdjacentInDomain(
    Config, frozen=True, kw_only=True, tag="adjacent-in-domain", tag_field="kind"
):
    """DOM:adjrule: 1 for two rules in a row that were seen in the sentence's domain."""

    def build(self, _: Resources) -> FeatureSet:
        """The mechanism."""
        return FeatureSet(adjacent_in_domain=True)


AnyTemplate: TypeAlias = (
    Indicator
    | Alignment
    | RuleOrientations
    | SourceDeletion
    | TargetInsertion
    | TargetUnigram
    | TargetBigram
    | TargetBoundary
    | RuleDimension
    | AlignmentConstellation
    | WordPair
    | SignedDistortion
    | PunctuationRatio
    | FunctionWordRatio
    | InDomainRule
    | AdjacentInDomain
)
"""The settings of any template."""

SetName = Literal["dense", "2013", "extended", "extended+lexical", "domains"]

EXTENDED: tuple[AnyTemplate, ...] = (
    Indicator(by="classes"),
    TargetUnigram(),
    Alignment(by="classes"),
    SourceDeletion(by="classes"),
    PunctuationRatio(),
    FunctionWordRatio(),
    TargetBoundary(),
    RuleDimension(side="source"),
    RuleDimension(side="target"),
    RuleDimension(side="both"),
    RuleOrientations(by="classes"),
    SignedDistortion(),
)
LEXICAL: tuple[AnyTemplate, ...] = (
    Indicator(cutoff=CUTOFF),
    Alignment(cutoff=CUTOFF),
    RuleOrientations(cutoff=CUTOFF),
)
SETS: dict[str, tuple[AnyTemplate, ...]] = {
    "dense": (),
    "2013": (Indicator(), Alignment(), SourceDeletion(), RuleOrientations()),
    "extended": EXTENDED,
    "extended+lexical": EXTENDED + LEXICAL,
    "domains": (*EXTENDED, *LEXICAL, InDomainRule(), AdjacentInDomain()),
}
"""The templates of the named sets: Green et al. (2013); of Green et al. (2014) E, E+F, E+F+D."""

LEXICALISED = ("PT", "ALN", "LO", "DOM")
"""What has copies for domains in the set `domains`: features of words, and of domains."""


class FeatureSettings(Config, frozen=True, kw_only=True):
    """Which features a model has besides the dense ones.

    >>> len(FeatureSettings(set="2013", templates=(SignedDistortion(),)).all_templates)
    5
    """

    set: SetName = "dense"
    templates: tuple[AnyTemplate, ...] = ()  # besides those of the set
    plugins: tuple[str, ...] = ()  # features of one's own, as `module:object`
    function_words: FunctionWords = FunctionWords()
    # The features, by the first part of their names, that have a copy for each domain of sentences
    # (Daumé III 2007); "*" is all. None: PT, ALN, LO and DOM of the set `domains`.
    augment: tuple[str, ...] | None = None
    default_domain: str = ""  # of a sentence whose domain nobody names; "": that of the classifier

    @property
    def all_templates(self) -> Sequence[AnyTemplate]:
        """Those of the set, and the others, each once."""
        return tuple(dict.fromkeys((*SETS[self.set], *self.templates)))

    @property
    def needs_classes(self) -> bool:
        """Whether some template is of word classes."""
        return any(getattr(template, "by", "words") == "classes" for template in self.all_templates)

    @property
    def augmented(self) -> tuple[str, ...]:
        """The features that have copies for domains."""
        if self.augment is not None:
            return self.augment
        return LEXICALISED if self.set == "domains" else ()

    @property
    def needs_domains(self) -> bool:
        """Whether some feature depends on the domain of a sentence."""
        kinds = (InDomainRule, AdjacentInDomain)
        return bool(self.augmented) or any(isinstance(t, kinds) for t in self.all_templates)

    def build(
        self, *, source_classes: ClassMap | None = None, target_classes: ClassMap | None = None
    ) -> FeatureSet:
        """What the decoder weighs."""
        given = Resources(self.function_words, source_classes, target_classes)
        found = plugged_in(self.plugins)
        for template in self.all_templates:
            found = found.joined(template.build(given))
        return found.joined(
            FeatureSet(augmented=self.augmented, default_domain=self.default_domain)
        )
