"""What a metric is: additive statistics of each sentence, and a pure score of their sum.

Corpus scores, significance tests and the gold scores of a tuner all rest on the statistics, so each
is written once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np

from miriam.errors import ConfigError, InputError
from miriam.progress import Report, silent

__all__ = ["Metric", "Prepared", "Segment", "Stats", "corpus_score", "corpus_stats", "segments_of"]

Stats: TypeAlias = np.ndarray
"""float64: the statistics of a sentence `[k]`, or of several `[n, k]`."""

Segment: TypeAlias = tuple[Sequence[str], Sequence[str]]
"""What several systems made of one sentence, and its references."""


class Prepared(Protocol):
    """The references of one sentence, ready to be compared with hypotheses."""

    def __call__(self, hypothesis: str) -> Stats:
        """The statistics `[k]` of a hypothesis."""


class Metric(Protocol):
    """A metric of corpora: settings, and what follows from them."""

    @property
    def name(self) -> str:
        """How the score is called in a table."""

    @property
    def higher_is_better(self) -> bool:
        """False of error rates."""

    def prepare(self, references: Sequence[str]) -> Prepared:
        """A function from hypotheses to statistics; the work on the references is done here."""

    def score(self, stats: Stats) -> float:
        """The score, in percent, of statistics that may be the sum of many sentences'."""

    def signature(self, references: int) -> str:
        """What another needs to know to get the same score, as `key:value|…`."""


def segments_of(
    systems: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
) -> list[Segment]:
    """Corpora sentence by sentence; refused if they are not all of the same length.

    >>> segments_of([["a", "b"]], [["x", "y"], ["z", "z"]])
    [(('a',), ('x', 'z')), (('b',), ('y', 'z'))]
    """
    if not systems or not references:
        raise ConfigError("a score needs at least one system and one reference")
    counts = [[len(corpus) for corpus in side] for side in (systems, references)]
    if len({*counts[0], *counts[1]}) > 1:
        raise InputError(
            f"the systems have {', '.join(map(str, counts[0]))} sentences, "
            f"the references {', '.join(map(str, counts[1]))}"
        )
    return list(zip(zip(*systems, strict=True), zip(*references, strict=True), strict=True))


def corpus_stats(
    metrics: Sequence[Metric], segments: Sequence[Segment], *, report: Report = silent
) -> list[list[Stats]]:
    """The statistics `[sentences, k]` by metric and system.

    References are prepared once for all systems, a hypothesis that several systems share is
    compared once, and nothing but statistics is kept.

    >>> from miriam.metrics import Wer
    >>> corpus_stats([Wer()], [(["a b", "a c"], ["a b"]), (["", "b"], ["b"])])[0][1]
    array([[1., 2.],
           [0., 1.]])
    """
    if not segments:
        raise ConfigError("there is no sentence to score")
    rows: list[list[list[Stats]]] = [[[] for _ in segments[0][0]] for _ in metrics]
    for done, (hypotheses, references) in enumerate(segments):
        report("scoring", done, len(segments))
        for metric, by_system in zip(metrics, rows, strict=True):
            prepared = metric.prepare(references)
            stats = {hypothesis: prepared(hypothesis) for hypothesis in set(hypotheses)}
            for kept, hypothesis in zip(by_system, hypotheses, strict=True):
                kept.append(stats[hypothesis])
    report("scoring", len(segments), len(segments))
    return [[np.array(kept) for kept in by_system] for by_system in rows]


def corpus_score(
    metric: Metric, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> float:
    """The score of a corpus; `references` holds whole reference translations, one or more.

    >>> from miriam.metrics import Bleu
    >>> corpus_score(Bleu(), ["the cat sat on it"], [["the cat sat on it"], ["a cat sat there"]])
    100.00000000000004
    """
    stats = corpus_stats([metric], segments_of([hypotheses], references))[0][0]
    return float(metric.score(stats.sum(axis=0)))
