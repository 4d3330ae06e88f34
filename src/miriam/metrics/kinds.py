"""Kinds of words that normalisers of spelling get right more or less often."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from miriam.metrics.evaluation import Evaluation, evaluate
from miriam.metrics.metric import Metric
from miriam.metrics.significance import Significance

__all__ = ["evaluate_kinds", "kinds_of"]


def kinds_of(
    words: Sequence[str], references: Sequence[str], known: Callable[[str], bool] | None
) -> dict[str, list[int]]:
    """The numbers of the words of each kind that there is; `known` says if one was learnt from.

    >>> kinds_of(["vnd", "in", "jm"], ["und", "in", "im"], known={"vnd", "in"}.__contains__)
    {'known': [0, 1], 'unknown': [2], 'unchanged': [1], 'changed': [0, 2]}
    """
    kinds: dict[str, list[int]] = {}
    if known:
        learnt = [known(word) for word in words]
        kinds["known"] = [i for i, is_known in enumerate(learnt) if is_known]
        kinds["unknown"] = [i for i, is_known in enumerate(learnt) if not is_known]
    same = [word == reference for word, reference in zip(words, references, strict=True)]
    kinds["unchanged"] = [i for i, is_same in enumerate(same) if is_same]
    kinds["changed"] = [i for i, is_same in enumerate(same) if not is_same]
    return {kind: numbers for kind, numbers in kinds.items() if numbers}


def evaluate_kinds(
    metrics: Sequence[Metric],
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    kinds: Mapping[str, Sequence[int]],
    *,
    tests: Significance | None = None,
) -> list[Evaluation]:
    """An evaluation of each kind of words by each metric, named after both.

    >>> from miriam.metrics import Accuracy
    >>> systems, kinds = {"ours": ["und", "in", "jm"]}, {"known": [0, 1], "unknown": [2]}
    >>> found = evaluate_kinds([Accuracy()], systems, [["und", "in", "im"]], kinds)
    >>> [(e.metric, e.systems["ours"].score) for e in found]
    [('accuracy, known: 2', 100.0), ('accuracy, unknown: 1', 0.0)]
    """
    found = []
    for metric in metrics:
        for kind, numbers in kinds.items():
            some = {name: [lines[i] for i in numbers] for name, lines in systems.items()}
            targets = [[lines[i] for i in numbers] for lines in references]
            (evaluation,) = evaluate([metric], some, targets, tests=tests)
            label = f"{evaluation.metric}, {kind}: {len(numbers):,}"
            found.append(replace(evaluation, metric=label))
    return found
