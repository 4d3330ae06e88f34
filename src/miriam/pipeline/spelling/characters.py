"""A translator from characters to characters: trained on word pairs, and asked for candidates."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam.align.aligner import Bitext
from miriam.align.links import write_links
from miriam.align.train import train_encoded
from miriam.corpus.bitext import Pair, write_bitext
from miriam.features.spelling import Candidates
from miriam.lexicon.vocabulary import Vocabulary, encode
from miriam.lm import Estimation, estimate
from miriam.lm.model import LanguageModel
from miriam.pipeline.spelling.pairs import EDGE
from miriam.pipeline.spelling.prior import START
from miriam.pipeline.spelling.settings import SpellingSettings
from miriam.progress import Report, silent
from miriam.rules.extract import extract_rules
from miriam.rules.settings import ExtractSettings
from miriam.rules.shards import Corpus
from miriam.rules.table import TABLE_NAME, RuleTable
from miriam.search import Decoder, Sentence

__all__ = ["LM", "LM_FILE", "MODERN", "TABLE", "CharacterModel", "train_characters", "train_modern"]

TABLE, LM, MODERN = "TM", "LM", "Modern"
LM_FILE = "lm.safetensors"
BATCH = 500  # words decoded at once


def spaced(word: str) -> str:
    """The characters of a word, its edges too, as tokens.

    >>> spaced("und")
    '▁ u n d ▁'
    """
    return " ".join((EDGE, *word, EDGE))


def train_characters(
    pairs: Mapping[tuple[str, str], int], folder: Path, settings: SpellingSettings, *,
    threads: int = 1, report: Report = silent,
) -> None:  # fmt: skip
    """Leave a rule table and a language model of word pairs in a folder."""
    rows = [
        Pair(spaced(word), spaced(form))
        for (word, form), count in sorted(pairs.items())
        for _ in range(count)
    ]
    files = [folder / name for name in ("source", "target", "links")]
    write_bitext(rows, files[:2])
    words = (Vocabulary(), Vocabulary())
    bitext = Bitext.of(
        *encode([row[:2] for row in rows], words), max_length=settings.align.max_length
    )
    aligner = train_encoded(bitext, words, settings.align, threads=threads, report=report)
    write_links(files[2], aligner.links(bitext, threads=threads, report=report))
    extraction = ExtractSettings(max_length=settings.max_length, orientations=(), threads=threads)
    extract_rules(Corpus(*files), folder, settings=extraction, report=report)
    estimation = Estimation(order=settings.order, threads=threads)
    estimate(files[1], estimation, report=report).write(folder / LM_FILE)


def train_modern(
    words: Sequence[str], path: Path, settings: SpellingSettings, *,
    threads: int = 1, report: Report = silent,
) -> None:  # fmt: skip
    """Write a language model of the characters of modern words."""
    estimation = Estimation(order=settings.modern_order, threads=threads)
    estimate(map(spaced, words), estimation, report=report).write(path)


class CharacterModel:
    """Offers candidates for words."""

    def __init__(self, decoder: Decoder, weights: npt.NDArray[np.float64] | None = None) -> None:
        self.decoder = decoder
        self.names = list(decoder.features.dense)
        if weights is None:
            weights = np.array([START[name] for name in self.names])
            weights.setflags(write=False)
        self.weights = weights

    @classmethod
    def trained(
        cls, folder: Path, modern: LanguageModel | None, settings: SpellingSettings
    ) -> CharacterModel:
        """What `train_characters` left in a folder, with a model of modern words."""
        models = {LM: LanguageModel.load(folder / LM_FILE)}
        if modern:
            models[MODERN] = modern
        table = RuleTable.open(folder / TABLE_NAME)
        return cls(Decoder({TABLE: table}, models, settings=settings.search))

    def candidates(self, words: Sequence[str], count: int, *, threads: int = 1) -> Candidates:
        """The best forms of each word; one that has none keeps its own."""
        parts = [
            self._batch(words[begin : begin + BATCH], count, threads)
            for begin in range(0, len(words), BATCH)
        ]
        sizes = [size for part in parts for size in np.diff(part.ends, prepend=0).tolist()]
        return Candidates(
            list(words), np.cumsum(sizes, dtype=np.int64), [f for p in parts for f in p.forms],
            np.vstack([np.empty((0, len(self.names))), *(part.dense for part in parts)]),
        )  # fmt: skip

    def _batch(self, words: Sequence[str], count: int, threads: int) -> Candidates:
        sentences = [Sentence((EDGE, *word, EDGE)) for word in words]
        decoded = self.decoder.decode(
            sentences, self.weights, nbest=count, distinct=True, threads=threads
        )
        forms = [text.replace(" ", "").strip(EDGE) for text in decoded.texts()]
        kept: list[int] = []
        ends = []
        bounds = [0, *decoded.nbest.sentence_ends.tolist()]
        for begin, end in itertools.pairwise(bounds):
            kept += _distinct(forms, begin, end) or [-1]
            ends.append(len(kept))
        dense = np.vstack([decoded.nbest.dense, np.zeros(len(self.names))])
        owners = np.repeat(np.arange(len(words)), np.diff(ends, prepend=0)).tolist()
        return Candidates(
            words, np.array(ends), dense=dense[kept],
            forms=[forms[i] if i >= 0 else words[o] for i, o in zip(kept, owners, strict=True)],
        )  # fmt: skip


def _distinct(forms: Sequence[str], begin: int, end: int) -> list[int]:
    """Where each form of a word comes first; forms may differ in their edges alone."""
    first: dict[str, int] = {}
    for number in range(begin, end):
        if forms[number]:
            first.setdefault(forms[number], number)
    return list(first.values())
