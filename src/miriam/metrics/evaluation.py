"""Several systems by several metrics: scores, signatures, and tests against the first system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from miriam.metrics.metric import Metric, corpus_stats, segments_of
from miriam.metrics.significance import Significance, Verdict, paired_tests
from miriam.progress import Report, silent

__all__ = ["Evaluation", "evaluate"]


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What a metric says of each system, by its name."""

    metric: str
    signature: str
    higher_is_better: bool
    systems: dict[str, Verdict]


def evaluate(
    metrics: Sequence[Metric],
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    tests: Significance | None = None,
    report: Report = silent,
) -> list[Evaluation]:
    """An evaluation by each metric; with `tests`, the first system is the baseline.

    >>> from miriam.metrics import Wer
    >>> systems = {"ours": ["a dog", "it runs"], "theirs": ["dogs", "it runs"]}
    >>> (wer,) = evaluate([Wer()], systems, [["a dog", "it runs"]])
    >>> wer.systems["theirs"].score
    50.0
    """
    segments = segments_of(list(systems.values()), references)
    evaluations = []
    for metric, stats in zip(metrics, corpus_stats(metrics, segments, report=report), strict=True):
        if tests:
            report(f"testing {metric.name}", 0, 0)
            verdicts = paired_tests(metric, stats, tests)
        else:
            verdicts = [Verdict(score=float(metric.score(s.sum(axis=0)))) for s in stats]
        evaluations.append(
            Evaluation(
                metric=metric.name,
                signature=metric.signature(len(references)),
                higher_is_better=metric.higher_is_better,
                systems=dict(zip(systems, verdicts, strict=True)),
            )
        )
    return evaluations
