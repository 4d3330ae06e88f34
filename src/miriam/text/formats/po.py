"""PO: the messages of a program and their translations (gettext), through polib.

polib holds a whole file in memory; a PO file is a program's messages, some thousands at most.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from miriam.errors import InputError, MissingExtraError
from miriam.text.files import BadLines, open_read, open_write

__all__ = ["read", "write"]

_CHARSET = re.compile(rb'"Content-Type:[^"\n]*charset=([A-Za-z0-9._-]+)')
_HEADER = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""


def _polib() -> Any:
    try:
        import polib
    except ImportError:
        raise MissingExtraError("polib", extra="formats", purpose="PO files") from None
    return polib


def read(
    path: Path | str, bad: BadLines, languages: tuple[str, str] | None
) -> Iterator[tuple[int, str, str]]:
    """Line number, source and target of each message that is translated, not fuzzy or obsolete.

    A message with plural forms gives a pair for its singular and one for each plural form.
    """
    del bad, languages  # what is wrong with a PO file cannot be skipped
    polib = _polib()
    text = _decode(path)
    try:
        messages = polib.pofile(text)
    except (OSError, ValueError) as error:
        found = re.search(r"\(line (\d+)\)(?:: (.*))?", str(error))
        what = (found and found[2]) or "syntax error"
        line = int(found[1]) if found else None
        raise InputError(f"not a sound PO file: {what}", path=path, line=line) from None
    for entry in messages:
        if entry.obsolete or entry.fuzzy:
            continue
        if not entry.msgid_plural:
            yield entry.linenum, entry.msgid, entry.msgstr
        for form, target in sorted(entry.msgstr_plural.items()):
            singular = form == 0 and len(entry.msgstr_plural) > 1
            yield entry.linenum, entry.msgid if singular else entry.msgid_plural, target


def _decode(path: Path | str) -> str:
    """The text of the file, in the encoding that its header says."""
    with open_read(path) as file:
        data = file.read()
    found = _CHARSET.search(data)
    charset = found[1].decode() if found and found[1] != b"CHARSET" else "utf-8"
    try:
        text = data.decode(charset)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = error.start - data.rfind(b"\n", 0, error.start)
        raise InputError(f"not {charset.upper()} at byte {byte}", path=path, line=line) from None
    except LookupError:
        raise InputError(f"the header names an unknown encoding {charset!r}", path=path) from None
    # polib takes a text without a line break for a file's name.
    return text.removeprefix("\ufeff").replace("\r\n", "\n") + "\n"


def write(path: Path | str, pairs: Iterable[tuple[str, str]], languages: tuple[str, str]) -> None:
    """Write a message for each pair; a source that comes again is told apart by its context."""
    entry = _polib().POEntry
    seen: Counter[str] = Counter()
    language = f'"Language: {languages[1]}\\n"\n' if languages[1] else ""
    with open_write(path) as out:
        out.write(f"{_HEADER}{language}\n".encode())
        for source, target in pairs:
            if not source:
                raise InputError("a pair without a source, which PO cannot hold", path=path)
            seen[source] += 1
            context = str(seen[source]) if seen[source] > 1 else None
            message = entry(msgid=source, msgstr=target, msgctxt=context)
            out.write(f"{message.__unicode__(wrapwidth=0)}\n".encode())
