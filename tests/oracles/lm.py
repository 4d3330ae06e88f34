"""Kneser-Ney by the book: dictionaries, one n-gram at a time, nothing clever."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

Gram = tuple[str, ...]
FALLBACK = (0.0, 0.5, 1.0, 1.5)


def discounts_of(counts: Counter[Gram]) -> tuple[float, ...]:
    """Chen and Goodman (1998), equation 26."""
    n = [sum(c == k for c in counts.values()) for k in range(5)]
    if not (n[1] and n[2] and n[3]):
        return FALLBACK
    y = n[1] / (n[1] + 2 * n[2])
    amounts = (0.0, *(k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3)))
    return amounts if min(amounts[1:]) > 0 else FALLBACK


@dataclass
class KneserNey:
    """Interpolated modified Kneser-Ney of a text, with count pruning as lmplz does it."""

    order: int
    prune: Sequence[int] = ()
    adjusted: list[Counter[Gram]] = field(default_factory=list)
    raw: list[Counter[Gram]] = field(default_factory=list)

    def fit(self, lines: Sequence[Sequence[str]]) -> KneserNey:
        sentences = [["<s>", *line, "</s>"] for line in lines]
        self.raw = [
            Counter(
                tuple(s[i : i + n])
                for s in sentences
                for i in range(len(s) - n + 1)
                if n > 1 or i > 0  # <s> is never predicted
            )
            for n in range(1, self.order + 1)
        ]
        self.adjusted = [Counter() for _ in range(self.order)]
        for n, raw in enumerate(self.raw, 1):
            if n == self.order:
                self.adjusted[n - 1] = raw
                continue
            before = defaultdict(set)
            for gram in self.raw[n]:
                before[gram[1:]].add(gram[0])
            for gram, count in raw.items():
                self.adjusted[n - 1][gram] = count if gram[0] == "<s>" else len(before[gram])
        self.discounts = [discounts_of(counts) for counts in self.adjusted]
        self.after: list[dict[Gram, list[Gram]]] = [defaultdict(list) for _ in self.adjusted]
        for counts, after in zip(self.adjusted, self.after, strict=True):
            for gram in counts:
                after[gram[:-1]].append(gram)
        return self

    def pruned(self, gram: Gram) -> bool:
        if gram in {("<s>",), ("</s>",), ("<unk>",)}:
            return False
        threshold = [*self.prune, *([self.prune[-1] if self.prune else 0] * 10)][len(gram) - 1]
        return self.raw[len(gram) - 1][gram] <= threshold

    def vocabulary(self) -> list[str]:
        """All that can be predicted."""
        return ["<unk>", *(g[0] for g in self.adjusted[0] if not self.pruned(g))]

    def gamma(self, context: Gram) -> float:
        n = len(context) + 1
        grams = self.after[n - 1].get(context, [])
        if all(self.pruned(g) for g in grams):
            return 1.0
        total = left = 0.0
        for gram in grams:
            count = self.adjusted[n - 1][gram]
            total += count
            left += count if self.pruned(gram) else self.discounts[n - 1][min(count, 3)]
        return left / total

    def probability(self, word: str, context: Gram) -> float:
        context = context[-(self.order - 1) :] if self.order > 1 else ()
        n = len(context) + 1
        gram = (*context, word)
        lower = self.probability(word, context[1:]) if context else 1 / len(self.vocabulary())
        count = self.adjusted[n - 1].get(gram, 0)
        share = 0.0
        if count and not self.pruned(gram):
            total = sum(self.adjusted[n - 1][g] for g in self.after[n - 1][context])
            share = (count - self.discounts[n - 1][min(count, 3)]) / total
        return share + self.gamma(context) * lower

    def score(self, line: Sequence[str]) -> float:
        """The natural log probability of a sentence."""
        known = set(self.vocabulary())
        words = ["<s>", *(w if w in known else "<unk>" for w in line), "</s>"]
        return sum(
            math.log(self.probability(words[i], tuple(words[:i]))) for i in range(1, len(words))
        )


def backed_off(
    grams: dict[Gram, tuple[float, float]], order: int, word: str, context: Gram
) -> float:
    """The log10 probability of a word by the definition of an ARPA file, with all its context."""
    context = context[-(order - 1) :] if order > 1 else ()
    if (*context, word) in grams:
        return grams[(*context, word)][0]
    weight = grams.get(context, (0.0, 0.0))[1]
    return weight + backed_off(grams, order, word, context[1:])
