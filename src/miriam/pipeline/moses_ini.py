"""Reads `moses.ini`: the features of a Moses model, their weights, and how Moses searched."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path

from miriam.errors import InputError
from miriam.text.files import read_lines

__all__ = ["MosesFeature", "MosesIni", "read_moses_ini"]

OLD_SECTIONS = {"ttable-file", "lmodel-file", "distortion-file", "weight-t", "weight-l"}
# Sections that change no translation of ours, or that are read with the features.
READ = {"feature", "weight", "distortion-limit", "input-factors", "mapping", "stack",
        "cube-pruning-pop-limit", "max-phrase-length", "ttable-limit", "search-algorithm",
        "threads", "verbose", "drop-unknown", "v", "n-best-list",
        "cube-pruning-diversity"}  # fmt: skip


@dataclass(frozen=True)
class MosesFeature:
    """A line of the section [feature]."""

    kind: str
    name: str
    arguments: dict[str, str]
    line: int


@dataclass
class MosesIni:
    """What a `moses.ini` says."""

    path: Path
    features: list[MosesFeature] = field(default_factory=list)
    weights: dict[str, list[float]] = field(default_factory=dict)
    sections: dict[str, list[str]] = field(default_factory=dict)

    def of_kind(self, *kinds: str) -> list[MosesFeature]:
        """The features of some kinds."""
        return [feature for feature in self.features if feature.kind in kinds]

    def number(self, section: str) -> int | None:
        """The number that a section consists of."""
        values = self.sections.get(section)
        if not values:
            return None
        try:
            return int(values[0])
        except ValueError:
            raise InputError(
                f"[{section}] must be a whole number, not {values[0]!r}", path=self.path
            ) from None

    def weights_of(self, feature: MosesFeature, count: int) -> list[float]:
        """The weights of a feature, which must be so many."""
        found = self.weights.get(feature.name)
        if found is None:
            raise InputError(
                f"no weight for the feature {feature.name}; add it to [weight]", path=self.path
            )
        if len(found) != count:
            raise InputError(
                f"{feature.name} has {len(found)} weights, and its table {count} scores",
                path=self.path,
            )
        bad = [weight for weight in found if not math.isfinite(weight)]
        if bad:
            raise InputError(
                f"the weight {bad[0]} of {feature.name} is not a finite number", path=self.path
            )
        return found

    def file(self, feature: MosesFeature) -> Path:
        """The file of a feature: relative paths begin where the `moses.ini` is."""
        name = feature.arguments.get("path")
        if not name:
            raise InputError(f"{feature.name} has no path=", path=self.path, line=feature.line)
        path = self.path.parent / name
        for candidate in (path, path.with_name(f"{path.name}.gz")):
            if candidate.is_file():
                return candidate
        raise InputError(f"the file {name} is not there", path=self.path, line=feature.line)


def read_moses_ini(path: Path | str) -> MosesIni:
    r"""The content of a `moses.ini`; a section that it does not know is refused.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     text = "[feature]\nDistortion\n[weight]\nDistortion0= 0.3\n"
    ...     _ = Path(folder, "moses.ini").write_text(text)
    ...     ini = read_moses_ini(f"{folder}/moses.ini")
    >>> ini.features[0].name, ini.weights
    ('Distortion0', {'Distortion0': [0.3]})
    """
    ini = MosesIni(Path(path))
    section = ""
    for number, raw in enumerate(read_lines(path), 1):
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            section = line.strip("[]")
            if section in OLD_SECTIONS:
                raise InputError(
                    f"[{section}] belongs to the moses.ini of before 2013; Moses converts it",
                    path=path, line=number,
                )  # fmt: skip
            if section not in READ:
                raise InputError(
                    f"the section [{section}] is not known, and might change translations",
                    path=path, line=number,
                )  # fmt: skip
        elif line and section == "feature":
            ini.features.append(_feature(line, ini, number))
        elif line and section == "weight":
            name, _, values = line.partition("=")
            ini.weights[name.strip()] = _numbers(values, path, number)
        elif line:
            ini.sections.setdefault(section, []).append(line)
    if not ini.features:
        raise InputError("it has no section [feature]; is it a moses.ini?", path=path)
    return ini


def _feature(line: str, ini: MosesIni, number: int) -> MosesFeature:
    kind, *pairs = line.split()
    arguments = dict(pair.partition("=")[::2] for pair in pairs)
    name = arguments.get("name") or f"{kind}{len(ini.of_kind(kind))}"
    if not re.fullmatch(r"[\w.-]+", name):
        raise InputError(f"{name!r} is no name for a feature", path=ini.path, line=number)
    if any(feature.name == name for feature in ini.features):
        raise InputError(f"two features are called {name}", path=ini.path, line=number)
    return MosesFeature(kind, name, arguments, number)


def _numbers(text: str, path: Path | str, line: int) -> list[float]:
    try:
        return [float(value) for value in text.split()]
    except ValueError:
        raise InputError(
            f"expected weights, found {text.strip()!r}", path=path, line=line
        ) from None
