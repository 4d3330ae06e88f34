"""Features by how their names begin."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from miriam.features.nbest import Names
from miriam.tune.table import Ids

__all__ = ["Prefixed"]


class Prefixed:
    """Whether the names of features begin with one of some prefixes, looked up once a feature.

    >>> from miriam.lexicon.vocabulary import Vocabulary
    >>> names = Vocabulary()
    >>> ids = np.array([names.add(n) for n in ("LM", "PT:a>b")], dtype=np.int32)
    >>> Prefixed(("PT:", "AL:"), names)(ids).tolist()
    [False, True]
    """

    def __init__(self, prefixes: tuple[str, ...], names: Names) -> None:
        self.prefixes, self.names = prefixes, names
        self.known = np.zeros(0, dtype=bool)

    def __call__(self, ids: Ids) -> npt.NDArray[np.bool_]:
        """The answer for each of some features."""
        if len(ids) and ids.max() >= len(self.known):
            self.all()
        answer: npt.NDArray[np.bool_] = self.known[ids]
        return answer

    def all(self) -> npt.NDArray[np.bool_]:
        """The answer for every feature that is known by now."""
        new = range(len(self.known), len(self.names))
        answers = [self.names.word(i).startswith(self.prefixes) for i in new]
        self.known = np.append(self.known, np.array(answers, dtype=bool))
        return self.known
