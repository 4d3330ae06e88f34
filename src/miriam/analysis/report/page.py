"""The page: sections one below the other, each left out where there is nothing to say."""

from __future__ import annotations

import html
from importlib.resources import files

from miriam.analysis.report.content import Report
from miriam.analysis.report.explained import explained
from miriam.analysis.report.figures import groups, learning, scores, settings, summary, timings
from miriam.analysis.report.heaviest import weights
from miriam.analysis.report.sentences import sentences

__all__ = ["page"]

SECTIONS = (
    ("scores", "Scores", scores),
    ("learning", "How it learnt", learning),
    ("weights", "What weighs", weights),
    ("sentences", "Sentence by sentence", sentences),
    ("explained", "One sentence explained", explained),
    ("groups", "Where it is good", groups),
    ("time", "Time by step", timings),
    ("settings", "Settings", settings),
)


def page(report: Report) -> str:
    """The report as one page that needs nothing else: no network, no script."""
    style = (files("miriam.analysis.report") / "style.css").read_text(encoding="utf-8")
    made = [(name, title, section(report)) for name, title, section in SECTIONS]
    made = [(name, title, inside) for name, title, inside in made if inside]
    title = html.escape(f"{report.title}, {report.run.name}")
    contents = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in made)
    body = "".join(
        f'<section id="{name}"><h2>{title}</h2>{inside}</section>' for name, title, inside in made
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title} · Miriam</title><style>\n{style}</style></head><body>"
        f"<header>{summary(report)}</header>"
        f'<nav aria-label="Contents"><ol>{contents}</ol></nav><main>{body}</main>'
        f"{_footer(report)}</body></html>\n"
    )


def _footer(report: Report) -> str:
    about = report.run.about
    parts = [
        f"Miriam {about.miriam}" if about.miriam else "Miriam",
        f"Python {about.python}" if about.python else "",
        f"NumPy {about.numpy}" if about.numpy else "",
        f"seed {about.seed}" if about.seed is not None else "",
        f"{about.threads} threads" if about.threads else "",
        f"begun {about.started}" if about.started else "",
    ]
    return f"<footer>{html.escape(' · '.join(part for part in parts if part))}</footer>"
