"""What is protected, and how it is put back."""

from __future__ import annotations

import pytest

from miriam.text.moses import MosesTokeniser
from miriam.text.placeholders import Placeholders, protect, restore


@pytest.mark.parametrize(
    ("kind", "spans", "others"),
    [
        ("number", "5 1,000.50 -3 12:30 2024-05-01 ٣٤ 1/2 3.14 1’000", "A4 3D 21st file_1 B-"),
        ("url", "http://a.de/b?c=d#e https://x.org/(1 www.a.com ftp://h/p", "http a.com www"),
        ("email", "a@b.org first.last+x@sub.host.co.uk", "a@b @b.org a@"),
        ("tag", "<b> </b> <br/> <x:y-z/> &amp; &#233; <!--n-->", "<3 a<b &"),
        ("variable", "%s %d %(name)s %1$s %.2f %% {name} {0} {x:>5} {} ${A} $A {{x}} %{y}", "% $"),
    ],
)
def test_each_kind_is_recognised(kind: str, spans: str, others: str) -> None:
    for span in spans.split():
        protected = protect(f"so {span} it is")
        assert [value.text for value in protected.values] == [span]
        assert protected.text == f"so ⟦{kind}1⟧ it is"
    for other in others.split():
        assert kind not in protect(f"so {other} it is").text


@pytest.mark.parametrize(
    ("text", "protected"),
    [
        ("See www.a.org/b.", "See ⟦url1⟧ ."),
        ("(see http://a.org/b), a@b.org!", "(see ⟦url1⟧ ), ⟦email1⟧ !"),
        ("100% sicher, 50%.", "⟦number1⟧ % sicher, ⟦number2⟧ %."),
        ("<a href='x>y' b=\"<\">", "<a href='x>y' b=\"<\">"),
        ("x <a href='x>y'>", "x ⟦tag1⟧"),
        ("a{x}{y}b", "a ⟦variable1⟧ ⟦variable2⟧ b"),
        ("from 3 to 4", "from ⟦number1⟧ to ⟦number2⟧"),
        ("⟦number1⟧", "⟦symbol1⟧ number1⟧"),
        ("1990s", "1990s"),
    ],
)
def test_what_is_left_of_the_text(text: str, protected: str) -> None:
    assert protect(text).text == protected


def test_kinds_may_be_chosen() -> None:
    assert protect("5 <b>", Placeholders(kinds=("tag",))).text == "5 ⟦tag1⟧"


@pytest.mark.parametrize(
    ("source", "translated", "expected"),
    [
        ("Click <b>here</b>.", "Hier ⟦tag1⟧ klicken ⟦tag2⟧.", "Hier <b>klicken</b>."),
        ("Click <b>here</b>.", "⟦tag1⟧ Hier ⟦tag2⟧ klicken.", "<b>Hier</b> klicken."),
        ("a<br/>b", "c ⟦tag1⟧ d", "c<br/>d"),
        ("a <b>b</b> c", "⟦tag1⟧ c ⟦tag2⟧ a", "<b>c</b> a"),
        ("{n}px wide", "⟦variable1⟧ px breit", "{n}px breit"),
        ("It costs $5.", "Das kostet ⟦number1⟧ $.", "Das kostet 5 $."),
        ("Hello, {x}!", "⟦variable1⟧, hallo!", "{x}, hallo!"),
        ("pages 3-5", "Seiten ⟦number1⟧", "Seiten 3-5"),
    ],
)
def test_values_follow_their_placeholders(source: str, translated: str, expected: str) -> None:
    assert restore(translated, protect(source).values).text == expected


def test_two_alike_are_told_apart_and_matched_in_order() -> None:
    source = protect("{x} is {x} and 5")
    assert source.text == "⟦variable1⟧ is ⟦variable2⟧ and ⟦number1⟧"
    target = protect("5 und {x} ist {x} oder {x} oder 7", known=source.values)
    assert target.text == "⟦number1⟧ und ⟦variable1⟧ ist ⟦variable2⟧ oder {x} oder 7"


def test_through_tokens_and_back() -> None:
    text = 'Visit <a href="x">our shop</a> ({n} items), or call 555-1234!'
    tokeniser = MosesTokeniser("en")
    protected = protect(text)
    back = tokeniser.detokenise(tokeniser.tokenise(protected.text))
    assert restore(back, protected.values).text == text


@pytest.mark.parametrize("end", ["", "a", "1."])
@pytest.mark.parametrize(
    "part",
    ["a", "a@", "<a ", "%", "{", "1.", "www.", '<a "', "http://", "&a", "-", "<!--", "{a:", "{{a",
     "'", "{{ ", "www.!!!", "a.b", "<a '", "1-", "%(", "0", ":1", "$a", "⟦", "⟦tag1"],
)  # fmt: skip
def test_no_text_takes_long(part: str, end: str) -> None:
    """Linear time: in quadratic time these would take minutes."""
    text = part * (30_000 // len(part)) + end
    protected = protect(text)
    assert restore(protected.text, protected.values).text == text
