"""Is a system better than the baseline, or lucky? Paired tests, through sacreBLEU.

Both tests draw new corpora from the statistics of the sentences, which are computed once.
Approximate randomisation (Riezler and Maxwell, 2005) swaps the two systems' sentences at random;
the paired bootstrap (Koehn, 2004) draws sentences with replacement.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from miriam.config import Config
from miriam.metrics.metric import Metric, Stats

__all__ = ["Significance", "Verdict", "paired_tests"]


class Significance(Config, frozen=True, kw_only=True):
    """How often corpora are drawn; the defaults are sacreBLEU's."""

    trials: Annotated[int, Meta(ge=1)] = 10_000  # of approximate randomisation
    resamples: Annotated[int, Meta(ge=1)] = 1_000  # of the bootstrap
    seed: Annotated[int, Meta(ge=1)] = 12345  # sacreBLEU takes 0 for "no seed"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The score of a system, and what the tests say of it."""

    score: float
    mean: float | None = None  # of the bootstrap's scores, and half their 95 % interval
    interval: float | None = None
    p_randomisation: float | None = None  # not for the baseline
    p_bootstrap: float | None = None


def paired_tests(
    metric: Metric, systems: Sequence[Stats], settings: Significance | None = None
) -> list[Verdict]:
    """A verdict on each system, given as statistics `[sentences, k]`; the first is the baseline.

    >>> import numpy as np
    >>> from miriam.metrics import Wer
    >>> worse, better = np.array([[2.0, 5.0]] * 100), np.array([[1.0, 5.0]] * 100)
    >>> baseline, other = paired_tests(Wer(), [worse, better], Significance(trials=999))
    >>> other.score, other.p_randomisation
    (20.0, 0.001)
    """
    settings = settings or Significance()
    randomised = _paired_test("ar", metric, systems, settings.trials, settings.seed)
    resampled = _paired_test("bs", metric, systems, settings.resamples, settings.seed)
    return [
        Verdict(
            score=float(bs.score),
            mean=float(bs.mean),
            interval=float(bs.ci),
            p_randomisation=ar.p_value,
            p_bootstrap=bs.p_value,
        )
        for ar, bs in zip(randomised, resampled, strict=True)
    ]


def _paired_test(
    kind: str, metric: Metric, systems: Sequence[Stats], samples: int, seed: int
) -> list[Any]:
    """SacreBLEU's result for each system by one of its two tests."""
    from sacrebleu.significance import PairedTest

    named = [(str(i), stats) for i, stats in enumerate(systems)]
    with _sacrebleu_seed(seed):
        test = PairedTest(
            named,  # type: ignore[arg-type]  # see _Summed
            {metric.name: _Summed(metric)},  # type: ignore[dict-item]
            references=None,
            test_type=kind,
            n_samples=samples,
        )
        _, results = test()
    return results[metric.name]


@contextmanager
def _sacrebleu_seed(seed: int) -> Iterator[None]:
    """Sets the seed in the one place from which sacreBLEU takes it: the environment."""
    name = "SACREBLEU_SEED"
    before = os.environ.get(name)
    os.environ[name] = str(seed)
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


class _Summed:
    """A metric as `PairedTest` wants it, whose "hypotheses" are statistics already."""

    def __init__(self, metric: Metric) -> None:
        self._metric, self._name = metric, metric.name

    def _extract_corpus_statistics(self, hypotheses: Stats, _: None) -> Stats:
        return hypotheses

    def _aggregate_and_compute(self, stats: Stats) -> Any:
        return self._compute_score_from_stats(stats.sum(axis=0))

    def _compute_score_from_stats(self, stats: Stats) -> Any:
        from sacrebleu.metrics.base import Score

        return Score(self._name, self._metric.score(stats))

    def get_signature(self) -> Any:
        from sacrebleu.metrics.base import Signature

        return Signature({"num_refs": 1})  # PairedTest adds to it; ours is Metric.signature
