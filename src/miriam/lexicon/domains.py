"""Which domain a sentence is from, by its words: a classifier learnt from labelled source text.

Multinomial naive Bayes over words: p(d | s) ∝ p(d) Π p(w | d), with 1 added to each count.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam.container import ContainerWriter, open_container
from miriam.errors import ModelError
from miriam.lexicon.vocabulary import (
    MappedVocabulary,
    Vocabulary,
    read_vocabulary,
    write_vocabulary,
)

__all__ = ["DomainClassifier"]

KIND, VERSION = "domain-classifier", 1


@dataclass(frozen=True)
class DomainClassifier:
    """The log probability of each domain, and of each word in each domain.

    >>> lines = [("law", "the court the judge"), ("law", "a judge"), ("gospel", "the lamb")]
    >>> classifier = DomainClassifier.learn((text, label.split()) for label, text in lines)
    >>> [classifier(text.split()) for text in ("a lamb", "the judge sat", "")]
    [('gospel',), ('law',), ('law',)]
    """

    names: tuple[str, ...]  # "" stands for the lines without a label
    words: MappedVocabulary
    priors: npt.NDArray[np.float32]  # [domains]
    of_words: npt.NDArray[np.float32]  # [words, domains]

    @classmethod
    def learn(cls, lines: Iterable[tuple[str, Sequence[str]]]) -> DomainClassifier:
        """The classifier of lines of tokens with their domains; a line may have several."""
        words, numbers = Vocabulary(), dict[str, int]()
        word_ids: list[int] = []
        domain_ids: list[int] = []
        lines_of: list[int] = []
        for text, labels in lines:
            ids = [words.add(word) for word in text.split()]
            for label in labels or ("",):
                number = numbers.setdefault(label, len(numbers))
                lines_of.append(number)
                word_ids += ids
                domain_ids += [number] * len(ids)
        shape = (len(words), len(numbers))
        places = np.array(word_ids, np.int64) * shape[1] + np.array(domain_ids, np.int64)
        counts = np.bincount(places, minlength=shape[0] * shape[1]).reshape(shape) + 1.0
        return cls(
            tuple(numbers),
            MappedVocabulary(*words.arrays()),
            np.log(np.bincount(lines_of, minlength=shape[1]) / len(lines_of)).astype(np.float32),
            np.log(counts / counts.sum(axis=0)).astype(np.float32),
        )

    def __call__(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The domain of a sentence, or none if it is most like the lines without one."""
        found = [self.words.find(word) for word in tokens]
        ids = np.array([i for i in found if i is not None], np.int64)
        scores = self.priors + self.of_words[ids].sum(axis=0, dtype=np.float64)
        name = self.names[int(np.argmax(scores))]
        return (name,) if name else ()

    def write(self, path: Path | str) -> None:
        """Write it, to be opened by `open`."""
        words = Vocabulary()
        for number in range(len(self.words)):
            words.add(self.words.word(number))
        metadata = {"names": json.dumps(self.names)}
        with ContainerWriter(path, kind=KIND, version=VERSION, metadata=metadata) as writer:
            write_vocabulary(writer, "words", words)
            writer.add("priors", self.priors)
            writer.add("of_words", self.of_words.reshape(-1))

    @classmethod
    def open(cls, path: Path | str) -> DomainClassifier:
        """The classifier in a file."""
        table = open_container(path, kind=KIND, version=VERSION)
        words, of_words = read_vocabulary(table, "words"), table["of_words"]
        names = tuple(json.loads(table.metadata.get("names", "[]")))
        if len(of_words) != len(words) * len(names) or len(table["priors"]) != len(names):
            raise ModelError(f"{path}: the domains do not fit the words; build the file again")
        return cls(names, words, table["priors"], of_words.reshape(len(words), len(names)))
