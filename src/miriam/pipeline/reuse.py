"""Which of a model's weights a text has use for: the paper's "reused" features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from miriam.pipeline.translator import Translator, sentence_of

__all__ = ["reused_features"]

CANDIDATES = 50_000  # in memory at a time


def reused_features(
    translator: Translator,
    text: Sequence[str],
    *,
    nbest: int = 1000,
    threads: int = 1,
    tokens: bool = False,
) -> frozenset[str]:
    """The features with a weight that occur in the n-best lists of a text (Liu et al., 2013)."""
    raw = translator.preparation is not None and not tokens
    sentences = [sentence_of(translator.prepare(line, raw=raw)) for line in text]
    decoder, weights = translator.decoder, translator.weights
    found = np.zeros(len(weights), dtype=bool)
    found[: len(decoder.features.dense)] = True
    size = max(CANDIDATES // nbest, 1)
    for begin in range(0, len(sentences), size):
        part = sentences[begin : begin + size]
        lists = decoder.decode(part, weights, nbest=nbest, threads=threads).nbest
        ids = lists.pieces.ids
        found[ids[ids < len(weights)]] = True  # later ones have no weight
    return frozenset(decoder.features.name(int(i)) for i in np.flatnonzero(found & (weights != 0)))
