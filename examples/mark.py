"""The model of all examples: the Gospel of Mark, from early modern into modern English.

It is learnt in a few seconds, into the folder `mark-model` where the example is run, and kept.
"""

from __future__ import annotations

from pathlib import Path

import miriam
from miriam.pipeline.translator import Translator

TEXT = Path(__file__).parent / "text"
MODEL = Path("mark-model")


def lines(name: str) -> list[str]:
    """The lines of a file of `text/`."""
    return (TEXT / name).read_text(encoding="utf-8").splitlines()


def mark_model() -> Translator:
    """The translator, trained if it is not there yet."""
    if MODEL.exists():
        return miriam.load(MODEL)
    return miriam.train(source=TEXT / "mark.old.en", target=TEXT / "mark.new.en", out=MODEL)
