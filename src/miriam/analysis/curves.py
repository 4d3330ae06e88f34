"""What a run's log tells, as charts: how the learner went on, and what each step took."""

from __future__ import annotations

from miriam.analysis.charts import Bars, Lines
from miriam.analysis.groups import Groups
from miriam.analysis.run import Epoch, Run

__all__ = ["frequency_chart", "learning_curves", "length_chart", "timing_chart"]

CURVES = (
    ("score", "Development score", "score"),
    ("features", "Active features", "features whose weight is not 0"),
    ("length_ratio", "Length ratio", "words of the translation to one of the reference"),
    ("seconds", "Seconds an epoch", "seconds"),
)


def learning_curves(run: Run) -> list[Lines]:
    """A chart by epoch of each thing the log has; the epoch whose weights were kept is marked."""
    best = run.best
    x = "step" if any(record.get("event") == "step" for record in run.log) else "epoch"
    charts = []
    for field, title, y in CURVES:
        told = [(e, getattr(e, field)) for e in run.epochs if getattr(e, field) is not None]
        if field == "seconds":
            told = [(e, seconds) for e, seconds in told if e.epoch > 0]  # 0: before learning
        if len(told) > 1:
            charts.append(_curve(field, title, (x, y), told, best))
    return charts


def _curve(
    field: str, title: str, axes: tuple[str, str], told: list[tuple[Epoch, float]],
    best: Epoch | None,
) -> Lines:  # fmt: skip
    mark = next((i for i, (e, _) in enumerate(told) if best and e.epoch == best.epoch), None)
    xs, ys = [float(e.epoch) for e, _ in told], [float(value) for _, value in told]
    name = f"learning-{field.replace('_', '-')}"
    return Lines(name=name, title=title, x=axes[0], y=axes[1], xs=xs, ys=ys, mark=mark)


def length_chart(groups: Groups, metric: str) -> Bars:
    """Scores by the length of the source sentence."""
    return Bars(
        name="by-length", title="Score by sentence length", x="words in the source sentence",
        y=metric, groups=groups.names, series=groups.scores, sizes=groups.sizes,
    )  # fmt: skip


def frequency_chart(groups: Groups) -> Bars:
    """How well words are found, by their frequency."""
    return Bars(
        name="by-frequency", title="Words found, by their frequency",
        x="times the word was seen in training", y="F₁ in percent",
        groups=groups.names, series=groups.scores, sizes=groups.sizes,
    )  # fmt: skip


def timing_chart(run: Run) -> Bars | None:
    """The seconds of each step."""
    if not run.timings:
        return None
    return Bars(
        name="time-by-step", title="Time by step", x="step", y="seconds", horizontal=True,
        groups=[timing.step for timing in run.timings],
        series={"seconds": [timing.seconds for timing in run.timings]},
    )  # fmt: skip
