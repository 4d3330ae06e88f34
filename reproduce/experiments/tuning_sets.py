"""# Tuning sets, learners and sparse features

Tables 2 to 8 of Green, Wang, Cer and Manning (2013), remade on the Bible. All models are trained on
the same text, from which 25,000 pairs are set aside (`reproduce/sequestered.py` says what the sets
are). Every learner tunes the dense features, PT, and PT with AL and LO, on the small and on the
large tuning set, MERT the dense ones only. The development set, with four references, chooses the
epoch. Online is the pairwise logistic loss with AdaGrad and L1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from miriam.analysis.domains import TuningSet, terms_of
from miriam.analysis.overlap import overlaps
from miriam.analysis.references import METRICS, reference_scores
from miriam.features.weights import read_weights
from miriam.text.files import read_lines
from rows import Column, Figures, Row
from sequestered import SEQUESTERED, TUNING, make_parts
from systems import tuned_row

BASELINE = "MERT, dense, MT06"
FEATURES: dict[str, list[str]] = {
    "dense": [],
    "PT": ["--set", 'features.templates=[{kind="rule-indicator"}]'],
    "PT+AL+LO": ["--set", 'features.set="2013"'],
}
LEARNERS: dict[str, list[str]] = {
    "MERT": ["--algorithm", "mert"],
    "PRO": ["--algorithm", "pro"],
    "kb-MIRA": ["--algorithm", "kbmira"],
    "online": [],
}
# What the two texts of Table 7 write otherwise.
TERMS = ("honor", "honour", "show", "shew", "you", "ye", "has", "hath")

COLUMNS = {
    "bible-aside": (
        Column("features", "features", ",.0f"),
        Column("dev", "bleu.dev"),
        *(Column(test, f"bleu.{test}") for test in SEQUESTERED.tests),
        Column("length MT09", "ratio.MT09", ".3f"),
        Column("epochs", "epochs", ".0f"),
        Column("first near best", "near", ".0f"),
        Column("CPU s", "cpu", ",.0f"),
    ),
    "overlap": (
        Column("A", "a", ",.0f"), Column("B", "b", ",.0f"), Column("both", "both", ",.0f"),
        Column("same sign", "same_sign", ",.0f"), Column("source words of A", "words_a"),
        Column("of B", "words_b"), Column("of both", "words_both"),
    ),
    "terms": (
        Column("# web", "tokens.web", ",.0f"), Column("# kjv", "tokens.kjv", ",.0f"),
        Column("PT web", "rules.web", ",.0f"), Column("PT kjv", "rules.kjv", ",.0f"),
    ),
    "references": (
        Column("highest − lowest", "spread.mean"), Column("SD", "spread.deviation"),
        Column("all − highest", "gain.mean"), Column("SD ", "gain.deviation"),
    ),
}  # fmt: skip


def rows() -> Iterator[Row]:
    """Tables 2 to 5 and 8, then what is counted in their weights and their output."""
    for tuning in ("MT06", "MT05/6/8"):
        for features in FEATURES:
            for learner in LEARNERS:
                if learner != "MERT" or features == "dense":
                    yield tuned(learner, features, tuning)
    yield tuned("online", "PT+AL+LO", "bitext15k")
    for tuning in ("bitext5k", "bitext15k", "MT04", "bitext5k-test", "web", "kjv"):
        yield tuned("online", "PT", tuning)
    for test in ("MT04", "bitext5k-test"):
        for tuning in ("MT06", "MT05/6/8", "bitext5k", "bitext15k"):
            yield overlap(test, tuning)
    yield from (term(word) for word in TERMS)
    yield from (variance(metric) for metric in METRICS)


def tuned(learner: str, features: str, tuning: str) -> Row:
    """A model with these features, tuned by this learner on this set."""
    name = f"{learner}, {features}, {tuning}"
    data = replace(SEQUESTERED, tuning=TUNING[tuning])
    row = tuned_row(data, name, LEARNERS[learner], train=FEATURES[features])

    def measure(folder: Path) -> Figures:
        make_parts()
        return row.measure(folder)

    return replace(row, settings={**row.settings, "tuning": tuning}, measure=measure)


def overlap(test: str, tuning: str) -> Row:
    """Table 6: the PT features that weights tuned on a test set and on a tuning set share."""
    first, second = (tuned("online", "PT", name) for name in (test, tuning))

    def measure(_: Path) -> Figures:
        weights = {"A": _weights(first), "B": _weights(second)}
        found = overlaps(weights, "PT")[0]
        return {name: getattr(found, name) for name in
                ("a", "b", "both", "same_sign", "words_a", "words_b", "words_both")}  # fmt: skip

    return _counted("overlap", f"{test} and {tuning}", (first, second), measure)


def term(word: str) -> Row:
    """Table 7: how often two tuning sets, and the rules learnt from them, have a word."""
    used = {name: tuned("online", "PT", name) for name in ("web", "kjv")}

    def measure(_: Path) -> Figures:
        sets = [
            TuningSet(name=name, weights=_weights(row),
                      lines=list(read_lines(TUNING[name].references[0])))
            for name, row in used.items()
        ]  # fmt: skip
        (found,) = terms_of(sets, [word], "PT")
        return {"tokens": dict(zip(used, found.tokens, strict=True)),
                "rules": dict(zip(used, found.rules, strict=True))}  # fmt: skip

    return _counted("terms", word, tuple(used.values()), measure)


def variance(metric: str) -> Row:
    """Figure 1 of 2014: the output of the dense system on the development set, four references."""
    dense = tuned("online", "dense", "MT05/6/8")
    chooses = SEQUESTERED.chooses

    def measure(_: Path) -> Figures:
        texts = [_of(dense, "dev.hyp"), *chooses.references]
        hypotheses, *references = (list(read_lines(text)) for text in texts)
        scores = reference_scores(hypotheses, references, METRICS[metric])
        moments = {"spread": scores.spread, "gain": scores.gain}
        return {
            name: {"mean": round(mean, 4), "deviation": round(deviation, 4)}
            for name, (mean, deviation) in moments.items()
        }

    return _counted("references", metric, (dense,), measure)


def _counted(
    data: str, name: str, used: tuple[Row, ...], measure: Callable[[Path], Figures]
) -> Row:  # fmt: skip
    """A row that is counted in what other rows have left in the cache."""
    settings = {"name": name, "of": [row.key for row in used]}
    return Row(data=data, name=name, settings=settings, measure=measure)


def _weights(row: Row) -> dict[str, float]:
    return read_weights(_of(row, "weights.txt"))


def _of(row: Row, name: str) -> Path:
    path = row.folder / name
    if not path.exists():
        raise SystemExit(
            f"{path} is not there: the cache lacks the row {row.name!r}; remove its line from "
            "results/tuning_sets.jsonl and run it again"
        )
    return path
