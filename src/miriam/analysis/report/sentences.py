"""Tuned against untuned output, sentence by sentence, the differences marked."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from miriam.analysis.difference import difference
from miriam.analysis.report.content import TUNED, UNTUNED, Report, Sentence
from miriam.analysis.report.html import signed

__all__ = ["sentences"]

EXTREMES = 6  # sentences that have gained and lost most
LISTED = 300  # changed sentences that are listed


def sentences(report: Report) -> str:
    """Tuned against untuned output, the differences marked."""
    comparison = report.comparison
    if comparison is None:
        return ""
    if UNTUNED not in comparison.sentences[0].texts:
        return _listed("Translations", comparison.sentences[:LISTED], shut=False)
    changed = [s for s in comparison.sentences if s.changed]
    scored = bool(comparison.sentences[0].scores)
    better, worse = (sum(s.change * sign > 0 for s in changed) for sign in (1, -1))
    total = len(comparison.sentences)
    text = f"{len(changed):,} of {total:,} translations differ"
    if scored:
        text += f": {better:,} score higher by BLEU+1, {worse:,} lower"
    parts = [
        f'<p class="lead">{text}. <del>Only untuned</del> and <ins>only tuned</ins> words are '
        "marked.</p>"
    ]
    if scored:
        ranked = sorted(changed, key=lambda s: (-s.change, s.number))
        gains = [s for s in ranked if s.change > 0][:EXTREMES]
        losses = [s for s in reversed(ranked) if s.change < 0][:EXTREMES]
        parts.append(_listed("Gained most", gains, shut=False))
        parts.append(_listed("Lost most", losses, shut=False))
    shown = changed[:LISTED]
    more = "" if len(shown) == len(changed) else f", the first {LISTED}"
    parts.append(_listed(f"All that differ, in order{more}", shown, shut=True))
    return "".join(parts)


def _listed(title: str, listed: Sequence[Sentence], *, shut: bool) -> str:
    if not listed:
        return ""
    items = "".join(map(_sentence, listed))
    if shut:
        return f"<details><summary>{title}</summary><ol class='sentences'>{items}</ol></details>"
    return f"<h3>{title}</h3><ol class='sentences'>{items}</ol>"


def _sentence(sentence: Sentence) -> str:
    rows = [("source", [escape(sentence.source)])]
    if UNTUNED in sentence.texts:
        first, second = (sentence.texts[name].split() for name in (UNTUNED, TUNED))
        pieces = difference(first, second)
        old = [_marked(piece.first, "" if piece.same else "del") for piece in pieces]
        new = [_marked(piece.second, "" if piece.same else "ins") for piece in pieces]
        rows += [(UNTUNED, [" ".join(filter(None, old))]), (TUNED, [" ".join(filter(None, new))])]
    else:
        rows.append(("translation", [escape(sentence.texts[TUNED])]))
    if sentence.references:
        name = "reference" if len(sentence.references) == 1 else "references"
        rows.append((name, list(map(escape, sentence.references))))
    lines = "".join(
        f"<dt>{name}</dt>" + "".join(f'<dd class="{name}" dir="auto">{t}</dd>' for t in texts)
        for name, texts in rows
    )
    return (
        f'<li><span class="number">{sentence.number:,}{_change(sentence)}</span>'
        f"<dl>{lines}</dl></li>"
    )


def _marked(words: Sequence[str], tag: str) -> str:
    text = escape(" ".join(words))
    return f"<{tag}>{text}</{tag}>" if tag and text else text


def _change(sentence: Sentence) -> str:
    if UNTUNED not in sentence.scores:
        return ""
    kind = "better" if sentence.change > 0 else "worse" if sentence.change < 0 else ""
    return f'<b class="{kind}">{signed(sentence.change, 0)}</b>'
