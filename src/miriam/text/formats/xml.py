"""What TMX and XLIFF share: XML read as a stream, safely, and inline markup as text.

Nothing is fetched and nothing expanded: no network, no DTD, no entities but XML's own five. What
was read is let go at once, so that memory does not grow with the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from miriam.errors import InputError, MissingExtraError
from miriam.text.files import open_read, open_write

__all__ = ["LANG", "document", "elements", "local", "segment_text", "writable"]

LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_CODES = {"bpt", "ept", "ph", "it", "ut", "x", "bx", "ex", "sc", "ec"}  # their content is code
_SPANS = {"hi", "g", "pc"}  # their content is text
_UNWRITABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NAMES = ("id", "i", "x", "rid", "startRef")  # the attribute by which the two sides agree


def _lxml() -> Any:
    try:
        from lxml import etree
    except ImportError:
        raise MissingExtraError("lxml", extra="formats", purpose="TMX and XLIFF") from None
    return etree


def local(element: Any) -> str:
    """The name of an element without its namespace; nothing for a comment or an entity."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def elements(path: Path | str, names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The `start` of the root and each `end` of the named elements, which are then cleared."""
    etree = _lxml()
    with open_read(path) as file:
        try:
            events = etree.iterparse(
                file,
                events=("start", "end"),
                resolve_entities=False,
                no_network=True,
                load_dtd=False,
                remove_comments=True,
                remove_pis=True,
            )
            root = None
            for event, element in events:
                if root is None:
                    root = element
                    _refuse_entities(root, path)
                    yield "start", root
                elif event == "end" and local(element) in names:
                    yield "end", element
                    _let_go(element)
        except etree.XMLSyntaxError as error:
            what = " ".join(error.msg.split(", line ")[0].split()) if error.msg else "it is empty"
            raise InputError(f"not sound XML: {what}", path=path, line=error.lineno or 1) from None


def _refuse_entities(root: Any, path: Path | str) -> None:
    """Refuse a document that declares entities: no translation memory needs any."""
    dtd = root.getroottree().docinfo.internalDTD
    names = [entity.name for entity in dtd.iterentities()] if dtd is not None else []
    if names:
        message = f"the file declares the entity {names[0]!r}; write its text in its place"
        raise InputError(message, path=path, line=1)


def _let_go(element: Any) -> None:
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def segment_text(element: Any, path: Path | str) -> str:
    """The text of a segment; inline markup stays as short tags such as `<ph id="1"/>`.

    The native code within `<bpt>`, `<ph>` and their like is left out: the tag stands for it.
    Annotations (`<mrk>`) are left out, and their text kept.
    """
    pieces = [element.text or ""]
    for child in element:
        name = local(child)
        if child.tag is _lxml().Entity:
            message = f"the entity {child.text} is not known; write its text in its place"
            raise InputError(message, path=path, line=child.sourceline)
        attributes = "".join(f" {n}={quoteattr(child.get(n))}" for n in _NAMES if child.get(n))
        if name in _CODES:
            pieces.append(f"<{name}{attributes}/>")
        elif name in _SPANS:
            pieces.append(f"<{name}{attributes}>{segment_text(child, path)}</{name}>")
        elif name == "cp":  # XLIFF 2: a character that XML cannot hold
            pieces.append(" ")
        else:
            pieces.append(segment_text(child, path))
        pieces.append(child.tail or "")
    return "".join(pieces)


@contextmanager
def document(path: Path | str) -> Iterator[Any]:
    """A writer of XML (`lxml.etree.xmlfile`) on a file that appears whole or not at all."""
    with open_write(path) as out, _lxml().xmlfile(out, encoding="utf-8") as writer:
        writer.write_declaration()
        yield writer


def writable(text: str, path: Path | str) -> str:
    """The text, if XML can hold it; an `InputError` if not."""
    if found := _UNWRITABLE.search(text):
        message = f"XML cannot hold the character U+{ord(found[0]):04X} of {text[:50]!r}"
        raise InputError(message, path=path)
    return text
