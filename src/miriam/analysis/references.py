"""How much a sentence's score depends on the reference (Green et al., 2014, Figure 1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from miriam.analysis.charts import Points
from miriam.errors import ConfigError
from miriam.lexicon.vocabulary import Vocabulary
from miriam.metrics import BleuPlusOne, words
from miriam.metrics.metric import segments_of

__all__ = ["METRICS", "ReferenceScores", "reference_charts", "reference_scores"]

# Lin and Och's, and the smoothing of Nakov et al. that Gimpel and Smith found most effective.
METRICS: Mapping[str, BleuPlusOne] = {
    "BLEU+1": BleuPlusOne(),
    "Nakov's BLEU+1": BleuPlusOne(smooth_unigrams=True, smooth_length=True),
}


@dataclass(frozen=True)
class ReferenceScores:
    """Of each sentence, in percent: the lowest and highest score by one reference, that by all."""

    lowest: np.ndarray
    highest: np.ndarray
    together: np.ndarray

    @property
    def spread(self) -> tuple[float, float]:
        """Mean and standard deviation of highest minus lowest."""
        return _moments(self.highest - self.lowest)

    @property
    def gain(self) -> tuple[float, float]:
        """Mean and standard deviation of what all references together give above the best one."""
        return _moments(self.together - self.highest)


def reference_scores(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], metric: BleuPlusOne
) -> ReferenceScores:
    """The scores of token lines by each reference alone, and by all.

    >>> scores = reference_scores(["a dog runs"], [["a dog runs"], ["the hound is running"]],
    ...                           BleuPlusOne())
    >>> scores.lowest.round(1).tolist(), scores.highest.tolist(), scores.together.tolist()
    ([0.0], [100.0], [100.0])
    """
    if len(references) < 2:
        raise ConfigError("one reference has no other to differ from; give two or more")
    rows = []
    for (hypothesis,), known in segments_of([hypotheses], references):
        ids = Vocabulary()
        candidate = words([hypothesis], ids)
        of_sentence = []
        for some in (*([line] for line in known), known):
            prepared = metric.prepare(words(some, ids))
            of_sentence.append(float(prepared.gold(prepared.stats(candidate))[0]))
        rows.append(of_sentence)
    scores = 100 * np.array(rows)
    single = scores[:, :-1]
    return ReferenceScores(single.min(axis=1), single.max(axis=1), scores[:, -1])


def reference_charts(name: str, scores: ReferenceScores) -> list[Points]:
    """Figure 1, both panels: the highest against the lowest score, all references against it.

    >>> scores = ReferenceScores(*(np.array([value]) for value in (20.0, 30.0, 40.0)))
    >>> [chart.title for chart in reference_charts("BLEU+1", scores)]
    ['By the worst and by the best reference', 'By the best and by all references']
    """
    file = name.lower().replace("'s bleu+1", "").replace("+", "-plus-")
    panel = _panel(f"references-{file}")
    return [
        panel("a", "By the worst and by the best reference", ("lowest", scores.lowest),
              ("highest", scores.highest), scores.spread, name),
        panel("b", "By the best and by all references", ("highest", scores.highest),
              ("all references", scores.together), scores.gain, name),
    ]  # fmt: skip


Axis = tuple[str, np.ndarray]


def _panel(file: str) -> Callable[..., Points]:
    def panel(
        letter: str, title: str, x: Axis, y: Axis, moments: tuple[float, float], metric: str
    ) -> Points:
        return Points(
            name=f"{file}-{letter}", title=title, x=f"{metric}, {x[0]} (%)",
            y=f"{metric}, {y[0]} (%)", xs=x[1].tolist(), ys=y[1].tolist(),
            note=f"M = {moments[0]:.1f}   SD = {moments[1]:.1f}",
        )  # fmt: skip

    return panel


def _moments(values: np.ndarray) -> tuple[float, float]:
    deviation = values.std(ddof=1) if len(values) > 1 else 0.0
    return float(values.mean()), float(deviation)
