"""Charts as files, drawn with Matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from miriam.analysis.charts import Bars, Chart, Lines
from miriam.errors import MissingExtraError
from miriam.whole import written_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw"]

INK, SOFT, GRID = "#22252a", "#5d636d", "#e4e1d9"
SERIES = ("#a4580f", "#1f5fa8", "#1d7044", "#8b5fa8")  # untuned, tuned, ...
STYLE: dict[str, Any] = {
    "font.family": "sans-serif", "font.size": 10, "axes.titlesize": 12, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False,
    "axes.spines.left": False, "axes.edgecolor": SOFT, "axes.labelcolor": SOFT,
    "xtick.color": SOFT, "ytick.color": SOFT, "text.color": INK, "ytick.left": False,
    "axes.grid": True, "axes.grid.axis": "y", "grid.color": GRID, "axes.axisbelow": True,
    "legend.frameon": False, "svg.hashsalt": "miriam", "figure.constrained_layout.use": True,
}  # fmt: skip


def draw(charts: Sequence[Chart], path: Path | str, *, dots: int = 200) -> None:
    """Draw charts side by side into a `.png` or `.svg` file; the same charts, the same bytes."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", extra="plots", purpose="Pictures") from None
    with rc_context(cast("Any", STYLE)), written_whole([path]) as (temporary,):
        figure = Figure(figsize=(5.6 * len(charts), 3.9))
        for axes, chart in zip(
            figure.subplots(1, len(charts), squeeze=False)[0], charts, strict=True
        ):
            axes.set_title(chart.title)
            _drawing(chart)(chart, axes)
        kind = Path(path).suffix.removeprefix(".")
        nothing = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(temporary, format=kind, dpi=dots, metadata=nothing)


def _drawing(chart: Chart) -> Callable[[Any, Axes], None]:
    if isinstance(chart, Lines):
        return _lines
    if isinstance(chart, Bars):
        return _steps if chart.horizontal else _bars
    return _points


def _lines(chart: Lines, axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.plot(chart.xs, chart.ys, color=SERIES[1], marker="o", markersize=3, linewidth=1.8)
    if chart.mark is not None:
        x, y = chart.xs[chart.mark], chart.ys[chart.mark]
        axes.plot([x], [y], "o", markersize=8, color="white", markeredgecolor=SERIES[1],
                  markeredgewidth=1.8)  # fmt: skip
        axes.annotate(f"{y:,.6g}" if abs(y) >= 1000 else f"{y:.4g}", (x, y), (0, 9),
                      textcoords="offset points", ha="center", weight="bold")  # fmt: skip
    axes.margins(y=0.18)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if all(float(y).is_integer() for y in chart.ys):
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel=chart.x, ylabel=chart.y)


def _bars(chart: Bars, axes: Axes) -> None:
    wide = 0.8 / len(chart.series)
    for number, (name, values) in enumerate(chart.series.items()):
        colour = SERIES[1] if len(chart.series) == 1 else SERIES[number]
        places = [g - 0.4 + (number + 0.5) * wide for g in range(len(values))]
        axes.bar(places, values, 0.94 * wide, color=colour, label=name)
    sizes = [f"\n{size:,}" for size in chart.sizes] or [""] * len(chart.groups)
    labels = [f"{group}{size}" for group, size in zip(chart.groups, sizes, strict=True)]
    axes.set_xticks(range(len(labels)), labels, fontsize=8.5)
    axes.set(xlabel=chart.x, ylabel=chart.y)
    if len(chart.series) > 1:
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(chart.series), fontsize=9)


def _steps(chart: Bars, axes: Axes) -> None:
    (values,) = chart.series.values()
    bars = axes.barh(range(len(values)), values, 0.6, color=SERIES[2])
    axes.bar_label(bars, [f" {value:.1f} s" for value in values])
    axes.set_yticks(range(len(values)), chart.groups)
    axes.set_ylim(max(len(values), 3) - 0.5, -0.5)
    axes.margins(x=0.14)
    axes.grid(visible=False)
    axes.set(xlabel=chart.y)


def _points(chart: Any, axes: Axes) -> None:
    axes.plot([0, 100], [0, 100], color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
    axes.scatter(chart.xs, chart.ys, s=9, color=SERIES[1], alpha=0.45, linewidths=0)
    axes.set(xlim=(-2, 102), ylim=(-2, 102), aspect="equal", xlabel=chart.x, ylabel=chart.y)
    axes.grid(visible=True, axis="both")
    if chart.note:
        axes.text(0.97, 0.03, chart.note, transform=axes.transAxes, ha="right", va="bottom",
                  color=INK)  # fmt: skip
