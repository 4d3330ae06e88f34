"""XLIFF 1.2 and 2.0: files for translators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from miriam.errors import InputError
from miriam.text.files import BadLines
from miriam.text.formats.xml import document, elements, local, segment_text, writable

__all__ = ["read", "write"]

_NAMESPACE = "urn:oasis:names:tc:xliff:document:1.2"
_UNTRANSLATED = {"new", "needs-translation", "initial"}


def read(
    path: Path | str, bad: BadLines, languages: tuple[str, str] | None
) -> Iterator[tuple[int, str, str]]:
    """Line number, source and target of each segment that is translated."""
    for event, element in elements(path, ("trans-unit", "unit", "group", "file")):
        if event == "start":
            if local(element) != "xliff":
                raise InputError(f"not XLIFF: the root is <{local(element)}>", path=path, line=1)
        elif local(element) in ("trans-unit", "unit"):
            if languages:
                _check_languages(element, languages, path)
            try:
                yield from _segments(element, path)
            except InputError as error:
                bad.meet(error)


def _segments(unit: Any, path: Path | str) -> Iterator[tuple[int, str, str]]:
    """The translated segments of a unit: itself (XLIFF 1.2), or those within it (2.0)."""
    for segment in [unit] if local(unit) == "trans-unit" else unit.iterfind("{*}segment"):
        source, target = segment.find("{*}source"), segment.find("{*}target")
        if source is None or target is None:
            continue
        if _UNTRANSLATED.isdisjoint((target.get("state"), segment.get("state"))):
            yield segment.sourceline, segment_text(source, path), segment_text(target, path)


def _check_languages(unit: Any, languages: tuple[str, str], path: Path | str) -> None:
    """Refuse a file that says that it is in other languages than it is asked for."""
    for ancestor in unit.iterancestors():
        found = (
            ancestor.get("source-language") or ancestor.get("srcLang"),
            ancestor.get("target-language") or ancestor.get("trgLang"),
        )
        for has, wanted in zip(found, languages, strict=True):
            if has and has.lower().partition("-")[0] != wanted.lower().partition("-")[0]:
                message = f"the file is from {found[0]} to {found[1]}, not from {languages[0]} to "
                raise InputError(message + languages[1], path=path, line=ancestor.sourceline)


def write(path: Path | str, pairs: Iterable[tuple[str, str]], languages: tuple[str, str]) -> None:
    """Write a unit for each pair (XLIFF 1.2)."""
    header = {
        "original": "miriam", "datatype": "plaintext",
        "source-language": languages[0], "target-language": languages[1],
    }  # fmt: skip
    with (
        document(path) as xml,
        xml.element("xliff", version="1.2", nsmap={None: _NAMESPACE}),
        xml.element("file", header),
        xml.element("body"),
    ):
        for number, (source, target) in enumerate(pairs, 1):
            with xml.element("trans-unit", id=str(number)):
                with xml.element("source"):
                    xml.write(writable(source, path))
                with xml.element("target"):
                    xml.write(writable(target, path))
            xml.write("\n")
