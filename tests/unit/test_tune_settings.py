"""Settings of tuning: names, presets, what the documentation shows."""

from __future__ import annotations

import re

import pytest

from conftest import ROOT
from miriam.config import dump, load
from miriam.errors import ConfigError
from miriam.tune.grouping.tuning import Grouping
from miriam.tune.learner import Learner
from miriam.tune.online import Online
from miriam.tune.settings import ALGORITHMS, Tuning, preset


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_preset_survives_toml_and_can_be_built(algorithm: str) -> None:
    from miriam.lexicon.vocabulary import Vocabulary

    settings = preset(algorithm)
    assert load(Tuning, dump(settings)) == settings
    if isinstance(settings.learner, Online):
        Learner(settings.learner.pieces, Vocabulary())


def test_the_documentations_file_is_understood() -> None:
    page = (ROOT / "docs" / "rooms" / "tune.md").read_text(encoding="utf-8")
    text, oscar = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    learner = load(Tuning, text).learner
    assert isinstance(learner, Online)
    assert learner.pieces.regulariser.templates == {"WT:": 5e-4}
    assert learner.pieces.frozen == ("LM",)
    assert load(Tuning, oscar).learner == Grouping()


def test_a_wrong_kind_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'adagrad'"):
        load(Tuning, "learner.kind = 'online'\nlearner.pieces.updater.kind = 'adagrat'")
