"""BLEU, chrF and TER, through sacreBLEU: its statistics, its scores, its signatures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.errors import ConfigError
from miriam.metrics.metric import Prepared, Stats

__all__ = ["Bleu", "Chrf", "Ter", "Tokenizer", "tokenizer"]

Tokenizer: TypeAlias = Literal[
    "13a", "none", "intl", "char", "zh", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200",
    "spBLEU-1K",
]  # fmt: skip
"""The tokenisers of sacreBLEU; those for Japanese, Korean and subwords need libraries of theirs."""


class SacreMetric(Config, frozen=True, kw_only=True, dict=True):
    """What the three have in common; `dict=True` makes room for the cached sacreBLEU object."""

    def _make(self) -> Any:
        raise NotImplementedError

    @cached_property
    def _sacre(self) -> Any:
        return self._make()

    def prepare(self, references: Sequence[str]) -> Prepared:
        """A function from hypotheses to sacreBLEU's statistics."""
        sacre = self._sacre
        known = sacre._extract_reference_info([sacre._preprocess_segment(r) for r in references])

        def stats(hypothesis: str) -> Stats:
            row = sacre._compute_segment_statistics(sacre._preprocess_segment(hypothesis), known)
            return np.array(row, dtype=np.float64)

        return stats

    def score(self, stats: Stats) -> float:
        """SacreBLEU's score, in percent, and in the precision of the statistics."""
        # SacreBLEU's bootstrap computes in float32; to agree with it we must not widen.
        score: float = self._sacre._compute_score_from_stats(stats).score
        return score

    def signature(self, references: int) -> str:
        """SacreBLEU's signature."""
        settings = {**vars(self._sacre), "num_refs": references}
        return str(self._sacre._SIGNATURE_TYPE(settings))


class Bleu(SacreMetric, frozen=True, kw_only=True, dict=True, tag="bleu", tag_field="kind"):
    """BLEU (Papineni et al., 2002).

    >>> Bleu(lowercase=True).signature(4).rpartition("|")[0]
    'nrefs:4|case:lc|eff:no|tok:13a|smooth:exp'
    """

    tokenize: Tokenizer = "13a"
    lowercase: bool = False

    name: ClassVar[str] = "BLEU"
    higher_is_better: ClassVar[bool] = True

    def _make(self) -> Any:
        from sacrebleu import BLEU

        try:
            return BLEU(tokenize=self.tokenize, lowercase=self.lowercase)
        except (ImportError, RuntimeError) as error:
            why = " ".join(str(error).split())
            raise ConfigError(f"the tokeniser {self.tokenize!r} cannot be used: {why}") from None


class Chrf(SacreMetric, frozen=True, kw_only=True, dict=True, tag="chrf", tag_field="kind"):
    """ChrF (Popović, 2015), and chrF++ with `word_order=2`.

    >>> Chrf(word_order=2).name
    'chrF2++'
    """

    char_order: Annotated[int, Meta(ge=1)] = 6
    word_order: Annotated[int, Meta(ge=0)] = 0
    beta: Annotated[int, Meta(ge=1)] = 2
    lowercase: bool = False

    higher_is_better: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """`chrF2`, or `chrF2++` with words."""
        return f"chrF{self.beta}" + "+" * self.word_order

    def _make(self) -> Any:
        from sacrebleu import CHRF

        return CHRF(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
        )


class Ter(SacreMetric, frozen=True, kw_only=True, dict=True, tag="ter", tag_field="kind"):
    """Translation edit rate (Snover et al., 2006); like sacreBLEU's it ignores case by default.

    >>> Ter().higher_is_better
    False
    """

    lowercase: bool = True
    normalized: bool = False
    no_punct: bool = False

    name: ClassVar[str] = "TER"
    higher_is_better: ClassVar[bool] = False

    def _make(self) -> Any:
        from sacrebleu import TER

        return TER(
            case_sensitive=not self.lowercase, normalized=self.normalized, no_punct=self.no_punct
        )


def tokenizer(name: Tokenizer, *, lowercase: bool = False) -> Callable[[str], str]:
    """One of sacreBLEU's tokenisers, as BLEU applies it.

    >>> tokenizer("13a", lowercase=True)("Hello, world!")
    'hello , world !'
    """
    preprocess: Callable[[str], str] = Bleu(
        tokenize=name, lowercase=lowercase
    )._sacre._preprocess_segment
    return preprocess
