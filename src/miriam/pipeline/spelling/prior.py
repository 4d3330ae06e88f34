"""The weights that a normaliser begins with, by the names of features; the others are 0."""

from __future__ import annotations

__all__ = ["START"]

START = {
    "TM:phi(f|e)": 0.15, "TM:lex(f|e)": 0.0, "TM:phi(e|f)": 0.45, "TM:lex(e|f)": 0.1,
    "TM:count": 0.05, "TM:unique": 0.0, "LM": 0.25, "Modern": 0.25, "LinearDistortion": 0.2,
    "WordPenalty": 0.0, "PhrasePenalty": -0.8, "UnknownWord": 1.0,
    "Listed": 1.5, "Seen": 0.5, "New": -0.5, "PairLog@1": 0.6, "PairKnown@1": 1.0,
    "PairBest@1": 1.0, "PairLog@5": 0.5, "PairBest@5": 1.0,
}  # fmt: skip
"""By these candidates are found, and about these the weights that rank them are learnt. They are
near what some thousand words of Swedish and Slovene teach; `@1` and `@5` are for words seen so
often."""
