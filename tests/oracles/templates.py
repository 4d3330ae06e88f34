"""Feature templates by definition: the features of a finished derivation, by name."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from oracles.search import event

Links = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Use:
    """A rule at work."""

    begin: int
    end: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    links: Links
    count: float
    domains: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Given:
    """Word classes and function words of both sides."""

    source_classes: Mapping[str, int]
    target_classes: Mapping[str, int]
    source_function_words: Sequence[str] = ()
    target_function_words: Sequence[str] = ()


def written(symbol: object) -> str:
    """A word or a class as it stands in a name."""
    if symbol in ("<s>", "</s>"):
        return str(symbol)
    return "".join(f"%{ord(c):02X}" if c in "%=|>-:," else c for c in str(symbol))


def joined(items: Sequence[object]) -> str:
    return "-".join(map(written, items))


def cliques(use: Use) -> Iterator[tuple[set[int], set[int]]]:
    """The connected words of a rule."""
    left = set(use.links)
    while left:
        i, j = min(left)
        sources, targets = {i}, {j}
        while more := {(s, t) for s, t in left if s in sources or t in targets}:
            sources |= {s for s, _ in more}
            targets |= {t for _, t in more}
            left -= more
        yield sources, targets


class Symbols:
    """Words, or classes."""

    def __init__(self, given: Given, by: str) -> None:
        self.suffix = "C" if by == "classes" else ""
        word: Callable[[str], Any] = lambda w: w  # noqa: E731
        self.s: Callable[[str], Any] = given.source_classes.__getitem__ if by == "classes" else word
        self.t: Callable[[str], Any] = given.target_classes.__getitem__ if by == "classes" else word

    def rule(self, use: Use) -> str:
        return f"{joined([*map(self.s, use.source)])}>{joined([*map(self.t, use.target)])}"


def frequent(use: Use, cutoff: int | None) -> bool:
    return cutoff is None or use.count > cutoff


def rule_indicator(d: Sequence[Use], x: Symbols, cutoff: int | None) -> Iterator[str]:
    yield from (f"PT{x.suffix}:{x.rule(use)}" for use in d if frequent(use, cutoff))


def alignment(d: Sequence[Use], x: Symbols, cutoff: int | None) -> Iterator[str]:
    for use in d:
        for sources, targets in cliques(use) if frequent(use, cutoff) else ():
            s = sorted({x.s(use.source[i]) for i in sources})
            t = sorted({x.t(use.target[j]) for j in targets})
            yield f"ALN{x.suffix}:{joined(s)}>{joined(t)}"


def source_deletion(d: Sequence[Use], x: Symbols) -> Iterator[str]:
    for use in d:
        linked = {i for i, _ in use.links}
        yield from (
            f"ALNS{x.suffix}:{written(x.s(w))}" for i, w in enumerate(use.source) if i not in linked
        )


def target_insertion(d: Sequence[Use], x: Symbols) -> Iterator[str]:
    for use in d:
        linked = {j for _, j in use.links}
        yield from (
            f"ALNT{x.suffix}:{written(x.t(w))}" for j, w in enumerate(use.target) if j not in linked
        )


def target_unigram(d: Sequence[Use], x: Symbols) -> Iterator[str]:
    name = "TGTCLS" if x.suffix else "TGT"
    yield from (f"{name}:{written(x.t(word))}" for use in d for word in use.target)


def target_bigram(d: Sequence[Use], x: Symbols) -> Iterator[str]:
    words = ["<s>", *(x.t(w) for use in d for w in use.target), "</s>"]
    yield from (f"NGR{x.suffix}:{joined([a, b])}" for a, b in pairwise(words))


def target_boundary(d: Sequence[Use], x: Symbols) -> Iterator[str]:
    right: object = "<s>"
    for use in d:
        if use.target:
            yield f"TGT{x.suffix}BND:{joined([right, x.t(use.target[0])])}"
            right = x.t(use.target[-1])
    yield f"TGT{x.suffix}BND:{joined([right, '</s>'])}"


def rule_dimension(d: Sequence[Use], side: str) -> Iterator[str]:
    for use in d:
        n, m = len(use.source), len(use.target)
        yield {"source": f"SRCD:{n}", "target": f"TGTD:{m}", "both": f"RSHP:{n}-{m}"}[side]


def constellation(d: Sequence[Use]) -> Iterator[str]:
    yield from (f"ACON:{joined([f'{i}.{j}' for i, j in use.links])}" for use in d)


def word_pairs(d: Sequence[Use]) -> Iterator[str]:
    for use in d:
        for i, j in use.links:
            s, t = list(map(written, use.source)), list(map(written, use.target))
            yield f"WP:{s[i]}>{t[j]}"
            if i > 0:
                yield f"WPS:{s[i - 1]}-{s[i]}>{t[j]}"
            if j > 0:
                yield f"WPT:{s[i]}>{t[j - 1]}-{t[j]}"


def rule_orientation(d: Sequence[Use], x: Symbols, cutoff: int | None) -> Iterator[str]:
    for i, use in enumerate(d):
        before = d[i - 1] if i else None
        what = event((before.begin, before.end) if before else None, use.begin, use.end)
        kinds = [what if what in ("monotone", "swap") else "discontinuous"]
        kinds += ["nonMonotone"] if what != "monotone" else []
        for kind in kinds:
            if frequent(use, cutoff):
                yield f"LO{x.suffix}:{kind}WithPrevious:{x.rule(use)}"
            if before and frequent(before, cutoff):
                yield f"LO{x.suffix}:{kind}WithNext:{x.rule(before)}"


def signed_distortion(d: Sequence[Use]) -> Iterator[str]:
    last = 0
    for use in d:
        if last != use.begin:
            yield f"DDIST:{'neg' if last < use.begin else 'pos'}"
        yield f"DDIST:{last - use.begin}"
        last = use.end


def domain_features(d: Sequence[Use], domains: set[str]) -> dict[str, float]:
    """DOM: rules seen in a domain of the sentence, and two such in a row."""
    inside = [bool(use.domains & domains) for use in d]
    counts = {"DOM:inrule": sum(inside), "DOM:adjrule": sum(a and b for a, b in pairwise(inside))}
    return {name: float(count) for name, count in counts.items() if count}


def ratio(name: str, target: int, source: int) -> dict[str, float]:
    return {name: target / source} if source and target else {}


def is_punctuation(word: str) -> bool:
    return all(unicodedata.category(c).startswith("P") for c in word)


def template_features(
    template: Mapping[str, object], d: Sequence[Use], sentence: Sequence[str], given: Given
) -> dict[str, float]:
    """What a template, by its settings, has on a derivation."""
    kind = str(template["kind"])
    if kind in ("in-domain-rule", "adjacent-in-domain"):
        raise ValueError("of domains; see `domain_features`")
    cutoff = template.get("cutoff")
    assert cutoff is None or isinstance(cutoff, int)
    x = Symbols(given, str(template.get("by", "words")))
    words = [word for use in d for word in use.target]
    if kind == "punctuation-ratio":
        return ratio("PDIF", sum(map(is_punctuation, words)), sum(map(is_punctuation, sentence)))
    if kind == "function-word-ratio":
        return ratio(
            "TWFN",
            sum(w in given.target_function_words for w in words),
            sum(w in given.source_function_words for w in sentence),
        )
    names = {
        "rule-indicator": lambda: rule_indicator(d, x, cutoff),
        "alignment": lambda: alignment(d, x, cutoff),
        "rule-orientation": lambda: rule_orientation(d, x, cutoff),
        "source-deletion": lambda: source_deletion(d, x),
        "target-insertion": lambda: target_insertion(d, x),
        "target-unigram": lambda: target_unigram(d, x),
        "target-bigram": lambda: target_bigram(d, x),
        "target-boundary": lambda: target_boundary(d, x),
        "rule-dimension": lambda: rule_dimension(d, str(template["side"])),
        "alignment-constellation": lambda: constellation(d),
        "word-pair": lambda: word_pairs(d),
        "signed-distortion": lambda: signed_distortion(d),
    }[kind]()
    return {name: float(count) for name, count in Counter(names).items()}
