"""Features of whole words: how likely one spelling is to be the modern form of another."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from miriam._core.features import EditFeatures

__all__ = ["WORD_FEATURES", "Candidates", "EditFeatures", "PairCounts", "SpellingFeatures"]

Float = npt.NDArray[np.float64]

WORD_FEATURES = (
    "Listed",  # in the modern word list
    "Seen",  # a modern form of the training pairs
    "SeenLog",  # how often, as log(1 + count)
    "New",  # neither listed nor seen
    "Same",  # unchanged
    "SameListed",
    "Edits",  # Levenshtein's distance
    "EditShare",  # the same by the length of the word
    "PairLog",  # log((count of the pair + 0.1) / (count of the word + 0.2)); for known words only
    "PairKnown",
    "PairBest",  # the form that the word has had most often
)
TIMES_SEEN = (0, 1, 2, 5)
"""Each feature has a weight of its own for words that were seen at least so often."""


class PairCounts:
    """How often each word has had which modern form.

    >>> pairs = PairCounts([("vnd", "und"), ("vnd", "und"), ("jn", "in")])
    >>> pairs.forms("vnd"), pairs.best("vnd"), pairs.target_counts["in"]
    ({'und': 2}, 'und', 1)
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] | Mapping[tuple[str, str], int]) -> None:
        self.counts: Counter[tuple[str, str]] = Counter(pairs)
        self._forms: dict[str, dict[str, int]] = {}
        self.target_counts: Counter[str] = Counter()
        for (word, form), count in sorted(self.counts.items()):
            self._forms.setdefault(word, {})[form] = count
            self.target_counts[form] += count

    def __contains__(self, word: str) -> bool:
        return word in self._forms

    def forms(self, word: str) -> dict[str, int]:
        """The modern forms of a word, with counts."""
        return self._forms.get(word, {})

    def best(self, word: str) -> str | None:
        """The most frequent form; of equal ones, the first by its letters."""
        forms = self._forms.get(word)
        return max(forms, key=lambda form: forms[form]) if forms else None

    def without(self, held: Mapping[tuple[str, str], int]) -> PairCounts:
        """The same less some pairs that were counted."""
        rest = Counter(self.counts)
        rest.subtract(held)
        return PairCounts(+rest)

    @cached_property
    def words(self) -> list[str]:
        """The words, in order."""
        return sorted(self._forms)


@dataclass(frozen=True)
class Candidates:
    """Candidates of several words, word by word, with the decoder's dense features of each."""

    words: Sequence[str]
    ends: npt.NDArray[np.int64]  # where the candidates of each word end
    forms: Sequence[str]
    dense: Float  # candidates x features

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """Where the candidates of each word begin."""
        return np.concatenate([[0], self.ends])[:-1].astype(np.int64)


def _points(words: Sequence[str]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
    """The code points of words, and where each word ends."""
    text = "".join(words).encode("utf-32-le", "surrogatepass")
    lengths = np.fromiter(map(len, words), np.uint64, len(words))
    return np.frombuffer(text, np.uint32), np.cumsum(lengths, dtype=np.uint64)


class SpellingFeatures:
    """Makes the features of candidates: the decoder's, those of words, and those of edits.

    >>> pairs = PairCounts([("vnd", "und"), ("jn", "in")])
    >>> features = SpellingFeatures(["LM"], frozenset(["und", "ihn"]), EditFeatures())
    >>> candidates = Candidates(["vns"], np.array([2]), ["uns", "vns"], np.array([[-1.0], [-2.0]]))
    >>> rows = features.rows(candidates, pairs, grow=True)
    >>> rows.shape, features.names[0], features.names[-1]
    ((2, 52), 'LM', 'Edit:^|v>u|n')
    """

    def __init__(self, dense: Sequence[str], modern: frozenset[str], edits: EditFeatures) -> None:
        self.base = [*dense, *WORD_FEATURES]
        self.modern, self.edits = modern, edits

    @property
    def names(self) -> list[str]:
        """The names of all features, by column; edits are last."""
        copies = [name if not n else f"{name}@{n}" for n in TIMES_SEEN for name in self.base]
        points, ends = self.edits.names()
        text = points.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        bounds = [0, *ends.tolist()]
        return copies + [f"Edit:{text[b:e]}" for b, e in itertools.pairwise(bounds)]

    def rows(
        self, candidates: Candidates, pairs: PairCounts, *, grow: bool = False
    ) -> sparse.csr_array:
        """The features of each candidate; those of edits that are new are taken up to `grow`."""
        words, ends = _points(candidates.words)
        forms, form_ends = _points(candidates.forms)
        distances, edit_ends, ids = self.edits.rows(
            words, ends, candidates.ends.astype(np.uint64), forms, form_ends, grow
        )
        base = np.hstack([candidates.dense, self._of_words(candidates, pairs, distances)])
        times = [sum(pairs.forms(word).values()) for word in candidates.words]
        seen = np.repeat(times, np.diff(candidates.ends, prepend=0))
        copies = [base * (seen >= n)[:, None] for n in TIMES_SEEN]
        starts = np.concatenate([[0], edit_ends]).astype(np.int64)
        shape = (len(base), len(self.edits))
        edits = sparse.csr_array((np.ones(len(ids)), ids, starts), shape=shape)
        return sparse.csr_array(sparse.hstack([sparse.csr_array(np.hstack(copies)), edits]))

    def _of_words(self, candidates: Candidates, pairs: PairCounts, distances: Float) -> Float:
        """The features that need the word as a whole: rows of `WORD_FEATURES`."""
        rows = []
        for word, begin, end in zip(
            candidates.words, candidates.starts.tolist(), candidates.ends.tolist(), strict=True
        ):
            known, best = pairs.forms(word), pairs.best(word)
            total = sum(known.values())
            for form in candidates.forms[begin:end]:
                listed, seen = form in self.modern, pairs.target_counts.get(form, 0)
                same, count = form == word, known.get(form, 0)
                rows.append((
                    listed, seen > 0, math.log1p(seen), not (listed or seen), same,
                    same and listed, 0.0, 0.0,
                    math.log((count + 0.1) / (total + 0.2)) if known else 0.0,
                    count > 0, form == best,
                ))  # fmt: skip
        found = np.array(rows, dtype=np.float64).reshape(-1, len(WORD_FEATURES))
        lengths = np.repeat(
            [max(len(word), 1) for word in candidates.words], np.diff(candidates.ends, prepend=0)
        )
        found[:, WORD_FEATURES.index("Edits")] = distances
        found[:, WORD_FEATURES.index("EditShare")] = distances / lengths
        return found
