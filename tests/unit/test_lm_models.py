"""Language models: defects of ARPA files, settings that cannot be, classes, mixtures."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from miriam._core.lm import Model
from miriam.errors import ConfigError, InputError, ModelError
from miriam.lexicon.classes import WordClasses
from miriam.lm import (
    ClassModel,
    Estimation,
    LanguageModel,
    Mixture,
    estimate,
    interpolate,
)
from miriam.lm.arpa import read_arpa

TEXT = ["a b a c", "a b", "b a b a"]


@pytest.fixture
def arpa(tmp_path: Path) -> Path:
    path = tmp_path / "m.arpa"
    estimate(TEXT, Estimation(order=3)).write(path)
    return path


def defect(path: Path) -> str:
    """The sentence with which a file is refused."""
    with pytest.raises(InputError) as error:
        read_arpa(path)
    return str(error.value)


def damaged(arpa: Path, old: str, new: str) -> Path:
    content = arpa.read_text()
    assert old in content
    arpa.write_text(content.replace(old, new, 1))
    return arpa


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "data", "line 1: expected \\data\\; is this an ARPA file?"),
        ("ngram 2=8", "ngram 2=9", "the section of 2-grams has 8 of them, and \\data\\ says 9"),
        ("ngram 2=8", "ngram 2=7", "more 2-grams than \\data\\ says, which is 7"),
        ("ngram 2=8", "ngram 4=8", "line 3: expected the count of 2-grams, found that of 4-grams"),
        ("ngram 2=8", "ngram two", "line 3: expected 'ngram N=COUNT', found 'ngram two'"),
        ("\\2-grams:", "\\3-grams:", "expected \\2-grams:, found '\\3-grams:'"),
        ("\tb\t", "\tz\t", "'b' is not among the unigrams"),
        ("\ta b\t", "\ta a\t", "the first 2 words of this n-gram are not listed"),
        ("\ta b\t", "\tb a\t", "this n-gram is listed twice"),
        ("\t</s>\t", "\tend\t", "the unigrams have no </s>"),
        ("\t<s> a b\n", "\t<s> a\n", "an n-gram of fewer than 3 words"),
        ("\ta b\t", "\ta b c d\t", "the back-off weight is 'c', not a finite number"),
    ],
)
def test_a_defect_of_an_arpa_file_is_named(arpa: Path, old: str, new: str, message: str) -> None:
    found = defect(damaged(arpa, old, new))
    assert found.startswith(f"{arpa}, line ")
    assert message in found


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("0.5", "the log probability 0.5 is positive"),
        ("nan", "the log probability is 'nan', not a finite number"),
        ("-inf", "the log probability is '-inf', not a finite number"),
        ("x", "the log probability is 'x', not a finite number"),
    ],
)
def test_a_bad_probability_is_named(arpa: Path, field: str, message: str) -> None:
    lines = arpa.read_text().splitlines(keepends=True)
    lines[8] = f"{field}\t{lines[8].partition(chr(9))[2]}"
    arpa.write_text("".join(lines))
    found = defect(arpa)
    assert found == f"{arpa}, line 9: {message}"


def test_an_arpa_file_cut_anywhere_is_refused(arpa: Path) -> None:
    content = arpa.read_text()
    for length in range(len(content) - 2):
        arpa.write_text(content[:length])
        assert ", line " in defect(arpa), length


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Estimation(order=0), "the order of a language model must be from 1 to 10, got 0"),
        (Estimation(order=11), "the order of a language model must be from 1 to 10, got 11"),
        (Estimation(prune=(1, 0)), r"prune takes at most .* got \[1, 0\]"),
        (Estimation(order=2, prune=(0, 0, 1)), "prune takes at most"),
        (Estimation(prune=(-1,)), "prune takes at most"),
        (Estimation(memory=1024), "memory must be at least 16M, got 1,024 bytes"),
        (Estimation(vocabulary=0), "vocabulary must be at least 1 word, got 0"),
    ],
)
def test_settings_that_cannot_be(settings: Estimation, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        estimate(TEXT, settings)


def test_a_word_outside_the_vocabulary_is_unknown() -> None:
    model = estimate(TEXT, Estimation(order=2, vocabulary=frozenset({"a"}))).model()
    logs = model.score_words(["b"]).logs
    assert logs[0] == model.score_words(["never-seen"]).logs[0]
    total = sum(math.exp(model.native.score(model.native.begin(), i)[0]) for i in (0, 2, 3))
    assert total == pytest.approx(1, abs=1e-6)


def test_a_word_without_class_is_of_the_class_of_the_unknown() -> None:
    model = estimate(["1 2", "1 1"], Estimation(order=2)).model()
    with_class = ClassModel(model, WordClasses({"a": "1", "<unk>": "2"}))
    assert with_class.score("a zzz") == model.score("1 2")
    without = ClassModel(model, WordClasses({"a": "1"}))
    assert without.score("a zzz") == model.score("1 zzz")
    assert without.perplexity(["a zzz"]).unknown == 1
    assert with_class.order == 2


def test_a_mixture_of_learnt_weights_is_the_best_one() -> None:
    models = [
        estimate(text, Estimation(order=2)).model()
        for text in (["a b a b", "a b"], ["b c b c", "c c"], ["d"])
    ]
    dev = ["a b a b c", "a b b c b", "a b"]
    best = interpolate(models, dev)
    assert best.weights.sum() == pytest.approx(1)
    found = best.score_batch(dev).sum()
    for first in np.linspace(0, 1, 11):
        for second in np.linspace(0, 1 - first, 5):
            weights = [first, second, max(0.0, 1 - first - second)]
            assert Mixture(models, weights).score_batch(dev).sum() <= found + 1e-4


def test_mixtures_that_cannot_be() -> None:
    model = estimate(["a"], Estimation(order=1)).model()
    with pytest.raises(ConfigError, match="needs a weight for each model, got 2 for 1"):
        Mixture([model], [0.5, 0.5])
    with pytest.raises(ConfigError, match="must be at least 0 and sum to 1"):
        Mixture([model], [0.5])
    with pytest.raises(InputError, match="no words to learn"):
        interpolate([model], [""])


def test_arrays_that_do_not_fit_are_refused() -> None:
    slots = np.zeros(64, dtype=np.uint32)
    unigrams = np.zeros(6, dtype=np.float32)
    with pytest.raises(ModelError):
        Model(11, unigrams, slots[: len(slots) // 16 * 16])
    begin = -slots.ctypes.data // 4 % 16
    with pytest.raises(ModelError, match="64-byte boundary"):
        Model(2, unigrams, slots[begin + 1 : begin + 33])


def test_ends_that_do_not_fit_are_refused() -> None:
    model = estimate(["a"], Estimation(order=1)).model()
    with pytest.raises(ConfigError):
        model.native.score_text(np.zeros(3, np.uint32), np.array([2], np.uint64))
    assert model.score_batch([]).tolist() == []
    assert isinstance(model, LanguageModel)
