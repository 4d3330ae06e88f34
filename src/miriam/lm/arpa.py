"""ARPA files: the text form of language models, which every toolkit reads and writes."""

from __future__ import annotations

from pathlib import Path

from miriam._core.lm import ArpaReader, ArpaWriter, BuiltModel
from miriam.errors import InputError
from miriam.text.files import open_write, read_blocks

__all__ = ["is_arpa", "read_arpa", "write_arpa"]


def is_arpa(path: Path | str) -> bool:
    """Whether a name is that of an ARPA file: `.arpa`, compressed or not, or `-`.

    >>> is_arpa("a.arpa.gz"), is_arpa("a.lm")
    (True, False)
    """
    return str(path) == "-" or ".arpa" in Path(path).suffixes


def read_arpa(path: Path | str) -> tuple[BuiltModel, str | None]:
    """The model in an ARPA file, and a sentence where it lacks `<unk>`.

    Every defect is refused with its line.
    """
    reader = ArpaReader()
    try:
        for block in read_blocks(path):
            reader.add(block)
        built = reader.finish()
    except InputError as error:
        if error.path is not None:
            raise
        raise InputError(f"{path}, {error}") from None
    if reader.lacked_unknown:
        return built, f"{path}: no <unk>; an unknown word gets the log10 probability -100"
    return built, None


def write_arpa(path: Path | str, text: ArpaWriter) -> None:
    """Write the text of a model to a file, compressed as its name says, whole or not at all."""
    with open_write(path) as out:
        while piece := text.next():
            out.write(piece)
