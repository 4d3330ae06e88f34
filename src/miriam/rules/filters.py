r"""Smaller tables: the best rules, those a text can use, those the corpus makes believable.

A filter is a mask over the rows of a table; `write_filtered` writes the rows that are left.

>>> import tempfile
>>> from miriam.lexicon.vocabulary import encode
>>> from miriam.rules.moses_import import import_moses
>>> lines = ["ein ||| a ||| 1 1 .6 1", "ein ||| one ||| 1 1 .4 1", "hund ||| dog ||| 1 1 1 1"]
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = Path(folder, "table").write_text("\n".join(lines))
...     table = import_moses(f"{folder}/table", folder)
...     keep = best(table, 1) & for_text(table, ["kein hund", "ein haus"])
...     [rule.target for rule in write_filtered(table, keep, f"{folder}/small")]
['a', 'dog']
>>> words = [table.source_words, table.target_words]
>>> bitext = encode([("ein hund", "a dog"), ("ein", "a")] * 2, words)
>>> scores = significance(table, *bitext)
>>> significant(scores, len(bitext[0])).tolist(), float(scores.max().round(4))
([False, False, True], 1.7918)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from miriam._core.rules import count_sentences, match_sources, negative_log_p
from miriam.errors import ConfigError
from miriam.lexicon.vocabulary import Sentences, encode
from miriam.progress import Report, run_native, silent
from miriam.rules.gaps import GAPS, HIERARCHICAL
from miriam.rules.table import RuleTable
from miriam.rules.write import TableWriter

__all__ = [
    "best",
    "for_text",
    "matching_sources",
    "significance",
    "significant",
    "write_filtered",
]

Mask = npt.NDArray[np.bool_]


def best(table: RuleTable, k: int, *, score: str = "phi(e|f)") -> Mask:
    r"""The `k` best rules of each source phrase by one score; of equal ones the first rows.

    >>> import tempfile
    >>> from miriam.rules.moses_import import import_moses
    >>> line = "ein hund ||| {} ||| 0.5 0.5 {} 0.5 ||| 0-0 1-1 ||| 2 4 1\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     text = line.format("a dog", 0.75) + line.format("a hound", 0.25)
    ...     _ = Path(folder, "t").write_text(text)
    ...     table = import_moses(f"{folder}/t", folder)
    ...     [rule.target for rule in table.lookup("ein hund")], best(table, 1).tolist()
    (['a dog', 'a hound'], [True, False])
    """
    if k < 1:
        raise ConfigError(f"at least 1 rule a source phrase must be kept, not {k}")
    if score not in table.score_names:
        raise ConfigError(
            f"the table has no score {score!r}; it has {', '.join(table.score_names)}"
        )
    values = table.scores[:, table.score_names.index(score)]
    begins = table.heads[:-1, 1].astype(np.int64)
    sources = _sources(table)
    order = np.lexsort((np.arange(len(table)), -values, sources))
    kept = np.zeros(len(table), np.bool_)
    kept[order] = np.arange(len(table)) - begins[sources] < k
    return kept


def for_text(
    table: RuleTable,
    sentences: Iterable[str],
    *,
    max_span: int | None = None,
    report: Report = silent,
) -> Mask:
    """The rules whose source phrase occurs in one of the sentences; a gap is any word or words.

    `max_span` is how many words a rule may cover, its gaps filled: by default as many as there are.

    >>> import tempfile
    >>> from miriam.rules.moses_import import import_moses
    >>> line = "ein hund ||| a dog ||| 0.5 0.5 1 0.5 ||| 0-0 1-1 ||| 2 2 2"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "t").write_text(line)
    ...     table = import_moses(f"{folder}/t", folder)
    ...     [for_text(table, [text]).tolist() for text in ("ein hund läuft", "ein mann")]
    [[True], [False]]
    """
    (text,) = encode(((sentence,) for sentence in sentences), [table.source_words])
    used = np.zeros(table.source_count, np.bool_)
    for sources in matching_sources(table, text, max_span=max_span, report=report):
        used[sources] = True
    return used[_sources(table)]


def matching_sources(
    table: RuleTable, text: Sentences, *, max_span: int | None = None, report: Report = silent
) -> list[npt.NDArray[np.int64]]:
    """For each sentence the numbers of the source phrases that occur in it, gaps and all.

    The text is encoded with the table's own vocabulary.

    >>> import tempfile
    >>> from miriam.rules.grammar_import import import_grammar
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "g").write_text("[X] ||| der [X,1] . ||| the [1] . ||| EgivenF=0")
    ...     table = import_grammar(f"{folder}/g", folder)
    >>> text, = encode([("der hund .",), ("der .",)], [table.source_words])
    >>> [len(sources) for sources in matching_sources(table, text)]
    [1, 0]
    """
    if max_span is not None and max_span < 1:
        raise ConfigError(f"a rule covers at least 1 word, not {max_span}")
    gaps = [table.source_words.find(gap) for gap in GAPS] if table.hierarchical else []
    longest = int(np.diff(table.heads[:, 0].astype(np.int64)).max(initial=0))
    sources, ends = run_native(
        lambda progress: match_sources(
            table.native, text.ids, text.ends, [gap for gap in gaps if gap is not None],
            longest, max_span or len(text.ids), progress,
        ),
        step="matching rules",
        report=report,
    )  # fmt: skip
    return np.split(sources.astype(np.int64), ends.astype(np.int64))[:-1]


def significance(
    table: RuleTable, source: Sentences, target: Sentences, *, report: Report = silent
) -> npt.NDArray[np.float64]:
    """-ln p of each rule in Fisher's exact test on a bitext (Johnson et al. 2007).

    p is the probability that as many sentence pairs or more have the source phrase on one side and
    the target phrase on the other, if the two were independent. The bitext is encoded with the
    table's own vocabularies.

    >>> import tempfile
    >>> from miriam.lexicon.vocabulary import encode
    >>> from miriam.rules.moses_import import import_moses
    >>> line = "ein hund ||| a dog ||| 0.5 0.5 1 0.5 ||| 0-0 1-1 ||| 1 1 1"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "t").write_text(line)
    ...     table = import_moses(f"{folder}/t", folder)
    ...     rows = [("ein hund", "a dog"), ("ein mann", "a man")]
    ...     bitext = encode(rows, [table.source_words, table.target_words])
    ...     significance(table, *bitext).round(4).tolist()  # seen once, together: ln 2
    [0.6931]
    """
    if len(source) != len(target):
        raise ConfigError(f"{len(source):,} source sentences, and {len(target):,} target sentences")
    sources, targets, both = run_native(
        lambda progress: count_sentences(
            table.native, source.ids, source.ends, target.ids, target.ends, progress
        ),
        step="counting sentences",
        report=report,
    )
    return negative_log_p(
        len(source), sources[_sources(table)], targets[table.container["rule.target"]], both
    )


def significant(
    scores: npt.NDArray[np.float64], sentences: int, *, threshold: str | float = "alpha+epsilon"
) -> Mask:
    """The rules that pass the test: those with -ln p above a threshold.

    alpha = ln(sentences) is what a pair of phrases that are seen once, together, attains:
    `alpha+epsilon` drops all of these, `alpha-epsilon` keeps them.

    >>> significant(np.array([np.log(100), 9.0]), 100).tolist()
    [False, True]
    >>> significant(np.array([np.log(100), 1.0]), 100, threshold="alpha-epsilon").tolist()
    [True, False]
    """
    alpha = math.log(sentences)
    epsilon = 1e-6 * max(alpha, 1.0)  # beyond rounding, and below any difference of counts
    thresholds = {"alpha+epsilon": alpha + epsilon, "alpha-epsilon": alpha - epsilon}
    if isinstance(threshold, str):
        if threshold not in thresholds:
            raise ConfigError(
                f"the threshold {threshold!r} is not known; give a number, 'alpha+epsilon' or "
                "'alpha-epsilon'"
            )
        threshold = thresholds[threshold]
    return scores > threshold


def write_filtered(table: RuleTable, keep: Mask, path: Path | str) -> RuleTable:
    r"""The table of the rows that are kept, written to a file.

    Counts and scores stay what they were; phrases that no rule uses any more are left out.

    >>> import tempfile
    >>> from miriam.rules.moses_import import import_moses
    >>> line = "{} ||| a dog ||| 0.5 0.5 1 0.5 ||| 0-0 ||| 2 1 1\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "t").write_text(line.format("hund") + line.format("tier"))
    ...     table = import_moses(f"{folder}/t", folder)
    ...     small = write_filtered(table, for_text(table, ["ein hund"]), f"{folder}/small")
    ...     len(table), len(small)
    (2, 1)
    """
    arrays = table.container
    sources = _sources(table)[keep]
    used, firsts = np.unique(sources, return_index=True)
    targets, numbers = np.unique(arrays["rule.target"][keep], return_inverse=True)
    source_words, source_ends = _take(arrays["source.words"], table.heads[1:, 0], used)
    columns: dict[str, np.ndarray] = {
        "source.words": source_words,
        "source.ends": source_ends,
        "source.counts": arrays["source.counts"][used],
        "rule.ends": np.append(firsts[1:], len(sources)).astype(np.uint64)[: len(used)],
        "rule.target": numbers.astype(np.uint32),
        "rule.count": arrays["rule.count"][keep],
        "rule.links": arrays["rule.links"][keep],
        "rule.scores": table.scores[keep].reshape(-1),
        "link.points": arrays["link.points"],
        "link.ends": arrays["link.ends"],
    }
    if table.domain_names:
        columns["rule.domains"] = arrays["rule.domains"][keep]
    with TableWriter(
        path,
        scores=table.score_names,
        domains=table.domain_names,
        metadata=HIERARCHICAL if table.hierarchical else None,
    ) as writer:
        writer.add_vocabularies(table.source_words, table.target_words)
        if "lexical.keys" in arrays.arrays:
            writer.add_lexical(arrays["lexical.keys"], arrays["lexical.counts"])
        words, ends = _take(arrays["target.words"], arrays["target.ends"], targets)
        writer.add_targets(words, ends, arrays["target.counts"][targets])
        writer.add_rules(columns)
    return RuleTable.open(path)


def _sources(table: RuleTable) -> npt.NDArray[np.int64]:
    """The number of the source phrase of each rule."""
    begins = table.heads[:, 1].astype(np.int64)
    return np.repeat(np.arange(table.source_count), begins[1:] - begins[:-1])


def _take(
    words: np.ndarray, ends: np.ndarray, numbers: np.ndarray
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
    """Some of the phrases that lie one after another in `words`."""
    bounds = np.concatenate([[0], ends]).astype(np.int64)
    lengths = bounds[1:] - bounds[:-1]
    wanted = np.zeros(len(ends), np.bool_)
    wanted[numbers] = True
    taken = np.cumsum(lengths[wanted], dtype=np.int64).astype(np.uint64)
    return words[np.repeat(wanted, lengths)], taken
