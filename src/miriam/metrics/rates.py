"""Word and character error rate, and word accuracy, against the closest of several references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from miriam._core import metrics as core
from miriam.config import Config
from miriam.lexicon.vocabulary import Sentences, Vocabulary
from miriam.metrics.encode import characters, words
from miriam.metrics.metric import Prepared, Stats
from miriam.metrics.sacre import Tokenizer, tokenizer
from miriam.version import __version__

__all__ = ["Accuracy", "Cer", "Wer", "error_rate"]


def error_rate(stats: Stats) -> float:
    """Edits in percent of the reference's length, from `[edits, length]`.

    As in TER, anything at all against an empty reference is 100 % wrong.

    >>> error_rate(np.array([1.0, 4.0])), error_rate(np.array([2.0, 0.0]))
    (25.0, 100.0)
    """
    edits, length = stats.tolist()
    if length == 0:
        return 100.0 if edits else 0.0
    return float(100 * edits / length)


def _signature(references: int, *, lowercase: bool, unit: str) -> str:
    case = "lc" if lowercase else "mixed"
    return f"nrefs:{references}|case:{case}|{unit}|version:miriam-{__version__}"


def _edits(references: Sequence[str], encode: Callable[[Sequence[str]], Sentences]) -> Prepared:
    """Statistics `[edits, reference length]` by edit distance between encoded texts."""
    encoded = encode(references)
    known = core.EditReferences(encoded.ids, encoded.ends)

    def stats(hypothesis: str) -> Stats:
        encoded = encode([hypothesis])
        row: Stats = known.stats(encoded.ids, encoded.ends)[0]
        return row

    return stats


class Wer(Config, frozen=True, kw_only=True, dict=True, tag="wer", tag_field="kind"):
    """Word error rate: insertions, deletions and substitutions per word of the reference.

    Of several references, the one with the lowest rate counts.

    >>> metric = Wer()
    >>> metric.score(metric.prepare(["a b c d", "a x"])("a b d"))
    25.0
    """

    tokenize: Tokenizer = "none"
    lowercase: bool = False

    name: ClassVar[str] = "WER"
    higher_is_better: ClassVar[bool] = False

    @cached_property
    def _tokenizer(self) -> Callable[[str], str]:
        return tokenizer(self.tokenize, lowercase=self.lowercase)

    def prepare(self, references: Sequence[str]) -> Prepared:
        """A function from hypotheses to `[edits, words of the reference]`."""
        ids = Vocabulary()
        return _edits(references, lambda texts: words(map(self._tokenizer, texts), ids))

    def score(self, stats: Stats) -> float:
        """Errors in percent."""
        return error_rate(stats)

    def signature(self, references: int) -> str:
        """References, case, tokeniser and version."""
        return _signature(references, lowercase=self.lowercase, unit=f"tok:{self.tokenize}")


class Cer(Config, frozen=True, kw_only=True, tag="cer", tag_field="kind"):
    """Character error rate; characters are code points, and a run of white space is one blank.

    >>> metric = Cer()
    >>> metric.score(metric.prepare(["abcd"])("abd"))
    25.0
    """

    lowercase: bool = False

    name: ClassVar[str] = "CER"
    higher_is_better: ClassVar[bool] = False

    def prepare(self, references: Sequence[str]) -> Prepared:
        """A function from hypotheses to `[edits, characters of the reference]`."""
        return _edits(references, lambda texts: characters([self._plain(text) for text in texts]))

    def _plain(self, text: str) -> str:
        return " ".join((text.lower() if self.lowercase else text).split())

    def score(self, stats: Stats) -> float:
        """Errors in percent."""
        return error_rate(stats)

    def signature(self, references: int) -> str:
        """References, case and version."""
        return _signature(references, lowercase=self.lowercase, unit="unit:character")


class Accuracy(Config, frozen=True, kw_only=True, tag="accuracy", tag_field="kind"):
    """The share of lines that equal one of their references: word accuracy, of one word a line.

    >>> metric = Accuracy()
    >>> metric.score(metric.prepare(["hund"])("hund") + metric.prepare(["är"])("ar"))
    50.0
    """

    lowercase: bool = False

    name: ClassVar[str] = "accuracy"
    higher_is_better: ClassVar[bool] = True

    def prepare(self, references: Sequence[str]) -> Prepared:
        """A function from hypotheses to `[1 if right, 1]`."""
        right = {self._words(reference) for reference in references}
        return lambda hypothesis: np.array([float(self._words(hypothesis) in right), 1.0])

    def _words(self, text: str) -> tuple[str, ...]:
        return tuple((text.lower() if self.lowercase else text).split())

    def score(self, stats: Stats) -> float:
        """Right lines in percent."""
        right, lines = stats.tolist()
        return float(100 * right / lines) if lines else 0.0

    def signature(self, references: int) -> str:
        """References, case and version."""
        return _signature(references, lowercase=self.lowercase, unit="unit:line")
