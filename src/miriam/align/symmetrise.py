"""One symmetric alignment from those of both directions."""

from __future__ import annotations

from miriam._core import align as core
from miriam.align.links import Links
from miriam.config import nearest
from miriam.errors import ConfigError

__all__ = ["SYMMETRISATIONS", "symmetrise"]

SYMMETRISATIONS = {
    "intersection": core.Symmetrisation.INTERSECTION,
    "union": core.Symmetrisation.UNION,
    "grow": core.Symmetrisation.GROW,
    "grow-diag": core.Symmetrisation.GROW_DIAG,
    "grow-diag-final": core.Symmetrisation.GROW_DIAG_FINAL,
    "grow-diag-final-and": core.Symmetrisation.GROW_DIAG_FINAL_AND,
}


def symmetrise(forward: Links, reverse: Links, how: str) -> Links:
    """Both alignments in one, by a heuristic of Koehn, Och and Marcu (2003).

    `forward` gives each target word its source words, `reverse` each source word its target words:
    the final steps prefer the links of `forward`.

    >>> forward, reverse = Links.of([[(0, 0), (0, 1)]]), Links.of([[(0, 0), (1, 1)]])
    >>> symmetrise(forward, reverse, "grow-diag")[0].tolist()
    [[0, 0], [0, 1], [1, 1]]
    """
    if how not in SYMMETRISATIONS:
        raise ConfigError(f"no symmetrisation is called {how!r}; {nearest(how, SYMMETRISATIONS)}")
    points = core.symmetrise(
        forward.points, forward.ends, reverse.points, reverse.ends, SYMMETRISATIONS[how]
    )
    return Links(*points)
