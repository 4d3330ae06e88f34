"""The results of an experiment as a page of the documentation, with p-values."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

from miriam.metrics.significance import Significance, paired_tests
from rows import Column, Experiment, Results, Row, digest
from systems import DATA, METRIC, bleu_stats

__all__ = ["compare", "write_page"]

TRIALS = 2000


def write_page(experiment: Experiment, name: str, results: Results, page: Path) -> None:
    """Write the tables of an experiment."""
    rows = list(experiment.rows())
    text = [inspect.cleandoc(experiment.__doc__ or name), ""]
    text += [f"Written by `python reproduce/run.py {name}` from `reproduce/results/{name}.jsonl`.",
             "Figures are means over the seeds, ± their standard deviation."]  # fmt: skip
    if names := _baselines(experiment):
        text.append(
            f"p: approximate randomisation ({TRIALS:,} trials) against {' and '.join(names)}, on "
            "the sentences' statistics summed over the seeds that both have."
        )
    for data in dict.fromkeys(row.data for row in rows):
        systems = [s for s in results.by_system(rows) if s[0] == data]
        if systems:
            text += ["", f"## {data}", "", *_table(experiment, data, systems, results, rows)]
    page.parent.mkdir(exist_ok=True)
    page.write_text("\n".join(text) + "\n", encoding="utf-8")


def _table(
    experiment: Experiment, data: str, systems: Sequence[tuple[str, str, list[Row]]],
    results: Results, rows: Sequence[Row],
) -> Iterator[str]:  # fmt: skip
    columns = experiment.COLUMNS[data]
    titles = ["system", "seeds", *(column.title for column in columns)]
    tests = list(DATA[data].tests) if data in DATA else []
    names = _baselines(experiment)
    titles += [
        f"p {test}" if len(names) == 1 else f"p {test} ({name})" for name in names for test in tests
    ]
    yield f"| {' | '.join(titles)} |"
    yield f"|---|{'---:|' * (len(titles) - 1)}"
    for _, name, measured in systems:
        figures = [results.figures(row) for row in measured]
        cells = [name, str(len(measured))]
        cells += [_cell([_find(f, column.figure) for f in figures], column) for column in columns]
        for baseline in names:
            base = _baseline(baseline, rows, measured, results)
            line = results.lines.get(_pair_key(base, measured)) if base else None
            cells += [f"{line['p'][test]:.3f}" if line else "" for test in tests]
        yield f"| {' | '.join(cells)} |"


def _find(figures: Any, path: str) -> Any:
    for part in path.split("."):
        figures = figures.get(part) if isinstance(figures, dict) else None
    return figures


def _cell(values: Sequence[Any], column: Column) -> str:
    known = [float(value) for value in values if value is not None]
    if not known:
        return ""
    mean = format(fmean(known), column.form)
    return f"{mean} ± {format(stdev(known), column.form)}" if len(known) > 1 else mean


def compare(experiment: Experiment, results: Results) -> None:
    """Compute the p-values that can be: where both systems' hypotheses are in the cache."""
    rows = list(experiment.rows())
    pairs = product(list(results.by_system(rows)), _baselines(experiment))
    for (data, _, measured), name in pairs:
        base = _baseline(name, rows, measured, results)
        if not base or data not in DATA or _pair_key(base, measured) in results.lines:
            continue
        common = {r.seed for r in base} & {r.seed for r in measured}
        p = {test: _p_value(test, data, base, measured, common) for test in DATA[data].tests}
        if None not in p.values():
            results.append({"key": _pair_key(base, measured), "data": data,
                            "name": measured[0].name, "against": base[0].name,
                            "seeds": sorted(common), "p": p})  # fmt: skip


def _baselines(experiment: Experiment) -> tuple[str, ...]:
    """The names of the rows to compare with."""
    found = experiment.BASELINE
    return (found,) if isinstance(found, str) else found or ()


def _baseline(
    name: str, rows: Sequence[Row], measured: Sequence[Row], results: Results
) -> list[Row]:
    """The rows to compare with; none for the baseline itself, or without a common seed."""
    base = [
        row for row in rows if row.name == name and row.data == measured[0].data and row in results
    ]
    if measured[0].name == name:
        return []
    return base if {r.seed for r in base} & {r.seed for r in measured} else []


def _pair_key(base: Sequence[Row], measured: Sequence[Row]) -> str:
    return digest(["p", TRIALS, *(sorted(row.key for row in side) for side in (base, measured))])


def _p_value(
    test: str, data: str, base: Sequence[Row], measured: Sequence[Row], seeds: set[int]
) -> float | None:
    """Approximate randomisation, a sentence at a time, whatever the number of seeds."""
    sides = []
    for side in (base, measured):
        files = [row.folder / f"{test}.hyp" for row in side if row.seed in seeds]
        if not all(file.exists() for file in files):
            return None
        sides.append(np.sum([bleu_stats(file, DATA[data].tests[test]) for file in files], axis=0))
    if np.array_equal(*sides):
        return 1.0
    verdicts = paired_tests(METRIC, sides, Significance(trials=TRIALS, resamples=1))
    return verdicts[1].p_randomisation
