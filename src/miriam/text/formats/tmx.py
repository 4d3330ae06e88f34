"""TMX: translation memories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from miriam.errors import InputError
from miriam.text.files import BadLines
from miriam.text.formats.xml import LANG, document, elements, local, segment_text, writable
from miriam.version import __version__

__all__ = ["read", "write"]

_PREFIX = {"xml": LANG[1:].partition("}")[0]}  # for xml:lang


def read(
    path: Path | str, bad: BadLines, languages: tuple[str, str] | None
) -> Iterator[tuple[int, str, str]]:
    """Line number, source and target of each unit that has both languages.

    Without `languages`, the source is what the header says (or else the first of a unit), and a
    unit must have one other language. `en` asks for `en-GB` too.
    """
    header = ""
    for event, element in elements(path, ("header", "tu")):
        if event == "start":
            if local(element) != "tmx":
                raise InputError(f"not TMX: the root is <{local(element)}>", path=path, line=1)
        elif local(element) == "header":
            header = "" if element.get("srclang") == "*all*" else element.get("srclang", "")
        else:
            try:
                sides = _sides(element, path, languages, header)
            except InputError as error:
                bad.meet(error)
                continue
            if sides:
                yield element.sourceline, *sides


def _sides(
    unit: Any, path: Path | str, languages: tuple[str, str] | None, header: str
) -> tuple[str, str] | None:
    variants: dict[str, Any] = {}
    for variant in unit.iterfind("{*}tuv"):
        language = variant.get(LANG) or variant.get("lang") or ""
        variants.setdefault(language, variant.find("{*}seg"))
    if languages is None:
        source = _find(variants, header or next(iter(variants), ""))
        others = [language for language in variants if language != source]
        if source is None or not others:
            return None
        if len(others) > 1:
            message = (
                f"a unit in {len(variants)} languages; say which two, as in "
                f"languages=({source!r}, {others[0]!r})"
            )
            raise InputError(message, path=path, line=unit.sourceline)
        pair = [source, others[0]]
    else:
        pair = [found for language in languages if (found := _find(variants, language)) is not None]
    segments = [variants[language] for language in pair]
    if len(segments) != 2 or any(segment is None for segment in segments):
        return None
    return segment_text(segments[0], path), segment_text(segments[1], path)


def _find(variants: dict[str, Any], language: str) -> str | None:
    """The variant in a language, or else in the first of its regional forms."""
    wanted = language.lower().replace("_", "-")
    spelt = {found.lower().replace("_", "-"): found for found in variants}
    regional = (found for form, found in spelt.items() if form.startswith(f"{wanted}-"))
    return spelt.get(wanted) or next(regional, None)


def write(path: Path | str, pairs: Iterable[tuple[str, str]], languages: tuple[str, str]) -> None:
    """Write a unit for each pair (TMX 1.4)."""
    header = {
        "creationtool": "miriam", "creationtoolversion": __version__, "segtype": "sentence",
        "o-tmf": "text", "adminlang": "en", "srclang": languages[0], "datatype": "plaintext",
    }  # fmt: skip
    with document(path) as xml, xml.element("tmx", version="1.4", nsmap=_PREFIX):
        with xml.element("header", header):
            pass
        with xml.element("body"):
            for pair in pairs:
                with xml.element("tu"):
                    for language, side in zip(languages, pair, strict=True):
                        with xml.element("tuv", {LANG: language}), xml.element("seg"):
                            xml.write(writable(side, path))
                xml.write("\n")
