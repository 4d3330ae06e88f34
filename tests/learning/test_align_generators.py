"""Aligners against the true links of made-up languages: two kinds, one of them no HMM."""

from __future__ import annotations

import numpy as np
import pytest

from miriam.align.models import AlignSettings, Fast, Hmm, Ibm1, Model
from miriam.align.train import train
from oracles.align import error_rate
from oracles.languages import GENERATORS

MODELS: dict[str, Model] = {"hmm": Hmm(), "fast": Fast(), "ibm1": Ibm1()}


@pytest.mark.parametrize("symmetrise", ["grow-diag", "posterior"])
@pytest.mark.parametrize("language", sorted(GENERATORS))
def test_agreement_makes_the_fewest_errors(language: str, symmetrise: str) -> None:
    pairs = GENERATORS[language](np.random.default_rng(1), 1500)
    rows = [(" ".join(source), " ".join(target)) for source, target, _ in pairs]
    gold = [links for *_, links in pairs]
    rates = {}
    for name, model in MODELS.items():
        settings = AlignSettings(model=model, symmetrise=symmetrise)  # type: ignore[arg-type]
        found = [{(i, j) for i, j in pair.tolist()} for pair in train(rows, settings).align(rows)]
        rates[name] = error_rate(found, gold)
    assert rates["hmm"] < 0.7 * min(rates["fast"], rates["ibm1"]), rates
