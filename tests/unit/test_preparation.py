"""Text to tokens and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from miriam.errors import ConfigError
from miriam.model.preparation import Preparation, TextSettings
from miriam.pipeline.preparing import text_settings
from miriam.text.case import Truecaser

ENGLISH = Preparation(TextSettings(), Truecaser({"the": 3, "Rome": 2}), Truecaser({"the": 3}))


@pytest.mark.parametrize(
    "text", ["", "The dog barks.", "the dog", "I saw <b>Rome</b>, 5%!", "See https://a.org/b?c.",
             "Hello %(name)s", "ROME IS OLD."]
)  # fmt: skip
def test_a_sentence_copied_word_by_word_comes_back(text: str) -> None:
    prepared = ENGLISH.source(text)
    assert ENGLISH.back(prepared.tokens, prepared) == text


def test_pairs_share_placeholders_and_case_is_learnt() -> None:
    learnt = ENGLISH.learn_case(
        [ENGLISH.pair("We see %s and the sea", "Wir sehen %s und das Meer")]
    )
    pair = ENGLISH.pair("%s sees the sea", "Das Meer sieht %s")
    assert learnt.cased(pair) == ("⟦variable1⟧ sees the sea", "das Meer sieht ⟦variable1⟧")


def test_truecasers_are_saved(tmp_path: Path) -> None:
    ENGLISH.save(tmp_path)
    again = Preparation.load(TextSettings(), tmp_path)
    assert again.source_case.counts == ENGLISH.source_case.counts


def test_lower_case_comes_back_with_names() -> None:
    lower = Preparation(TextSettings(case="lower"), Truecaser({}), Truecaser({"Rome": 2}))
    prepared = lower.source("In Rome")
    assert prepared.tokens == ("in", "rome")
    assert lower.back(prepared.tokens, prepared) == "In Rome"


@pytest.mark.parametrize("name", ["train", "train.txt", "train.x1"])
def test_a_file_without_a_language_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="--tokens"):
        text_settings(name, "train.en")
