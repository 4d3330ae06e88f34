"""Group features in the place of their members, and the way back.

The value of a group is Σ sign · count over its members, so that a weight v of the group is the
weight sign · v of each member: scores stay the same.
"""

from __future__ import annotations

import numpy as np

from miriam.features.nbest import Names, NBest
from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune.batch.rounds import RoundsProblem
from miriam.tune.grouping.groups import Groups
from miriam.tune.learner import Scored
from miriam.tune.lists import Candidates, RowList
from miriam.tune.losses.loss import Array
from miriam.tune.online import Evaluation
from miriam.tune.prefixes import Prefixed

__all__ = ["PackedProblem", "Packing"]


class Packing:
    """Features as learners of groups see them: the groups, and each feature outside `prefixes`.

    A feature under the prefixes that is in no group is left out. Names that come later are outside,
    or left out.

    >>> names = Vocabulary()
    >>> rows = [{"LM": -1.0, "PT:a>b": 2.0, "PT:c>d": 1.0}, {"LM": -2.0, "PT:e>f": 1.0}]
    >>> nbest = RowList.of(rows, names)
    >>> groups = Groups.of_ties(np.array([0.5, 0.1, -0.1]), ("PT:",), names)
    >>> packing = Packing(groups, ("PT:",))
    >>> packed = packing.pack(nbest)
    >>> [packing.names.word(i) for i in packed.ids], packed.csr().values.tolist()
    (['group:1', 'LM'], [1.0, -1.0, -2.0])
    >>> packing.unpack(np.array([0.2, 0.5])).tolist()
    [0.5, 0.2, -0.2, 0.0]
    """

    def __init__(self, groups: Groups, prefixes: tuple[str, ...]) -> None:
        self.groups = groups
        self.grouped = Prefixed(prefixes, groups.names)
        self.names = Vocabulary()
        for number in range(1, len(groups) + 1):
            self.names.add(f"group:{number}")
        self.target = np.empty(0, dtype=np.int32)  # by feature: what it is packed into, or -1
        self.sign = np.empty(0)
        self._follow()
        self.target[groups.members] = groups.of
        self.sign[groups.members] = groups.signs

    def pack(self, nbest: NBest) -> RowList:
        """A list with group features."""
        from scipy.sparse import csr_array

        self._follow()
        offsets, columns, values = nbest.csr()
        target = self.target[nbest.ids][columns]
        kept = target >= 0
        ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
        cells = (values * self.sign[nbest.ids][columns])[kept]
        matrix = csr_array((cells, target[kept], ends[offsets]), (len(nbest), len(self.names)))
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        return RowList(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data)

    def packed(self, vector: Array) -> Array:
        """Weights of the packed features: the groups' own, and of the others those by id."""
        self._follow()
        found = np.zeros(len(self.names))
        single = np.flatnonzero(self.target[: len(vector)] >= len(self.groups))
        found[self.target[single]] = vector[single]
        found[: len(self.groups)] = self.groups.weights
        return found

    def unpack(self, vector: Array) -> Array:
        """Weights by id, from those of the packed features: each member gets sign · v."""
        self._follow()
        weights = np.pad(vector, (0, len(self.names) + 1 - len(vector)))  # the last is of -1
        return np.asarray(weights[self.target] * self.sign)

    def _follow(self) -> None:
        """Number what has come since."""
        names = self.groups.names
        new = np.arange(len(self.target), len(names), dtype=np.int32)
        if len(new):
            outside = new[~self.grouped(new)]
            self.target = np.append(self.target, np.full(len(new), -1, dtype=np.int32))
            self.sign = np.append(self.sign, np.ones(len(new)))
            self.target[outside] = [self.names.add(names.word(int(i))) for i in outside]


class PackedProblem:
    """A tuning set whose lists have group features."""

    def __init__(self, problem: RoundsProblem, packing: Packing) -> None:
        self.problem, self.packing = problem, packing
        self.names: Names = packing.names
        self.clock = problem.clock

    def decode_all(self, vector: Array) -> list[Candidates]:
        """The lists of all sentences."""
        lists = self.problem.decode_all(self.packing.unpack(vector))
        return [one._replace(nbest=self.packing.pack(one.nbest)) for one in lists]

    def judge(self, candidates: Candidates) -> Scored:
        """A list with its gold scores."""
        return self.problem.judge(candidates)

    def corpus(self, stats: Array) -> Array:
        """The corpus score of summed statistics."""
        return self.problem.corpus(stats)

    def evaluate(self, vector: Array) -> Evaluation | None:
        """The score of weights on a development set."""
        return self.problem.evaluate(self.packing.unpack(vector))
