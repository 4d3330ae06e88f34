"""Text as ids, words or characters: what the native core compares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from miriam.lexicon.vocabulary import Sentences, Vocabulary, encode

__all__ = ["characters", "words"]


def words(texts: Iterable[str], vocabulary: Vocabulary) -> Sentences:
    """The words of texts, as white space divides them; new ones are added to the vocabulary.

    >>> words(["a b a", "c"], Vocabulary()).ids
    array([0, 1, 0, 2], dtype=uint32)
    """
    (sentences,) = encode(((" ".join(text.split()),) for text in texts), [vocabulary])
    return sentences


def characters(texts: Sequence[str]) -> Sentences:
    """The code points of texts.

    >>> characters(["ab", "ü"]).ids
    array([ 97,  98, 252], dtype=uint32)
    """
    points = "".join(texts).encode("utf-32-le", errors="surrogatepass")
    ends = np.cumsum([len(text) for text in texts], dtype=np.uint64)
    return Sentences(np.frombuffer(points, dtype="<u4"), ends)
