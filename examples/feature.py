"""Add a feature of one's own, and see what its weight does."""

import sys
from pathlib import Path

from mark import MODEL, mark_model

import miriam
from miriam.features import Rule


def kept(rule: Rule) -> float:
    """How many words of a phrase its translation keeps; asked once for each rule."""
    return len(set(rule.source) & set(rule.target))


if __name__ == "__main__":
    mark_model()
    # A model finds a plug-in as Python finds a module: `feature` is this file.
    sys.path.insert(0, str(Path(__file__).parent))
    weights = Path("kept.weights")
    for weight in (0.0, 3.0):
        lines = (MODEL / "weights.txt").read_text(encoding="utf-8")
        weights.write_text(f"{lines}kept {weight}\n", encoding="utf-8")
        model = miriam.load(MODEL, weights=weights, overrides=['features.plugins=["feature:kept"]'])
        best = model.decode("And he began again to teach by the sea side.")[0]
        value = best.derivation.features.get("kept", 0)
        print(f"weight {weight:+}: {best.text}   (kept = {value:g})")
