"""No library that Miriam needs at run time, extras included, is under the GPL, AGPL or LGPL."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageMetadata, metadata, requires
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
COPYLEFT = re.compile(
    r"\b[AL]?GPL|(affero|lesser|library|general)( general)? public licen[cs]e", re.I
)
# What GCC's run-time library links into every program that it compiles is free of the GPL.
HARMLESS = re.compile(
    r"GPL-3\.0-(or-later|only) WITH GCC-exception-3\.1|GPL-3\.0-with-GCC-exception", re.I
)
LONGEST_NAME = 100  # characters; a longer `License` is the licence's text


def needed() -> Iterator[str]:
    """The libraries that Miriam needs, and theirs in turn."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    waiting = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        requirement = Requirement(waiting.pop())
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        key = name, frozenset(requirement.extras)
        if name == project["name"] or key in seen:
            continue
        seen.add(key)
        yield name
        for text in requires(name) or ():
            marker = Requirement(text).marker
            if marker is None or any(
                marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras)
            ):
                waiting.append(text)


def licences(about: PackageMetadata) -> list[str]:
    """Under which licences a library may be used: one of them suffices."""
    if expressions := about.get_all("License-Expression", []):
        return re.split(r"\s+OR\s+", expressions[0], flags=re.I)
    classified = [
        classifier.split("::")[-1].strip()
        for classifier in about.get_all("Classifier", [])
        if classifier.startswith("License ::") and not classifier.endswith("OSI Approved")
    ]
    if classified:  # whether they are alternatives or a mixture is not said
        return [" AND ".join(classified)]
    name = "".join(about.get_all("License", [])).strip()
    return [name] if name and len(name) <= LONGEST_NAME else name.splitlines()[:1]


def is_copyleft(licence: str) -> bool:
    return COPYLEFT.search(HARMLESS.sub("", licence)) is not None


def test_every_library_may_be_used_without_copyleft() -> None:
    names = sorted(set(needed()))
    assert {"numpy", "sacrebleu", "sacremoses", "jieba", "lxml", "polib", "zstandard"} <= {*names}
    found = {name: licences(metadata(name)) for name in names}
    unknown = [name for name, terms in found.items() if not terms]
    assert not unknown, f"say under which licence these are: {unknown}"
    refused = {name: terms for name, terms in found.items() if all(map(is_copyleft, terms))}
    assert not refused


@pytest.mark.parametrize(
    "licence",
    ["GPL-3.0-or-later", "LGPLv3+", "AGPL-3.0", "GNU General Public License v2 (GPLv2)",
     "GNU Lesser General Public License", "MIT AND GPL-2.0-only", "Affero General Public License"],
)  # fmt: skip
def test_copyleft_is_recognised(licence: str) -> None:
    assert is_copyleft(licence)


@pytest.mark.parametrize(
    "licence", ["MIT", "BSD-3-Clause AND GPL-3.0-or-later WITH GCC-exception-3.1", "MPL-2.0"]
)
def test_others_are_not(licence: str) -> None:
    assert not is_copyleft(licence)
