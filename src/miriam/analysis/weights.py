"""Weights as a person asks about them: by template, the heaviest first, before and after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from miriam.features.weights import read_weights

__all__ = [
    "DENSE", "Sides", "Template", "active", "by_template", "readable", "sides_of", "template_of",
    "weights_in",
]  # fmt: skip

DENSE = "dense"


@dataclass(frozen=True)
class Template:
    """The features of a template: how many weigh something, and the heaviest of them."""

    name: str
    active: int
    total: float  # of the absolute weights
    heaviest: tuple[tuple[str, float], ...]


class Sides(NamedTuple):
    """The words of the rule that a feature is about."""

    source: tuple[str, ...]
    target: tuple[str, ...]


def weights_in(path: Path | str) -> dict[str, float]:
    r"""The weights of a file, or of a model or a run: the `weights.txt` in its folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "weights.txt").write_text("LM 0.5\n")
    ...     weights_in(folder)
    {'LM': 0.5}
    """
    path = Path(path)
    return read_weights(path / "weights.txt" if path.is_dir() else path)


def template_of(name: str) -> str:
    """The template of a feature: what stands before the first colon of its name.

    >>> template_of("PT:ein-hund>a-dog"), template_of("LM")
    ('PT', 'dense')
    """
    template, colon, _ = name.partition(":")
    return template if colon else DENSE


def active(weights: Mapping[str, float], template: str | None = None) -> frozenset[str]:
    """The features, of one template or of all, whose weight is not zero.

    >>> sorted(active({"LM": 0.5, "PT:a>b": 0.0, "PT:a>c": -1.0}, "PT"))
    ['PT:a>c']
    """
    return frozenset(
        name
        for name, weight in weights.items()
        if weight and (template is None or template_of(name) == template)
    )


def by_template(weights: Mapping[str, float], *, heaviest: int = 10) -> list[Template]:
    """The templates of weights that are not zero, those with the fewest features first.

    >>> [(t.name, t.active, t.heaviest) for t in by_template({"PT:a>b": 2, "PT:a>c": -3, "LM": 1})]
    [('dense', 1, (('LM', 1),)), ('PT', 2, (('PT:a>c', -3), ('PT:a>b', 2)))]
    """
    grouped: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for name in active(weights):
        grouped[template_of(name)].append((name, weights[name]))
    templates = []
    for template, rows in grouped.items():
        rows.sort(key=lambda row: (-abs(row[1]), row[0]))
        total = sum(abs(weight) for _, weight in rows)
        templates.append(Template(template, len(rows), total, tuple(rows[:heaviest])))
    return sorted(templates, key=lambda t: (t.name != DENSE, t.active, t.name))


def sides_of(name: str) -> Sides | None:
    """The words of the rule that is a feature's key, if it is one.

    >>> sides_of("PT:ein-hund>a-dog"), sides_of("LO:swapWithNext:%2D>dash").source, sides_of("LM")
    (Sides(source=('ein', 'hund'), target=('a', 'dog')), ('-',), None)
    """
    source, arrow, target = name.rpartition(":")[2].partition(">")
    return Sides(_words(source), _words(target)) if arrow else None


def readable(name: str) -> str:
    """The name of a feature as a person reads it, its words spelt as they are.

    >>> readable("PT:ein-hund%2C>a-dog%2C"), readable("ALNS:%3A"), readable("TM:phi(f|e)")
    ('PT: ein hund, → a dog,', 'ALNS::', 'TM:phi(f|e)')
    """
    head, colon, key = name.rpartition(":")
    if sides := sides_of(name):
        return f"{head}{colon} {' '.join(sides.source)} → {' '.join(sides.target)}"
    return f"{head}{colon}{unquote(key)}"


def _words(side: str) -> tuple[str, ...]:
    return tuple(unquote(word) for word in side.split("-")) if side else ()
