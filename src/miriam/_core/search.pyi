"""Decoders."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import miriam._core
import miriam._core.features
import miriam._core.lm
import miriam._core.rules

class Decoder:
    """Phrase-based or hierarchical search."""

    def __init__(self, features: miriam._core.features.FeatureTable) -> None: ...
    def add_table(
        self,
        table: miriam._core.rules.Table,
        scores: Sequence[tuple[int, int]],
        orientations: Sequence[tuple[bool, bool, int, int, int]],
    ) -> None:
        """
        Scores are (column, feature); orientations (block, with next, events, column, feature).
        """

    def add_lm(
        self,
        model: miriam._core.lm.Model,
        ids: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        feature: int,
    ) -> None:
        """Ids are the model's, of each target word."""

    def set_dense(self, count: int, own: Sequence[int]) -> None:
        """
        Own are distortion, word penalty, phrase penalty, unknown word; -1: no such feature.
        """

    def set_gaps(self, source: Sequence[int], target: Sequence[int], glue: int) -> None:
        """Rules are hierarchical: the words for gaps, and the feature of glue."""

    def set_domains(self, count: int, in_domain: int, adjacent: int) -> None:
        """
        How many; and the features of rules of a sentence's domain, -1: no such feature.
        """

    def add_orientation(self, block: bool, events: Sequence[int], stride: int) -> None: ...
    def set_signed_distortion(self, family: int, stride: int) -> None: ...
    def add_boundary(self, family: int, stride: int, begin_key: int, end_key: int) -> None: ...
    def add_adjacent(self, feature: int) -> None: ...
    def add_ratio(self, feature: int) -> None: ...
    @property
    def rule_count(self) -> int: ...
    def decode(self, batch: Batch, call: Call, progress: miriam._core.Progress) -> Candidates: ...
    def features(
        self, batch: Batch, call: Call, candidates: Candidates
    ) -> tuple[
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        tuple[
            Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
            Annotated[NDArray[numpy.int32], dict(shape=(None,))],
            Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        ],
        tuple[
            Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
            Annotated[NDArray[numpy.int32], dict(shape=(None,))],
            Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        ],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    ]:
        """
        A dense row each (flat), rows of pieces, rows of their features, ends by sentence.
        """

    def targets(
        self, batch: Batch, candidates: Candidates
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    ]:
        """The target words of all candidates, and where each candidate ends."""

    def unknown_rules(
        self, batch: Batch, longest: int, limit: int
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """The rules for the batch that templates have not been asked about."""

    def unknown_of(
        self,
        rules: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Those of some rules that they have not been asked about."""

    def add_rules(self, answers: RuleAnswers) -> None: ...
    def known_words(
        self,
        words: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """For each word whether some rule translates it alone."""

class Settings:
    """How the decoder searches; see SearchSettings."""

    def __init__(self) -> None: ...
    @property
    def pops(self) -> int: ...
    @pops.setter
    def pops(self, arg: int, /) -> None: ...
    @property
    def stack(self) -> int: ...
    @stack.setter
    def stack(self, arg: int, /) -> None: ...
    @property
    def distortion_limit(self) -> int: ...
    @distortion_limit.setter
    def distortion_limit(self, arg: int, /) -> None: ...
    @property
    def limit_jumps(self) -> bool: ...
    @limit_jumps.setter
    def limit_jumps(self, arg: bool, /) -> None: ...
    @property
    def max_phrase(self) -> int: ...
    @max_phrase.setter
    def max_phrase(self, arg: int, /) -> None: ...
    @property
    def max_span(self) -> int: ...
    @max_span.setter
    def max_span(self, arg: int, /) -> None: ...
    @property
    def considered(self) -> int: ...
    @considered.setter
    def considered(self, arg: int, /) -> None: ...
    @property
    def rule_limit(self) -> int: ...
    @rule_limit.setter
    def rule_limit(self, arg: int, /) -> None: ...
    @property
    def nbest(self) -> int: ...
    @nbest.setter
    def nbest(self, arg: int, /) -> None: ...
    @property
    def distinct(self) -> bool: ...
    @distinct.setter
    def distinct(self, arg: bool, /) -> None: ...
    @property
    def future_distortion(self) -> bool: ...
    @future_distortion.setter
    def future_distortion(self, arg: bool, /) -> None: ...
    @property
    def recombine(self) -> bool: ...
    @recombine.setter
    def recombine(self, arg: bool, /) -> None: ...
    @property
    def ignore_orientation(self) -> bool: ...
    @ignore_orientation.setter
    def ignore_orientation(self, arg: bool, /) -> None: ...
    @property
    def ignore_boundary(self) -> bool: ...
    @ignore_boundary.setter
    def ignore_boundary(self, arg: bool, /) -> None: ...

class Batch:
    """Sentences to translate, and what is known of each."""

    def __init__(
        self,
        words: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def __len__(self) -> int: ...
    def add_rule(
        self,
        sentence: int,
        span: tuple[int, int],
        target: Sequence[int],
        unknown: bool,
        exclusive: bool,
    ) -> None:
        """A rule for this sentence alone."""

    def add_wall(self, sentence: int, wall: Sequence[int]) -> None:
        """(begin, at, end): [begin, at) comes before [at, end)."""

    def add_zone(self, sentence: int, zone: tuple[int, int]) -> None:
        """[begin, end) is translated in one go."""

    def set_domains(self, sentence: int, domains: Sequence[int]) -> None:
        """The domains it is of, counted from 1."""

    def set_totals(self, sentence: int, totals: Sequence[int]) -> None:
        """The denominator of each ratio."""

    def require(self, sentence: int, target: Sequence[int], whole: bool) -> None:
        """The words that the translation must begin with, or be."""

class Call:
    """Weights, settings, and what belongs to one batch."""

    def __init__(
        self,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        weights_version: int,
        settings: Settings,
        extra_lm_ids: Sequence[
            Annotated[
                NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
            ]
        ],
        threads: int,
    ) -> None: ...
    def use_rows(
        self,
        rows: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        columns: Sequence[int],
        clock: float,
    ) -> None:
        """
        Weights in rows: the column of weights, or of weights, what was paid, and the unit.
        """

    def set_user_features(self, features: object) -> None:
        """An object with begin(), extend() and finish(); slow."""

    def add_rules(self, decoder: Decoder, answers: RuleAnswers) -> None:
        """What templates say of the batch's own rules."""

class RuleAnswers:
    """What rule templates say of rules."""

    def __init__(
        self,
        rules: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ids: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        values: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        orientation_keys: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        boundary_keys: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        counts: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        flags: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        strides: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        domains: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...

class Candidates:
    """Derivations, sentence by sentence, best first."""

    def __init__(
        self,
        sentence_ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        phrase_ends: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        rules: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        begins: Annotated[
            NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[
            NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def arrays(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint16], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint16], dict(shape=(None,))],
    ]:
        """
        sentence_ends, phrase_ends, scores, and of each phrase its rule and source span.
        """
