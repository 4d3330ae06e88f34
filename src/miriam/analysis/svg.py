"""Charts as inline SVG; colours come from the style sheet of the page, so they follow its theme."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence

from miriam.analysis.charts import Bars, Chart, Lines, Points, ticks

__all__ = ["render"]

WIDTH, HEIGHT = 380, 232
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 16, 44
Scale = Callable[[float], float]


def render(chart: Chart) -> str:
    """A chart as an `<svg>` element.

    >>> chart = Lines(name="c", title="Score", x="epoch", y="BLEU", xs=[0, 1], ys=[30, 35], mark=1)
    >>> render(chart)[:60]
    '<svg class="chart" viewBox="0 0 380 232" role="img" aria-lab'
    """
    if isinstance(chart, Lines):
        inside = "".join(_lines(chart))
    elif isinstance(chart, Bars):
        inside = "".join(_bars(chart))
    else:
        inside = "".join(_points(chart))
    label = html.escape(f"{chart.title}: {chart.y} by {chart.x}")
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f"{inside}</svg>"
    )


def _lines(chart: Lines) -> Iterator[str]:
    xs, ys = list(chart.xs), list(chart.ys)
    whole = all(float(x).is_integer() for x in xs)
    across = [t for t in ticks(min(xs), max(xs), most=8, whole=whole) if min(xs) <= t <= max(xs)]
    up = ticks(min(ys), max(ys), most=4, whole=all(float(y).is_integer() for y in ys))
    x, y = _scale(min(xs), max(xs), LEFT + 8, WIDTH - RIGHT - 8), _upwards(up)
    yield from _grid(up, y)
    for t, label in zip(across, _tick_labels(across), strict=True):
        yield _text(x(t), HEIGHT - BOTTOM + 17, label, "tick")
    path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(xs, ys, strict=True))
    yield f'<polyline class="line" points="{path}"/>'
    for number, (a, b) in enumerate(zip(xs, ys, strict=True)):
        if len(xs) <= 40 or number == chart.mark:
            kind = "dot marked" if number == chart.mark else "dot"
            radius = 5 if number == chart.mark else 2.6
            yield (
                f'<circle class="{kind}" cx="{x(a):.1f}" cy="{y(b):.1f}" r="{radius}">'
                f"<title>{html.escape(chart.x)} {_number(a)}: {_number(b)}</title></circle>"
            )
    if chart.mark is not None:
        a, b = x(xs[chart.mark]), y(ys[chart.mark])
        above = b > TOP + 22
        anchor = "start" if a < LEFT + 40 else "end" if a > WIDTH - RIGHT - 40 else "middle"
        yield _text(a, b - 10 if above else b + 20, _number(ys[chart.mark]), "value", anchor)
    yield from _labels(chart)


def _bars(chart: Bars) -> Iterator[str]:
    highest = max((value for values in chart.series.values() for value in values), default=1.0)
    up = ticks(0, highest, most=4)
    y = _upwards(up)
    yield from _grid(up, y)
    wide = (WIDTH - LEFT - RIGHT) / max(1, len(chart.groups))
    bar = min(26.0, 0.74 * wide / max(1, len(chart.series)))
    for g, group in enumerate(chart.groups):
        middle = LEFT + (g + 0.5) * wide
        begin = middle - bar * len(chart.series) / 2
        size = f" (n = {chart.sizes[g]:,})" if chart.sizes else ""
        for s, (name, values) in enumerate(chart.series.items()):
            top = y(values[g])
            yield (
                f'<rect class="column s{s}" x="{begin + s * bar + 0.75:.1f}" y="{top:.1f}" '
                f'width="{bar - 1.5:.1f}" height="{y(0) - top:.1f}" rx="1.5">'
                f"<title>{html.escape(f'{name}, {group}{size}: {values[g]:.1f}')}</title></rect>"
            )
        yield _text(middle, HEIGHT - BOTTOM + 15, group, "tick small")
        if chart.sizes:
            yield _text(middle, HEIGHT - BOTTOM + 26, f"{chart.sizes[g]:,}", "tick faint")
    yield from _labels(chart, below=6 if chart.sizes else 0)


def _points(chart: Points) -> Iterator[str]:
    up = [0.0, 25.0, 50.0, 75.0, 100.0]
    x, y = _scale(0, 100, LEFT + 8, WIDTH - RIGHT - 8), _upwards(up)
    yield from _grid(up, y)
    yield from (_text(x(t), HEIGHT - BOTTOM + 17, _number(t), "tick") for t in up)
    yield f'<path class="diagonal" d="M{x(0):.1f} {y(0):.1f}L{x(100):.1f} {y(100):.1f}"/>'
    for a, b in zip(chart.xs, chart.ys, strict=True):
        yield f'<circle class="point" cx="{x(a):.1f}" cy="{y(b):.1f}" r="2.2"/>'
    yield from _labels(chart)


def _grid(up: Sequence[float], y: Scale) -> Iterator[str]:
    for t, label in zip(up, _tick_labels(up), strict=True):
        kind = "axis" if t == up[0] else "grid"
        yield f'<path class="{kind}" d="M{LEFT} {y(t):.1f}H{WIDTH - RIGHT}"/>'
        yield _text(LEFT - 7, y(t) + 4, label, "tick", "end")


def _labels(chart: Chart, *, below: int = 0) -> Iterator[str]:
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8 + below, chart.x, "label")


def _upwards(up: Sequence[float]) -> Scale:
    return _scale(up[0], up[-1], HEIGHT - BOTTOM, TOP)


def _scale(low: float, high: float, begin: float, end: float) -> Scale:
    span = high - low
    return lambda value: (
        (begin + end) / 2 if not span else begin + (value - low) / span * (end - begin)
    )


def _text(x: float, y: float, text: str, kind: str, anchor: str = "middle") -> str:
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
        f"{html.escape(text)}</text>"
    )


def _number(value: float) -> str:
    """A value as short as it can be said.

    >>> _number(1200000), _number(38.254), _number(1.0064), _number(0.0012), _number(3.0)
    ('1.2M', '38.25', '1.006', '0.0012', '3')
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= (size if letter == "M" else 1e4):
            return f"{value / size:.4g}{letter}"
    if float(value).is_integer():
        return f"{value:,.0f}"
    if abs(value) < 0.1:
        return f"{value:.3g}"
    return f"{value:.{2 if abs(value) >= 2 else 3}f}".rstrip("0").rstrip(".")


def _tick_labels(values: Sequence[float]) -> list[str]:
    """Values with as many digits as it takes to write the one that has most.

    >>> _tick_labels([1.0, 1.005, 1.01]), _tick_labels([0, 20000])
    (['1.000', '1.005', '1.010'], ['0', '20k'])
    """
    digits = next((d for d in range(1, 7) if all(abs(round(v, d) - v) < 1e-9 for v in values)), 6)
    whole = all(float(value).is_integer() for value in values)
    return [_number(v) if whole else f"{v:.{digits}f}" for v in values]
