"""The laws of every tokeniser."""

from __future__ import annotations

import typing
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam.config import Config, dump, load
from miriam.text.exact import Characters, Whitespace
from miriam.text.formats import read_pairs
from miriam.text.moses import Moses
from miriam.text.normalise import normalise
from miriam.text.placeholders import is_placeholder, protect, restore
from miriam.text.tokenise import AnyTokeniser, Tokeniser

KINDS = [kind() for kind in typing.get_args(AnyTokeniser)]
ALL = [*KINDS, *(Moses(language=language) for language in ("de", "fr", "fi", "zh"))]
EXACT = [kind for kind in KINDS if isinstance(kind, Characters | Whitespace)]
SENTENCES = Path(__file__).parent.parent / "data" / "sentences.tsv"
ANY_TEXT = st.text(st.characters()) | st.text(  # lone surrogates too, and what tokenisers look for
    st.sampled_from(" .,:;!?'\"’“”«»-–—/@#$%&*()[]<>_\t\n\0▁␛⟦⟧aA1éßش我ー\u200d\u0301")
)

build = cache(lambda kind: kind.build())


class Choice(Config, frozen=True, kw_only=True):
    """Settings that hold a tokeniser's."""

    tokeniser: AnyTokeniser


def name(kind: AnyTokeniser) -> str:
    return "-".join(map(str, msgspec.to_builtins(kind).values()))


def lawful(tokens: list[str]) -> bool:
    return all(token and not any(c.isspace() for c in token) for token in tokens)


every = pytest.mark.parametrize("kind", ALL, ids=name)


@every
def test_its_settings_are_saved_and_read_again(kind: AnyTokeniser) -> None:
    choice = Choice(tokeniser=kind)
    assert load(Choice, dump(choice)) == choice


@every
@given(text=ANY_TEXT)
@settings(max_examples=60)
def test_any_text_gives_words_and_any_words_give_text(kind: AnyTokeniser, text: str) -> None:
    tokeniser: Tokeniser = build(kind)
    tokens = tokeniser.tokenise(text)
    assert lawful(tokens)
    assert tokens == tokeniser.tokenise(text)
    assert isinstance(tokeniser.detokenise(tokens[::-1]), str)
    assert isinstance(tokeniser.detokenise(text.split()), str)


@every
@given(text=ANY_TEXT)
@settings(max_examples=60)
def test_placeholders_survive(kind: AnyTokeniser, text: str) -> None:
    protected = protect(f"{text} 5{text}{{x}}")
    tokens = build(kind).tokenise(normalise(protected.text))
    assert [t for t in tokens if is_placeholder(t)] == [v.placeholder for v in protected.values]
    restored = restore(build(kind).detokenise(tokens), protected.values)
    assert not any(restored[1:])


@every
def test_nothing_gives_nothing(kind: AnyTokeniser) -> None:
    assert build(kind).tokenise("") == []
    assert build(kind).detokenise([]) == ""


@every
@pytest.mark.parametrize("part", ["x", ".", "'", "我", "a.", '"', "\N{COMBINING ACUTE ACCENT}"])
def test_a_long_string(kind: AnyTokeniser, part: str) -> None:
    long = part * (10_000 // len(part))
    tokens = build(kind).tokenise(long)
    assert lawful(tokens)
    assert "".join(tokens) == long
    assert len(build(kind).detokenise(tokens)) >= len(long)


@pytest.mark.parametrize("kind", EXACT, ids=name)
@given(text=ANY_TEXT)
@settings(max_examples=300)
def test_the_way_back_is_exact(kind: AnyTokeniser, text: str) -> None:
    tokeniser = build(kind)
    assert tokeniser.detokenise(tokeniser.tokenise(text)) == text


@every
def test_tokenising_twice_changes_nothing(kind: AnyTokeniser) -> None:
    sentence = "The cat , a grey one , sleeps on 3 chairs ."
    tokens = build(kind).tokenise(sentence)
    if kind in EXACT:
        assert build(kind).detokenise(tokens) == sentence
    else:
        assert build(kind).tokenise(" ".join(tokens)) == tokens == sentence.split()


def sentences() -> dict[str, list[str]]:
    by_language: dict[str, list[str]] = {}
    for language, sentence in read_pairs(SENTENCES):
        by_language.setdefault(language, []).append(sentence)
    return by_language


@pytest.mark.parametrize(("language", "ordinary"), sentences().items())
def test_ordinary_sentences_come_back(language: str, ordinary: list[str]) -> None:
    """Nine in ten, exactly; and every one but for its blanks."""
    settings = {"zh": {"kind": "jieba"}, "ar": {"kind": "arabic", "uniform": False}}
    chosen = settings.get(language, {"kind": "moses", "language": language})
    tokeniser = build(msgspec.convert(chosen, AnyTokeniser))
    back = [tokeniser.detokenise(tokeniser.tokenise(sentence)) for sentence in ordinary]
    assert ["".join(s.split()) for s in back] == ["".join(s.split()) for s in ordinary]
    assert sum(map(str.__eq__, back, ordinary)) >= 0.9 * len(ordinary)
