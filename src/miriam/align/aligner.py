"""A trained aligner: it aligns text, is saved, and is opened again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from miriam import config
from miriam._core import align as core
from miriam.align.links import Links
from miriam.align.models import AlignSettings, Positions, parameters, with_parameters
from miriam.align.symmetrise import symmetrise
from miriam.container import ContainerWriter, open_container
from miriam.errors import ConfigError, InputError
from miriam.lexicon.vocabulary import MappedVocabulary, Sentences, encode
from miriam.progress import Report, run_native, silent

__all__ = ["Aligner", "Bitext", "load_aligner"]

KIND, VERSION = "aligner", 1
VOCABULARY = ("text", "ends", "slots")
VOCABULARIES = [[f"{side}.{name}" for name in VOCABULARY] for side in ("source", "target")]
TABLE = ("row_ends", "targets", "translations", "target_null", "source_null")
ARRAYS = (*VOCABULARIES[0], *VOCABULARIES[1], *TABLE)


@dataclass(frozen=True)
class Bitext:
    """Sentence pairs as word ids; a pair that cannot be aligned is empty on both sides."""

    source: Sentences
    target: Sentences
    empty: int  # pairs without words on one side or both
    long: int  # pairs with a side longer than the settings allow

    @classmethod
    def of(cls, source: Sentences, target: Sentences, *, max_length: int) -> Bitext:
        """The pairs of two sides, where those half empty or too long are set aside and counted."""
        if len(source) != len(target):
            raise InputError(
                f"{len(source):,} source sentences, and {len(target):,} target sentences"
            )
        lengths = [_lengths(side) for side in (source, target)]
        empty = (lengths[0] == 0) | (lengths[1] == 0)
        long = ~empty & (np.maximum(*lengths) > max_length)
        unwanted = empty | long
        return cls(
            _without(source, lengths[0], unwanted),
            _without(target, lengths[1], unwanted),
            int(empty.sum()),
            int(long.sum()),
        )

    @property
    def usable(self) -> int:
        """How many pairs can be aligned."""
        return len(self.source) - self.empty - self.long

    def native(self) -> core.Bitext:
        """The same as the core takes it, without a copy."""
        return core.Bitext(self.source.ids, self.source.ends, self.target.ids, self.target.ends)


def _lengths(side: Sentences) -> npt.NDArray[np.int64]:
    lengths = side.ends.astype(np.int64)
    lengths[1:] -= side.ends[:-1].astype(np.int64)
    return lengths


def _without(
    side: Sentences, lengths: npt.NDArray[np.int64], unwanted: npt.NDArray[np.bool_]
) -> Sentences:
    if not unwanted.any():
        return side
    kept = np.where(unwanted, 0, lengths)
    return Sentences(side.ids[np.repeat(~unwanted, lengths)], np.cumsum(kept, dtype=np.uint64))


@dataclass(frozen=True)
class Aligner:
    """Translation probabilities and position models of both directions.

    >>> from miriam.align.train import train
    >>> rows = [("das haus", "the house"), ("das buch", "the book"), ("ein buch", "a book")]
    >>> train(rows).align([("ein haus", "a house")])[0].tolist()
    [[0, 0], [1, 1]]
    """

    settings: AlignSettings
    forward: Positions  # target words observed, source words given
    reverse: Positions
    arrays: Mapping[str, np.ndarray]  # the vocabularies and the table, as they lie in a file

    def with_settings(self, overrides: Iterable[str]) -> Aligner:
        """The same aligner with some settings changed, none of them the model's.

        >>> from miriam.align.train import train
        >>> train([("das haus", "the house")]).with_settings(["model.null=0.3"])
        Traceback (most recent call last):
        ...
        miriam.errors.ConfigError: the settings of a trained model cannot change; train another
        """
        settings = config.load(AlignSettings, config.dump(self.settings), overrides=overrides)
        if settings.model != self.settings.model:
            raise ConfigError("the settings of a trained model cannot change; train another")
        return replace(self, settings=settings)

    def encode(self, rows: Iterable[Sequence[str]]) -> Bitext:
        """Pairs of lines of tokens as the ids that the table knows."""
        vocabularies = [
            MappedVocabulary(*(self.arrays[name] for name in names)) for names in VOCABULARIES
        ]
        source, target = encode(rows, vocabularies)
        return Bitext.of(source, target, max_length=self.settings.max_length)

    def align(
        self, rows: Iterable[Sequence[str]], *, threads: int = 1, report: Report = silent
    ) -> Links:
        """The links of pairs of lines of tokens: of the training text, or of any other."""
        return self.links(self.encode(rows), threads=threads, report=report)

    def links(self, bitext: Bitext, *, threads: int = 1, report: Report = silent) -> Links:
        """The links of a bitext, symmetrised as the settings say."""
        pairs, how = bitext.native(), self.settings.symmetrise
        table: Any = tuple(self.arrays[name] for name in TABLE)
        native = core.Aligner(table, self.forward, self.reverse)
        if how == "posterior":
            likely = run_native(
                lambda progress: native.likely(pairs, self.settings.threshold, threads, progress),
                step="align",
                report=report,
            )
            return Links(*likely)
        forward, reverse = run_native(
            lambda progress: native.best(pairs, threads, progress), step="align", report=report
        )
        return symmetrise(Links(*forward), Links(*reverse), how)

    def save(self, path: Path | str) -> None:
        """Write a file that `load_aligner` opens: whole or not at all."""
        metadata = {"settings": config.dump(self.settings)}
        with ContainerWriter(path, kind=KIND, version=VERSION, metadata=metadata) as writer:
            for name, array in self.arrays.items():
                writer.add(name, array)
            writer.add("forward", parameters(self.forward))
            writer.add("reverse", parameters(self.reverse))


def load_aligner(path: Path | str) -> Aligner:
    """An aligner that was saved; its tables stay in the mapped file.

    >>> import tempfile
    >>> from miriam.align.train import train
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     train([("das haus", "the house")] * 2).save(f"{folder}/aligner")
    ...     load_aligner(f"{folder}/aligner").align([("haus", "house")])[0].tolist()
    [[0, 0]]
    """
    table = open_container(path, kind=KIND, version=VERSION)
    settings = config.load(AlignSettings, table.metadata["settings"], name=str(path))
    forward, reverse = (
        with_parameters(settings.model, table[name]) for name in ("forward", "reverse")
    )
    return Aligner(settings, forward, reverse, {name: table[name] for name in ARRAYS})
