"""Held-out words: candidates from a model that has not seen them, to learn from its choices."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from miriam.features.spelling import Candidates, PairCounts
from miriam.lm.model import LanguageModel
from miriam.pipeline.spelling.characters import CharacterModel, train_characters
from miriam.pipeline.spelling.settings import SpellingSettings

__all__ = ["Lists", "draw_parts", "load_candidates", "offer", "save_candidates"]


class Lists(NamedTuple):
    """Candidates for held-out words, the pairs that were known, and those that were held out."""

    candidates: Candidates
    known: PairCounts
    held: Mapping[tuple[str, str], int]

    @property
    def right(self) -> npt.NDArray[np.float64]:
        """How often each candidate was right, as a share of how often any was: 0 to 1.

        So a word counts once, however often it comes: rare words need more to be learnt.
        """
        owners = np.repeat(
            np.arange(len(self.candidates.words)), np.diff(self.candidates.ends, prepend=0)
        )
        words = self.candidates.words
        pairs = zip(owners.tolist(), self.candidates.forms, strict=True)
        times = np.array([self.held.get((words[w], form), 0) for w, form in pairs], np.float64)
        totals = np.bincount(owners, times, len(words))
        return times / np.maximum(totals, 1.0)[owners]


def draw_parts(pairs: PairCounts, parts: int, seed: int) -> list[Counter[tuple[str, str]]]:
    """The running words in parts of equal size, drawn at random.

    >>> drawn = draw_parts(PairCounts([("vnd", "und")] * 5 + [("jn", "in")]), 2, seed=1)
    >>> [part.total() for part in drawn]
    [3, 3]
    """
    counts = sorted(pairs.counts.items())
    tokens = np.repeat(np.arange(len(counts)), [count for _, count in counts])
    order = np.random.default_rng(seed).permutation(tokens)
    return [Counter(counts[i][0] for i in order[part::parts].tolist()) for part in range(parts)]


def offer(
    pairs: PairCounts, held: Counter[tuple[str, str]], modern: LanguageModel | None,
    settings: SpellingSettings, *, threads: int = 1,
) -> Candidates:  # fmt: skip
    """Candidates for the words held out, from a model of the other pairs."""
    words = sorted({word for word, _ in held})
    most = -(-settings.held_out // settings.folds)
    if len(words) > most:
        words = sorted(np.random.default_rng(settings.seed).choice(words, most, False).tolist())
    with tempfile.TemporaryDirectory(prefix="miriam-") as name:
        folder = Path(name)
        train_characters(pairs.without(held).counts, folder, settings, threads=threads)
        model = CharacterModel.trained(folder, modern, settings)
        return model.candidates(words, settings.candidates, threads=threads)


def save_candidates(path: Path, found: Candidates) -> None:
    """Write candidates, as arrays."""
    np.savez(
        path, words=np.array(found.words), ends=found.ends, forms=np.array(found.forms),
        dense=found.dense,
    )  # fmt: skip


def load_candidates(path: Path) -> Candidates:
    """The candidates that `save_candidates` wrote."""
    with np.load(path) as arrays:
        return Candidates(
            arrays["words"].tolist(), arrays["ends"], arrays["forms"].tolist(), arrays["dense"]
        )
