"""How one word was made of another, by the book: Levenshtein's table and the way back."""

from __future__ import annotations

from functools import cache

__all__ = ["distance", "edit_features"]


def distance(source: str, target: str) -> int:
    """The least number of insertions, deletions and substitutions."""

    @cache
    def cost(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        return min(
            cost(i - 1, j - 1) + (source[i - 1] != target[j - 1]),
            cost(i - 1, j) + 1,
            cost(i, j - 1) + 1,
        )

    return cost(len(source), len(target))


def edit_features(source: str, target: str) -> list[str]:
    """The features of the edits, from the last edit to the first."""
    steps: list[tuple[int, str, str]] = []  # position in the source, what was there, what is there
    i, j = len(source), len(target)
    while i or j:
        here = distance(source[:i], target[:j])
        if (
            i
            and j
            and here
            == distance(source[: i - 1], target[: j - 1]) + (source[i - 1] != target[j - 1])
        ):
            i, j = i - 1, j - 1
            steps.append((i, source[i], target[j]))
        elif i and here == distance(source[: i - 1], target[:j]) + 1:
            i -= 1
            steps.append((i, source[i], ""))
        else:
            j -= 1
            steps.append((i, "", target[j]))
    runs: list[list[tuple[int, str, str]]] = [[]]
    for step in steps:
        if step[1] == step[2]:
            runs.append([])
        else:
            runs[-1].append(step)
    features = []
    for run in filter(None, runs):
        old = "".join(step[1] for step in reversed(run))
        new = "".join(step[2] for step in reversed(run))
        begin = run[-1][0]
        before = f"^{source}"[begin]
        after = f"{source}$"[begin + len(old)]
        edit = f"{old}>{new}"
        features += [edit, f"{before}|{edit}", f"{edit}|{after}", f"{before}|{edit}|{after}"]
    return features
