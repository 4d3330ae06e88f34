"""The candidates of a batch, from which derivations and n-best lists are made when asked for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from miriam._core.search import Call, Candidates
from miriam.features.rows import WeightRows
from miriam.features.rules import Rule
from miriam.features.table import Features
from miriam.lexicon.vocabulary import NO_WORD, Sentences
from miriam.rules.gaps import GAPS
from miriam.search.batch import Prepared
from miriam.search.derivation import Derivation
from miriam.search.nbest import NBest, Rows
from miriam.search.tree import PhraseUse

if TYPE_CHECKING:
    from miriam.search.decoder import Decoder

__all__ = ["Decoded"]

Weights = npt.NDArray[np.float64] | WeightRows


@dataclass(frozen=True)
class Decoded:
    """The candidates of a batch; texts, derivations and features are made when they are asked."""

    decoder: Decoder
    prepared: Prepared
    weights: Weights
    call: Call
    candidates: Candidates
    arrays: tuple[np.ndarray, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "arrays", self.candidates.arrays())

    def __len__(self) -> int:
        return len(self.prepared.sentences)

    def __iter__(self) -> Iterator[list[Derivation]]:
        return (self[sentence] for sentence in range(len(self)))

    def __getitem__(self, sentence: int) -> list[Derivation]:
        """The derivations of a sentence, best first."""
        ends = self.arrays[0]
        begin = int(ends[sentence - 1]) if sentence else 0
        return [self._derivation(sentence, c) for c in range(begin, int(ends[sentence]))]

    @property
    def scores(self) -> npt.NDArray[np.float64]:
        """The model score of each candidate, in the order of the n-best list."""
        return self.nbest.scores(self._vector)

    @property
    def _vector(self) -> npt.NDArray[np.float64]:
        if isinstance(self.weights, np.ndarray):
            return self.weights
        return self.weights.read(np.arange(len(self.decoder.features), dtype=np.int32))

    def words(self, others: Mapping[str, int]) -> Sentences:
        """The words of each candidate, as the tables number them.

        `others` has the numbers of words that the tables do not have; without one a word is
        `NO_WORD`.
        """
        ids, ends = self.decoder.native.targets(self.prepared.native, self.candidates)
        size = len(self.prepared.tables.target_words)
        new = np.flatnonzero(ids >= size)
        if len(new):
            numbers = [others.get(word, NO_WORD) for word in self.prepared.new_words]
            ids[new] = np.array(numbers, np.uint32)[ids[new] - size]
        return Sentences(ids, ends)

    def texts(self) -> list[str]:
        """The words of each candidate, with blanks between them."""
        table = self.prepared.tables.target_words
        size, new_words = len(table), list(self.prepared.new_words)
        sentences = self.words({word: size + i for i, word in enumerate(new_words)})
        distinct, places = np.unique(sentences.ids, return_inverse=True)
        spelt = [table.word(i) if i < size else new_words[i - size] for i in distinct.tolist()]
        flat = [spelt[place] for place in places.tolist()]
        bounds = [0, *sentences.ends.tolist()]
        return [" ".join(flat[b:e]) for b, e in itertools.pairwise(bounds)]

    def _derivation(self, sentence: int, candidate: int) -> Derivation:
        _, phrase_ends, scores, rules, begins, ends = self.arrays
        first = int(phrase_ends[candidate - 1]) if candidate else 0
        source = self.prepared.sentences[sentence].tokens
        phrases = []
        for p in range(first, int(phrase_ends[candidate])):
            begin, end = int(begins[p]), int(ends[p])
            rule = self.prepared.rule(int(rules[p]))
            gaps = self._gaps(int(rules[p]), rule)
            words = rule.source if gaps else source[begin:end]
            phrases.append(
                PhraseUse(int(rules[p]), begin, end, words, rule.target, rule.links, gaps)
            )
        return Derivation(
            source, tuple(phrases), float(scores[candidate]), partial(self._features, candidate)
        )

    def _gaps(self, number: int, rule: Rule) -> tuple[tuple[int, int], ...]:
        """The places of a rule's gaps on both sides, in source order."""
        if not self.decoder.hierarchical or number >= self.prepared.first_extra:
            return ()
        return tuple(
            (rule.source.index(gap), rule.target.index(gap)) for gap in GAPS if gap in rule.source
        )

    def _features(
        self, candidate: int
    ) -> tuple[Features, npt.NDArray[np.float64], npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        ids, values = self.nbest.features(candidate)
        return self.decoder.features, self._vector, ids, values

    @cached_property
    def nbest(self) -> NBest:
        """The candidates with their features, factored, for learners."""
        native = self.decoder.native
        flat, uses, pieces, piece_ends = native.features(
            self.prepared.native, self.call, self.candidates
        )
        sentence_ends, phrase_ends = self.arrays[:2]
        dense = flat.reshape(len(phrase_ends), len(self.decoder.features.dense))
        self._add_user_values(dense)
        return NBest(sentence_ends, dense, Rows(*uses), Rows(*pieces), piece_ends)

    def _add_user_values(self, dense: npt.NDArray[np.float64]) -> None:
        if not self.decoder.feature_set.non_local:
            return
        user = self.decoder.user_features(self.prepared, self.weights)
        names = [n for f in self.decoder.feature_set.non_local for n in f.names]
        columns = [self.decoder.features.id(name) for name in names]
        sentence_ends, phrase_ends, _, rules, begins, ends = self.arrays
        for candidate in range(len(phrase_ends)):
            sentence = int(np.searchsorted(sentence_ends, candidate, side="right"))
            first = int(phrase_ends[candidate - 1]) if candidate else 0
            span = slice(first, int(phrase_ends[candidate]))
            phrases = zip(
                rules[span].tolist(), begins[span].tolist(), ends[span].tolist(), strict=True
            )
            dense[candidate, columns] += user.values(sentence, list(phrases))
