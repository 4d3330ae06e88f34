"""Single rules: normalisation, Arabic, Moses' languages, what is not installed."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from miriam.errors import ConfigError, MissingExtraError
from miriam.text.arabic import Arabic, ArabicTokeniser
from miriam.text.chinese import Jieba, JiebaTokeniser
from miriam.text.exact import CharactersTokeniser, WhitespaceTokeniser
from miriam.text.formats import read_pairs
from miriam.text.moses import Moses, MosesTokeniser
from miriam.text.normalise import normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e\u0301", "é"),
        (" a\t\n b\u00a0\u3000c\u2028d\x85e ", "a b c d e"),
        ("a\u200bb\u00adc\ufeffd\u2060e\u202ef\u2069g\u061ch", "abcdefgh"),
        ("a\x00b\x1bc\x7fd\x9fe", "abcde"),
        ("می\u200cخواهم", "می\u200cخواهم"),  # Persian needs it
        ("a\u200cb \u200c می\u200c", "ab می"),  # here it is idle
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("x\U000e0061y", "xy"),
        ("\u0601", "\u0601"),  # a visible sign of Arabic numbers
        ("plain  text", "plain text"),
        ("ﬁ ²", "ﬁ ²"),  # compatibility characters stay
    ],
)
def test_normal_form(text: str, expected: str) -> None:
    assert normalise(text) == expected


def test_arabic_spelling_and_punctuation() -> None:
    text = "قالَ: «إلى الأمـام»، 3.5 و١٢٫٥٪؟"
    assert ArabicTokeniser().tokenise(text) == [
        "قال", ":", "«", "الي", "الامام", "»", "،", "3.5", "و١٢٫٥", "٪", "؟",
    ]  # fmt: skip
    assert ArabicTokeniser(uniform=False).tokenise("إلى الأمـامِ") == ["إلى", "الأمـامِ"]
    assert Arabic(uniform=False).build().uniform is False


def test_exact_tokenisers_take_nonsense_from_a_translator() -> None:
    assert (
        WhitespaceTokeniser().detokenise(["a", "␛;", "␛ffffff;", "␛41;", "▁"]) == "a ␛; ␛ffffff; A "
    )
    assert CharactersTokeniser().detokenise(["▁▁", "␛999999999999;"]) == "  ␛999999999999;"


def test_moses_knows_its_languages() -> None:
    with pytest.raises(ConfigError, match=r"no rules for the language 'english'.*'en'"):
        Moses(language="english").build()
    with pytest.raises(ConfigError, match="no rules for the language 'xx'"):
        MosesTokeniser("xx")


def test_moses_signs_are_not_taken_for_its_own() -> None:
    assert MosesTokeniser("en").tokenise("DOTMULTI DOTDOTMULTI ..") == [
        "DOTMULTI",
        "DOTDOTMULTI",
        "..",
    ]


def test_jieba_keeps_no_file(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert JiebaTokeniser(new_words=False).tokenise("我们 在 ⟦number1⟧北京") == [
        "我们", "在", "⟦number1⟧", "北京",
    ]  # fmt: skip
    assert list(tmp_path.iterdir()) == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("library", "modules", "extra"),
    [
        ("sacremoses", ["sacremoses", "sacremoses.corpus"], "moses"),
        ("jieba", ["jieba"], "zh"),
        ("lxml", ["lxml", "lxml.etree"], "formats"),
        ("polib", ["polib"], "formats"),
    ],
)
def test_what_is_not_installed_is_named(
    library: str, modules: list[str], extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
    actions: dict[str, Callable[[], object]] = {
        "sacremoses": lambda: Moses().build(),
        "jieba": lambda: Jieba().build(),
        "lxml": lambda: list(read_pairs("a.tmx")),
        "polib": lambda: list(read_pairs("a.po")),
    }
    with pytest.raises(MissingExtraError, match=rf"need {library}, .*'miriam\[{extra}\]'"):
        actions[library]()
