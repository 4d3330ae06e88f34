"""Learns word classes from text: exchange clustering of the one-sided class model.

The model is p(w | h) = p(c(w) | h) p(w | c(w)), where h is the word before, itself and not its
class (Whittaker and Woodland 2001; Uszkoreit and Brants 2008).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from miriam._core.lexicon import Exchange
from miriam.config import Config
from miriam.errors import InputError
from miriam.lexicon.classes import UNKNOWN_WORD, WordClasses, zero_digits
from miriam.lexicon.vocabulary import Sentences, Vocabulary, encode
from miriam.progress import Report, run_native, silent
from miriam.text.files import read_lines

__all__ = ["ClusterSettings", "Clustering", "Pass", "Text", "cluster", "exchange"]


class ClusterSettings(Config, frozen=True, kw_only=True):
    """How word classes are learnt."""

    classes: Annotated[int, Meta(ge=1)] = 512
    clip: Annotated[int, Meta(ge=0)] = 5
    """Words seen less often are predicted as one word, `<unk>`; 0: each word for itself."""
    zero_digits: bool = True
    """All digits count as 0."""
    passes: Annotated[int, Meta(ge=0)] = 30
    """At most so many; a pass that moves no word is the last."""
    batch: Annotated[int, Meta(ge=1)] = 512
    """Words whose best classes are found side by side, before they move; 1: one after another."""
    seed: Annotated[int, Meta(ge=0)] = 1


@dataclass(frozen=True)
class Pass:
    """What one pass over all words did."""

    moved: int  # words
    objective: float  # after it: sum of N(h,c) ln N(h,c) less sum of N(c) ln N(c)


@dataclass(frozen=True)
class Clustering:
    """Word classes, and how they were learnt."""

    classes: WordClasses
    passes: tuple[Pass, ...]  # the first of them is the start: no word has moved yet
    types: int  # different words of the text
    words: int  # different words after digits and rare words were replaced


def cluster(
    text: Path | str | Iterable[str],
    settings: ClusterSettings | None = None,
    *,
    threads: int = 1,
    report: Report = silent,
) -> WordClasses:
    """The word classes of a text: a file, or lines of tokens.

    The result depends on the settings and on nothing else.

    >>> text = ["a dog sees a cat", "the cat sees the dog"]
    >>> classes = cluster(text, ClusterSettings(classes=3, clip=0))
    >>> classes["dog"] == classes["cat"] != classes["the"] == classes["a"]
    True
    """
    return exchange(text, settings, threads=threads, report=report).classes


def exchange(
    text: Path | str | Iterable[str],
    settings: ClusterSettings | None = None,
    *,
    threads: int = 1,
    report: Report = silent,
) -> Clustering:
    """The same, with what each pass did.

    >>> text = ["a dog sees a cat", "the cat sees the dog"]
    >>> exchange(text, ClusterSettings(classes=3, clip=0)).passes[-1].moved
    0
    """
    settings = settings or ClusterSettings()
    path = text if isinstance(text, str | Path) else None
    ready = Text.read(read_lines(text) if isinstance(text, str | Path) else text, settings)
    if len(ready.names) < settings.classes:
        raise InputError(
            f"{len(ready.names):,} different words, too few for {settings.classes:,} classes; "
            "ask for fewer classes, or clip less",
            path=path,
        )
    # The words come the most frequent first: each class begins with some frequent and rare ones.
    words = len(ready.names)
    first = np.arange(words, dtype=np.uint32) % np.uint32(settings.classes)
    sentences = ready.sentences
    native = Exchange(sentences.ids, sentences.ends, ready.predicted, first, threads)
    passes = [Pass(0, native.objective())]
    draw = np.random.default_rng(settings.seed)
    while len(passes) <= settings.passes:
        order = draw.permutation(words).astype(np.uint32)
        improve = partial(native.improve, order, settings.batch, threads)
        moved = run_native(improve, step=f"pass {len(passes)}", report=report)
        passes.append(Pass(moved, native.objective()))
        if not moved:
            break
    names = map(str, native.classes().tolist())
    classes = WordClasses(dict(zip(ready.names, names, strict=True)))
    return Clustering(classes, tuple(passes), ready.types, words)


@dataclass(frozen=True)
class Text:
    """A text as it is clustered: its words as histories, and what each is where it is predicted."""

    sentences: Sentences  # of histories: words with their digits replaced
    predicted: npt.NDArray[np.uint32]  # the predicted word of each history
    names: list[str]  # of the predicted words, the most frequent first
    types: int  # different words, as they were

    @classmethod
    def read(cls, lines: Iterable[str], settings: ClusterSettings) -> Text:
        """The text with digits and rare words replaced as the settings say."""
        vocabulary = Vocabulary()
        (sentences,) = encode(((line,) for line in lines), [vocabulary])
        names = [vocabulary.word(i) for i in range(len(vocabulary))]
        ids = sentences.ids
        if settings.zero_digits:
            zeroed = Vocabulary()
            merged = [zeroed.add(zero_digits(name)) for name in names]
            ids = np.array(merged, np.uint32)[ids]
            names = [zeroed.word(i) for i in range(len(zeroed))]
        counts = np.bincount(ids, minlength=len(names))
        rare = (counts < settings.clip) | (np.array(names, object) == UNKNOWN_WORD)
        counts = np.append(counts, counts[rare].sum())  # the last is <unk>
        kept = np.flatnonzero(np.append(~rare, rare.any()))
        kept = kept[np.argsort(-counts[kept], kind="stable")]
        place = np.empty(len(counts), np.uint32)
        place[kept] = np.arange(len(kept), dtype=np.uint32)
        predicted = np.where(rare, place[-1], place[:-1])
        kept_names = [*names, UNKNOWN_WORD]
        return cls(
            Sentences(ids, sentences.ends),
            predicted,
            [kept_names[i] for i in kept.tolist()],
            len(vocabulary),
        )
