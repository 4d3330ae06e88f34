"""Text: what must hold for every string."""

from __future__ import annotations

import tempfile
import unicodedata
from collections import Counter
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from sacremoses.tokenize import MosesTokenizer

from miriam.text.case import Truecaser, learn_truecaser, load_truecaser
from miriam.text.formats import read_pairs, write_pairs
from miriam.text.formats.segment import one_line
from miriam.text.moses import MosesTokeniser
from miriam.text.normalise import normalise
from miriam.text.placeholders import is_placeholder, protect, restore

ANY_TEXT = st.text()
# Strings that look like what is protected, or like placeholders.
TRICKY = st.lists(
    st.sampled_from(
        [" ", "  ", "\n", "⟦", "⟧", "⟦number1⟧", "⟦tag1⟧", "5", "-3,5", "<b>", "</b>", "<br/>", "x",
         "http://a.de/b?c=1", "a@b.org", "%s", "%(n)d", "{x}", "{}", "$HOME", "$", ".", "&amp;"]
    )
).map("".join)  # fmt: skip
ours, theirs = cache(MosesTokeniser), cache(MosesTokenizer)
WORDS = st.lists(st.text("abAB⟦.", min_size=1, max_size=2), min_size=1, max_size=6)


@given(ANY_TEXT | TRICKY)
@settings(max_examples=500)
def test_protect_then_restore_is_the_identity(text: str) -> None:
    protected = protect(text)
    assert restore(protected.text, protected.values) == (text, (), (), ())
    placeholders = [word for word in protected.text.split() if is_placeholder(word)]
    assert placeholders == [value.placeholder for value in protected.values]
    assert protected.text.count("⟦") == len(protected.values)


@given(TRICKY, TRICKY)
def test_known_values_are_protected_alike(source: str, target: str) -> None:
    values = protect(source).values
    protected = protect(target, known=values)
    assert restore(protected.text, protected.values).text == target
    alike = {(value.placeholder, value.text) for value in values}
    assert all(v.text == "⟦" or (v.placeholder, v.text) in alike for v in protected.values)


@given(st.lists(TRICKY, max_size=3), st.randoms())
def test_what_is_lost_repeated_or_invented_is_reported(texts: list[str], random: object) -> None:
    values = protect(" ".join(texts)).values
    names = [value.placeholder for value in values]
    restored = restore(" ".join([*names[1:], *names[2:], "⟦url999⟧"]), values)
    uses = Counter([*names[1:], *names[2:]])
    assert restored.missing == tuple(name for name in names if not uses[name])
    assert restored.repeated == tuple(name for name in names if uses[name] > 1)
    assert restored.unknown == ("⟦url999⟧",)


@given(ANY_TEXT | st.text("a e\u0301\u200c\u200d\u00ad\ufeff\u202e\u0645\u06cc\t\x01\u2028"))
def test_normalised_text_is_normal(text: str) -> None:
    normal = normalise(text)
    assert normalise(normal) == normal == unicodedata.normalize("NFC", normal)
    assert normal.split(" ") == normal.split() or not normal
    assert not any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in normal)


@given(st.lists(st.sampled_from(
    ["don't", "It's", "Dr.", "etc.", "no.", "No.", "5", "5,000", "3.5,", "a", "A", "end.", "(so)",
     '"Yes,"', "'tis", "dogs'", "U.S.", "e.g.", "...", "wait...", "10:30", "x/y", "-", "–", "co-op",
     "5.", "l'eau", "qu'il", "²", "naïve", "naïve.", "1990.", "@you", "50%", "$5", "é.", "É."]
)), st.sampled_from(["en", "fr", "de", "cs"]))  # fmt: skip
@settings(max_examples=300)
def test_word_by_word_is_as_sacremoses_does(words: list[str], language: str) -> None:
    text = " ".join(words)
    assert ours(language).tokenise(text) == theirs(language).tokenize(text, escape=False)


@given(st.lists(WORDS))
def test_a_truecaser_learns_the_most_frequent_spelling(sentences: list[list[str]]) -> None:
    truecaser = learn_truecaser(sentences)
    with tempfile.TemporaryDirectory() as folder:
        truecaser.save(f"{folder}/case")
        again = load_truecaser(f"{folder}/case")
    assert again.counts == truecaser.counts
    for spelling in filter(str.isalpha, again.counts):
        (best,) = again.apply([spelling])
        alike = [again.counts[s] for s in again.counts if s.lower() == spelling.lower()]
        assert again.counts[best] == max(alike)
    for words in sentences:
        cased = truecaser.apply(words)
        assert again.apply(words) == cased
        assert [w.lower() for w in cased] == [w.lower() for w in words]
        recased = truecaser.recase(cased, source=words)
        assert [w.lower() for w in recased] == [w.lower() for w in words]


@given(ANY_TEXT.map(str.lower), st.dictionaries(ANY_TEXT, st.integers(1, 9), max_size=3))
def test_casing_takes_any_words(text: str, counts: dict[str, int]) -> None:
    words = text.split()
    assert len(Truecaser(counts).recase(words, source=words)) == len(words)


@given(
    st.lists(st.tuples(ANY_TEXT, ANY_TEXT), max_size=4),
    st.sampled_from(["tsv", "tmx", "xlf", "po"]),
)
def test_pairs_come_back_as_lines(pairs: list[tuple[str, str]], suffix: str) -> None:
    pairs = [(_plain(source), _plain(target)) for source, target in pairs]
    pairs = [pair for pair in pairs if all(map(one_line, pair))]
    with tempfile.TemporaryDirectory() as folder:
        write_pairs(f"{folder}/a.{suffix}", pairs, languages=("en", "de"))
        back = list(read_pairs(f"{folder}/a.{suffix}", languages=("en", "de")))
    assert back == [(one_line(source), one_line(target)) for source, target in pairs]


def _plain(text: str) -> str:
    """The text without what XML cannot hold."""
    return "".join(c for c in text if c >= " " and c not in "\ufffe\uffff")
