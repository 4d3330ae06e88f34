"""Training an aligner: expectation and maximisation, both directions side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from miriam._core.align import Training
from miriam.align.aligner import ARRAYS, Aligner, Bitext
from miriam.align.models import AlignSettings, Positions, reestimate, stages
from miriam.errors import InputError
from miriam.lexicon.vocabulary import Vocabulary, encode
from miriam.progress import Report, run_native, silent

__all__ = ["train", "train_encoded"]


def train(
    rows: Iterable[Sequence[str]],
    settings: AlignSettings | None = None,
    *,
    threads: int = 1,
    report: Report = silent,
) -> Aligner:
    """An aligner for pairs of lines of tokens, learnt from them.

    >>> rows = [("das haus", "the house"), ("das buch", "the book"), ("ein buch", "a book")]
    >>> train(rows).align(rows)[0].tolist()
    [[0, 0], [1, 1]]
    """
    settings = settings or AlignSettings()
    words = (Vocabulary(), Vocabulary())
    source, target = encode(rows, words)
    bitext = Bitext.of(source, target, max_length=settings.max_length)
    return train_encoded(bitext, words, settings, threads=threads, report=report)


def train_encoded(
    bitext: Bitext,
    words: tuple[Vocabulary, Vocabulary],
    settings: AlignSettings,
    *,
    threads: int = 1,
    report: Report = silent,
) -> Aligner:
    """The same for a bitext of word ids and its vocabularies, of both sides.

    >>> words = (Vocabulary(), Vocabulary())
    >>> source, target = encode([("das haus", "the house"), ("das buch", "the book")], words)
    >>> bitext = Bitext.of(source, target, max_length=100)
    >>> train_encoded(bitext, words, AlignSettings()).align([("haus", "house")])[0].tolist()
    [[0, 0]]
    """
    if bitext.usable == 0:
        raise InputError("no sentence pair to learn from has words on both sides")
    sizes = (len(words[0]), len(words[1]))
    training = run_native(
        lambda progress: Training(bitext.native(), sizes, threads, progress),
        step="word pairs",
        report=report,
    )
    forward: Positions
    reverse: Positions
    for stage in stages(settings.model):
        forward = reverse = stage.positions
        for iteration in range(1, stage.iterations + 1):
            task = partial(training.expect, forward, reverse, stage.agreement, threads)
            step = f"{stage.name}, iteration {iteration} of {stage.iterations}"
            statistics = run_native(task, step=step, report=report)
            training.maximise(stage.alpha, threads)
            forward, reverse = map(reestimate, (forward, reverse), map(np.array, statistics))
    arrays = (*words[0].arrays(), *words[1].arrays(), *training.table())
    return Aligner(settings, forward, reverse, dict(zip(ARRAYS, arrays, strict=True)))
