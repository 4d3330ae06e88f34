"""What docs/rooms/features.md shows, as a module for plug-ins."""

from collections.abc import Sequence

from miriam.features import Rule


def longer(rule: Rule) -> int:
    return len(rule.target) - len(rule.source)


class Repeated:
    names = ("Repeated",)

    def begin(self, source: Sequence[str]) -> str:
        return ""

    def extend(self, state: str, rule: Rule, span: tuple[int, int]) -> tuple[str, list[float]]:
        if not rule.target:
            return state, [0.0]
        return rule.target[-1], [float(rule.target[0] == state)]

    def finish(self, state: str) -> list[float]:
        return [0.0]
