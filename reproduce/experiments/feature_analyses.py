"""# What the gains of extended features depend on

Bible Arabic to English, as in [features](features.md), every system with one seed. Each question
changes one thing of dense features (D) or of extended and lexicalised ones (E+F), or of those with
domains (E+F+D, gold labels).

- *Losses* (Green et al. 2014, Table 6a): pairwise logistic, the default, and expected BLEU.
- *Cut-offs* (Table 6b): instead of L1, only features learn for which enough sentences have had a
  gradient.
- *References* (Table 6c): the first one alone instead of four.
- *States*: hypotheses are merged although orientations, boundaries or both may treat what follows
  differently (`search.ignore_states`).
- *Augmentation*: copies for domains of lexicalised features, of none, or of all templates.

The last columns split the time of tuning: seconds of a search, of extracting features of n-best
lists, and of learning, which is inner products and updates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from data_parts import BIBLE_GOLD
from experiments.features import DOMAINS, SETS, TRAIN
from rows import Column, Row
from systems import Texts, tuned_row

BASELINE = None
COLUMNS = {
    "bible": (
        Column("dev", "bleu.dev"),
        Column("test1", "bleu.test1"),
        Column("test2", "bleu.test2"),
        Column("weights", "features", ",.0f"),
        Column("best epoch", "best", ".0f"),
        Column("CPU s", "cpu", ",.0f"),
        Column("decoding", "split.decoding", ",.0f"),
        Column("extraction", "split.extraction", ",.0f"),
        Column("learning", "split.learning", ",.0f"),
    )
}

RICH, DENSE = SETS["E+F"], SETS["online dense"]
EXPECTED = ["--loss", "expected"]
ALL, NONE = (["--model-set", f"features.augment={value}"] for value in ('["*"]', "[]"))


def _cutoff(sentences: int) -> list[str]:
    return ["--regulariser", "none", "--set", f"learner.pieces.min_sentences={sentences}"]


def _ignored(*states: str) -> list[str]:
    listed = ", ".join(f'"{state}"' for state in states)
    return ["--model-set", f"search.ignore_states=[{listed}]"]


def rows() -> Iterator[Row]:
    """The plain systems first, which are those of `features`."""
    tuning: Texts = BIBLE_GOLD.tuning
    one = replace(
        BIBLE_GOLD, tuning=replace(tuning, references=tuning.references[:1]), variant="one"
    )
    systems = [
        ("D", BIBLE_GOLD, DENSE),
        ("E+F", BIBLE_GOLD, RICH),
        ("E+F+D", BIBLE_GOLD, DOMAINS),
        ("D, expected BLEU", BIBLE_GOLD, [*DENSE, *EXPECTED]),
        ("E+F, expected BLEU", BIBLE_GOLD, [*RICH, *EXPECTED]),
        ("D, one reference", one, DENSE),
        ("E+F, one reference", one, RICH),
        ("E+F, no L1", BIBLE_GOLD, [*RICH, *_cutoff(0)]),
        ("E+F, no L1, 3 sentences", BIBLE_GOLD, [*RICH, *_cutoff(3)]),
        ("E+F, no L1, 10 sentences", BIBLE_GOLD, [*RICH, *_cutoff(10)]),
        ("E+F, no state of orientations", BIBLE_GOLD, [*RICH, *_ignored("orientation")]),
        ("E+F, no state of boundaries", BIBLE_GOLD, [*RICH, *_ignored("boundary")]),
        ("E+F, no state of either", BIBLE_GOLD, [*RICH, *_ignored("orientation", "boundary")]),
        ("E+F+D, all templates augmented", BIBLE_GOLD, [*DOMAINS, *ALL]),
        ("E+F+D, none augmented", BIBLE_GOLD, [*DOMAINS, *NONE]),
    ]
    for name, data, tune in systems:
        yield tuned_row(data, name, tune, train=TRAIN)
