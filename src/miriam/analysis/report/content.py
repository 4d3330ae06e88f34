"""What a report says, whoever gathers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from miriam.analysis.charts import Bars
from miriam.analysis.run import Run
from miriam.metrics import Evaluation
from miriam.search import Explanation

__all__ = ["TUNED", "UNTUNED", "Comparison", "Report", "Sentence"]

TUNED, UNTUNED = "tuned", "untuned"


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """A sentence, its translations by system, and how near each is to the references."""

    number: int  # of the line, from 1
    source: str
    references: tuple[str, ...]
    texts: Mapping[str, str]
    scores: Mapping[str, float]  # sentence-level, in percent; none without references

    @property
    def change(self) -> float:
        """What tuning has brought."""
        return self.scores.get(TUNED, 0.0) - self.scores.get(UNTUNED, 0.0)

    @property
    def changed(self) -> bool:
        """Whether the translations differ."""
        return len(set(self.texts.values())) > 1


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Translations of a text, by the tuned weights and, if they are known, by the untuned ones."""

    sentences: Sequence[Sentence]
    evaluations: Sequence[Evaluation] = ()
    charts: Sequence[Bars] = ()
    explained: Mapping[str, Explanation]  # of one sentence, by system
    number: int  # of that sentence


@dataclass(frozen=True, kw_only=True)
class Report:
    """A run, and what it made of a text."""

    title: str
    run: Run
    comparison: Comparison | None = None
