"""Figures: the head of the page, scores, curves, times, settings."""

from __future__ import annotations

import json
from html import escape

from miriam.analysis.curves import learning_curves
from miriam.analysis.report.content import TUNED, UNTUNED, Report
from miriam.analysis.report.html import code, duration, signed, table
from miriam.analysis.runtime import WORK, runtime_of
from miriam.analysis.svg import render
from miriam.analysis.weights import active
from miriam.metrics import Evaluation

__all__ = ["groups", "learning", "scores", "settings", "summary", "timings"]

MEBI = 1 << 20


def summary(report: Report) -> str:
    """The title, and the few figures that matter most."""
    run, comparison = report.run, report.comparison
    tiles = [_score_tile(row) for row in comparison.evaluations] if comparison else []
    if run.weights is not None:
        count = len(active(run.weights))
        was = f"{len(active(run.untuned)):,} before" if run.untuned is not None else ""
        tiles.append(_tile("Active features", f"{count:,}", was))
    if run.best:
        kept = f"epoch {run.best.epoch} of {run.epochs[-1].epoch} was kept"
        score = "" if run.best.score is None else f"{run.best.score:.2f}"
        tiles.append(_tile("Development score", score, kept) if score else "")
    if run.seconds:
        tiles.append(_tile("Time", duration(run.seconds), ""))
    subtitle = f"A report on the run <b>{escape(run.name)}</b>"
    if comparison:
        subtitle += f", with {len(comparison.sentences):,} sentences translated"
    return (
        f'<p class="over">Miriam</p><h1>{escape(report.title)}</h1>'
        f'<p class="sub">{subtitle}.</p><div class="tiles">{"".join(tiles)}</div>'
    )


def _score_tile(row: Evaluation) -> str:
    tuned = row.systems[TUNED].score
    if UNTUNED not in row.systems:
        return _tile(row.metric, f"{tuned:.1f}", "")
    untuned = row.systems[UNTUNED].score
    better = (tuned > untuned) == row.higher_is_better and tuned != untuned
    kind = "better" if better else "worse" if tuned != untuned else ""
    change = f'<span class="{kind}">{signed(tuned - untuned, 1)}</span> from {untuned:.1f}'
    name = row.metric if row.higher_is_better else f"{row.metric} (errors)"
    return _tile(name, f"{tuned:.1f}", change)


def _tile(name: str, figure: str, note: str) -> str:
    return (
        f'<div class="tile"><span class="name">{escape(name)}</span>'
        f'<span class="figure">{figure}</span><span class="note">{note}</span></div>'
    )


def scores(report: Report) -> str:
    """A row for each metric."""
    if report.comparison is None or not report.comparison.evaluations:
        return ""
    rows, tested = [], False
    for row in report.comparison.evaluations:
        cells = [escape(row.metric) + ("" if row.higher_is_better else " <small>(errors)</small>")]
        cells += [f"{verdict.score:.2f}" for verdict in row.systems.values()]
        if UNTUNED in row.systems:
            tuned, untuned = row.systems[TUNED], row.systems[UNTUNED]
            cells.append(signed(tuned.score - untuned.score, 2))
            if tuned.p_randomisation is not None:
                tested = True
                cells.append(f"{tuned.p_randomisation:.4f}")
        rows.append(cells)
    names = [escape(name) for name in report.comparison.evaluations[0].systems]
    head = ["metric", *names, *(["change"] if len(names) > 1 else []), *(["p"] if tested else [])]
    signatures = "<br>".join(
        f"{escape(row.metric)}|{escape(row.signature)}" for row in report.comparison.evaluations
    )
    note = "p: paired approximate randomisation; that a change this large is chance.<br>"
    return table(head, rows) + f'<p class="small">{note if tested else ""}{signatures}</p>'


def learning(report: Report) -> str:
    """The curves of the log."""
    charts = learning_curves(report.run)
    if not charts:
        return ""
    figures = "".join(_figure(chart.title, chart.y, render(chart)) for chart in charts)
    return (
        '<p class="lead">The ringed point is the epoch whose weights were kept.</p>'
        f'<div class="charts">{figures}</div>'
    )


def groups(report: Report) -> str:
    """Scores by the length of sentences, and by the frequency of words."""
    if report.comparison is None or not report.comparison.charts:
        return ""
    names = list(report.comparison.charts[0].series)
    legend = "".join(
        f'<li><i class="swatch s{i}"></i>{escape(name)}</li>' for i, name in enumerate(names)
    )
    figures = "".join(
        _figure(chart.title, f"{chart.y}; small figures: how many", render(chart))
        for chart in report.comparison.charts
    )
    legend = f'<ul class="legend">{legend}</ul>' if len(names) > 1 else ""
    return f'{legend}<div class="charts">{figures}</div>'


def _figure(title: str, note: str, svg: str) -> str:
    return (
        f"<figure><figcaption><b>{escape(title)}</b><span>{escape(note)}</span></figcaption>"
        f"{svg}</figure>"
    )


def timings(report: Report) -> str:
    """A bar for each step, and for each kind of work in an epoch."""
    steps = report.run.timings
    parts = []
    if steps:
        longest = max(timing.seconds for timing in steps) or 1.0
        known = any(timing.memory for timing in steps)
        rows = [
            [escape(t.step), duration(t.seconds),
             *([f"{t.memory / MEBI:,.0f} MB" if t.memory else ""] if known else []),
             _time_bar(t.seconds, longest)]
            for t in steps
        ]  # fmt: skip
        parts.append(table(["step", "time", *(["memory"] if known else []), ""], rows))
        if known:
            note = "Memory: the most that the process had used by the end of the step."
            parts.append(f'<p class="small">{note}</p>')
    if any(epoch.split for epoch in report.run.epochs):
        parts.append("<h3>An epoch of tuning, on average</h3>" + _split(report))
    return "".join(parts)


def _split(report: Report) -> str:
    split = runtime_of(report.run, report.run.name).split
    longest = max(split.values(), default=0.0) or 1.0
    rows = [
        [f"{work} <small>{WORK[work]}</small>", duration(seconds), _time_bar(seconds, longest)]
        for work, seconds in split.items()
    ]
    note = "By the clock; work on mini-batches that overlaps counts each for itself."
    return table(["work", "time", ""], rows) + f'<p class="small">{note}</p>'


def _time_bar(seconds: float, longest: float) -> str:
    width = f"left:0;width:{100 * seconds / longest:.1f}%"
    return f'<span class="bar"><i class="time" style="{width}"></i></span>'


def settings(report: Report) -> str:
    """All of them, by their path."""
    found = report.run.settings
    if not found:
        return ""
    rows = [
        [code(path), f"<code>{escape(json.dumps(value, default=str))}</code>"]
        for path, value in found.items()
    ]
    listed = table(["setting", "value"], rows, words=True)
    return f"<details><summary>{len(rows)} settings</summary>{listed}</details>"
