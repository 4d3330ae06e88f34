"""The decoder: sentences in, derivations and n-best lists out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import Lock

import numpy as np
import numpy.typing as npt

from miriam._core.search import Call, Candidates
from miriam._core.search import Decoder as NativeDecoder
from miriam.config import nearest
from miriam.errors import ConfigError, InputError
from miriam.features.dense import HIERARCHICAL_OWN, OWN
from miriam.features.feature_set import FeatureSet
from miriam.features.rows import WeightRows
from miriam.features.rules import RuleBatch
from miriam.features.table import Features
from miriam.lexicon.vocabulary import MappedVocabulary
from miriam.lm.classes import ClassModel
from miriam.lm.model import LanguageModel
from miriam.progress import Report, run_native, silent
from miriam.rules.table import RuleTable
from miriam.search.answers import answer
from miriam.search.batch import Prepared
from miriam.search.decoded import Decoded
from miriam.search.domains import domain_numbers, known_domains
from miriam.search.sentence import Sentence, as_sentence
from miriam.search.settings import SearchSettings
from miriam.search.tables import Tables, lm_ids, orientation_events
from miriam.search.user import UserFeatures

__all__ = ["Decoder"]

Source = Sentence | str | Sequence[str]
Weights = npt.NDArray[np.float64] | WeightRows
NO_FEATURES, DEFAULTS = FeatureSet(), SearchSettings()
NO_FEATURE = -1


class Decoder:
    """Translates with rule tables, language models and features; safe from several threads.

    Rules without gaps are phrases, translated in any order; those with gaps are hierarchical, and
    parse the sentence. The table says which they are.

    Weights are arrays over `features`, or a learner's rows; they belong to the call, so that a
    learner may change them with every batch.

    The options of phrases are kept from call to call while the weights are the same array, made
    read-only with `weights.setflags(write=False)`.
    """

    def __init__(
        self,
        tables: RuleTable | Mapping[str, RuleTable],
        language_models: Mapping[str, LanguageModel | ClassModel],
        *,
        feature_set: FeatureSet = NO_FEATURES,
        settings: SearchSettings = DEFAULTS,
        unknown: Callable[[str], str] | None = None,
    ) -> None:
        self.tables = Tables({"TM": tables} if isinstance(tables, RuleTable) else tables)
        self.language_models = dict(language_models)
        self.hierarchical = self.tables.hierarchical
        self.own = HIERARCHICAL_OWN if self.hierarchical else OWN
        self.feature_set = _fitting(feature_set, hierarchical=self.hierarchical)
        self.settings = settings
        self.unknown = unknown
        columns = [f"{name}:{column}" for name, table in self.tables.tables.items()
                   for column in table.score_names]  # fmt: skip
        self.domains = known_domains(self.tables, feature_set)
        self.features = Features(
            [*columns, *language_models, *self.own, *feature_set.dense],
            source=self.tables.source_words, target=self.tables.target_words,
            gaps=self.tables.gaps, domains=self.domains, augmented=feature_set.augmented,
        )  # fmt: skip
        self.native = NativeDecoder(self.features.native)
        self._add_tables()
        self._add_models()
        self._add_features()
        self._kept: tuple[Weights, SearchSettings, int] | None = None
        self._version = 0
        self._asking = Lock()

    @property
    def target_words(self) -> MappedVocabulary:
        """The words of the tables' target side."""
        return self.tables.target_words

    def _add_tables(self) -> None:
        for name, table in self.tables.tables.items():
            scores, orientations = [], []
            for column, score in enumerate(table.score_names):
                number = self.features.id(f"{name}:{score}")
                if (orientation := orientation_events(score)) is None:
                    scores.append((column, number))
                else:
                    orientations.append((*orientation, column, number))
            self.native.add_table(table.native, scores, orientations)

    def _add_models(self) -> None:
        lines = self.tables.target_lines()
        for name, model in self.language_models.items():
            inner = model.model if isinstance(model, ClassModel) else model
            self.native.add_lm(inner.native, lm_ids(model, lines), self.features.id(name))

    def _add_features(self) -> None:
        extra = self.feature_set
        first, *own = [self.features.id(name) for name in self.own]
        if self.hierarchical:
            self.native.set_gaps(self.tables.gaps[0], self.tables.gaps[1], first)
            first = NO_FEATURE
        self.native.set_dense(len(self.features.dense), [first, *own])
        if extra.signed_distortion:
            jumps = self.features.named("DDIST", "j")
            self.native.set_signed_distortion(jumps.number, jumps.stride)
        for local in extra.local:
            local.prepare(self.features)
        for orientation in extra.orientations:
            orientation.prepare(self.features)
            self.native.add_orientation(
                orientation.blocks, orientation.events, orientation.family.stride
            )
        for boundary in extra.boundaries:
            boundary.prepare(self.features)
            family = boundary.family
            self.native.add_boundary(family.number, family.stride, boundary.begin, boundary.end)
        for ratio in extra.ratios:
            self.native.add_ratio(ratio.prepare(self.features))
        for flag in extra.adjacent:
            self.native.add_adjacent(self.features.id(flag.name))
        self._add_domains()

    def _add_domains(self) -> None:
        chosen = [self.feature_set.in_domain, self.feature_set.adjacent_in_domain]
        ids = [NO_FEATURE, NO_FEATURE]
        if any(chosen):
            family = self.features.named("DOM", members=("inrule", "adjrule"))
            first = int(self.features.ids(family, np.empty((1, 0), np.uint32))[0])
            ids = [first + i if c else NO_FEATURE for i, c in enumerate(chosen)]
        self.native.set_domains(len(self.domains), *ids)
        odd = set(self.feature_set.augmented) - {"*", *self.features.prefixes}
        if odd:
            raise ConfigError(
                f"no template makes features called {min(odd)!r}, so none can be augmented; "
                f"{nearest(min(odd), self.features.prefixes)}"
            )

    def decode(
        self,
        sources: Sequence[Source],
        weights: Weights,
        *,
        nbest: int = 1,
        distinct: bool = False,
        threads: int = 1,
        report: Report = silent,
    ) -> Decoded:
        """The `nbest` best derivations of each sentence; `distinct`: of different translations.

        A sentence of which no derivation is allowed (a reference out of reach) has none.
        """
        prepared = self._prepare([as_sentence(source) for source in sources])
        call = self._call(prepared, weights, nbest=nbest, distinct=distinct, threads=threads)
        candidates = run_native(
            partial(self.native.decode, prepared.native, call), step="translating", report=report
        )
        return Decoded(self, prepared, weights, call, candidates)

    def rescore(
        self,
        sources: Sequence[Source],
        derivations: Sequence[Sequence[Sequence[tuple[int, int, str]]]],
        weights: Weights,
    ) -> Decoded:
        """Given derivations of each sentence, with scores and features.

        A derivation is a list of (begin, end, target words) in target order; each must be a rule
        of the tables, or the copy of an unknown word.
        """
        if self.hierarchical:
            raise ConfigError("derivations of rules with gaps cannot be scored again")
        prepared = self._prepare([as_sentence(source) for source in sources])
        call = self._call(prepared, weights, nbest=1, distinct=False, threads=1)
        flat = [d for of_sentence in derivations for d in of_sentence]
        rules = [
            [self._rule_number(prepared, s, *phrase) for phrase in derivation]
            for s, of_sentence in enumerate(derivations)
            for derivation in of_sentence
        ]
        numbers = np.array([number for row in rules for number in row], np.uint32)
        if self.feature_set.asks_rules:
            with self._asking:
                self._ask(self.native.unknown_of(numbers))
        candidates = Candidates(
            np.cumsum([len(d) for d in derivations], dtype=np.uint64),
            np.cumsum([len(d) for d in flat], dtype=np.uint64),
            numbers,
            np.array([phrase[0] for d in flat for phrase in d], np.uint16),
            np.array([phrase[1] for d in flat for phrase in d], np.uint16),
        )
        return Decoded(self, prepared, weights, call, candidates)

    def _rule_number(
        self, prepared: Prepared, sentence: int, begin: int, end: int, target: str
    ) -> int:
        words = target.split()
        number = self.tables.find(prepared.sentences[sentence].tokens[begin:end], words)
        if number is None:
            number = prepared.find_extra(sentence, (begin, end), tuple(words))
        if number is None:
            source = " ".join(prepared.sentences[sentence].tokens[begin:end])
            raise InputError(f"no rule translates {source!r} as {target!r}")
        return number

    def _prepare(self, sentences: Sequence[Sentence]) -> Prepared:
        prepared = Prepared(self.tables, self.native, sentences, self.settings, self.unknown)
        if self.feature_set.ratios:
            for number, sentence in enumerate(sentences):
                totals = [ratio.total(sentence.tokens) for ratio in self.feature_set.ratios]
                prepared.native.set_totals(number, totals)
        if self.feature_set.uses_domains:
            for number, sentence in enumerate(sentences):
                names = sentence.domains or (self.feature_set.default_domain,)
                prepared.native.set_domains(number, domain_numbers(names, self.domains))
        if self.feature_set.asks_rules:
            with self._asking:
                limit = self.settings.considered
                self._ask(self.native.unknown_rules(prepared.native, self._longest, limit))
        return prepared

    def _ask(self, rules: npt.NDArray[np.uint32]) -> None:
        """Ask the templates about rules of the tables."""
        for numbers, batch in self.tables.batches(rules, self.features):
            self.native.add_rules(answer(self.feature_set, numbers, batch))

    @property
    def _longest(self) -> int:
        """How many source words a rule may cover."""
        return self.settings.max_span if self.hierarchical else self.settings.max_phrase

    def learn_rules(self, sources: Sequence[Source]) -> None:
        """Ask the templates about all rules for these sentences, ahead of decoding them.

        Then the numbers of features do not depend on which sentence some thread decodes first.
        """
        self._prepare([as_sentence(source) for source in sources])

    def _call(
        self, prepared: Prepared, weights: Weights, *, nbest: int, distinct: bool, threads: int
    ) -> Call:
        lines = "".join(f"{word}\n" for word in prepared.new_words).encode()
        call = Call(
            self._checked(weights),
            self._weights_version(weights),
            self.settings.native(nbest=nbest, distinct=distinct),
            [lm_ids(model, lines) for model in self.language_models.values()],
            threads,
        )
        if isinstance(weights, WeightRows):
            call.use_rows(weights.data, weights.columns, weights.clock)
        extra = prepared.extra
        if self.feature_set.asks_rules and extra:
            numbers = np.arange(len(extra), dtype=np.uint32) + np.uint32(self.native.rule_count)
            call.add_rules(
                self.native,
                answer(
                    self.feature_set, numbers,
                    RuleBatch.of([rule for *_, rule in extra], self.features),
                ),
            )  # fmt: skip
        if self.feature_set.non_local:
            call.set_user_features(self.user_features(prepared, weights))
        return call

    def _checked(self, weights: Weights) -> npt.NDArray[np.float64]:
        """The weights, if they are an array and sound; rows are their learner's affair."""
        if isinstance(weights, WeightRows):
            return np.empty(0)
        if weights.dtype != np.float64 or weights.ndim != 1:
            raise ConfigError(f"weights are a row of float64, got {weights.dtype}{weights.shape}")
        if len(weights) < len(self.features.dense):
            raise ConfigError(
                f"{len(weights)} weights for {len(self.features.dense)} dense features"
            )
        if not np.isfinite(weights).all():
            bad = int(np.flatnonzero(~np.isfinite(weights))[0])
            raise ConfigError(
                f"the weight of {self.features.name(bad)} is {weights[bad]}; "
                "weights must be finite numbers"
            )
        return weights

    def _weights_version(self, weights: Weights) -> int:
        """A number that is another for weights that may have changed."""
        kept = self._kept
        constant = isinstance(weights, np.ndarray) and not weights.flags.writeable
        if kept and kept[0] is weights and kept[1] is self.settings and constant:
            return kept[2]
        self._version += 1
        self._kept = (weights, self.settings, self._version)
        return self._version

    def user_features(self, prepared: Prepared, weights: Weights) -> UserFeatures:
        """The user's non-local features for a batch."""
        ids = [[self.features.id(n) for n in f.names] for f in self.feature_set.non_local]
        read = weights.read if isinstance(weights, WeightRows) else weights.__getitem__
        values = [read(np.array(i, np.int32)) for i in ids]
        return UserFeatures(self.feature_set.non_local, values, prepared.sentences, prepared.rule)


def _fitting(features: FeatureSet, *, hierarchical: bool) -> FeatureSet:
    """The features, if the decoder knows how to weigh them."""
    if not hierarchical:
        return features
    ordered = {
        "orientations": features.orientations, "boundaries of phrases": features.boundaries,
        "flags of adjacent rules": features.adjacent, "non-local features": features.non_local,
        "signed distortion": features.signed_distortion,
        "adjacent rules of a domain": features.adjacent_in_domain,
    }  # fmt: skip
    if wrong := [name for name, given in ordered.items() if given]:
        raise ConfigError(
            f"features of {', '.join(wrong)} need a translation that grows from left to right, "
            "and one by rules with gaps does not; leave them out"
        )
    return features
