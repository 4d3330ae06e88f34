"""Where blanks go when tokens become text."""

from __future__ import annotations

import pytest

from miriam.text.detokenise import detokenise


@pytest.mark.parametrize(
    ("language", "tokens", "text"),
    [
        ("en", 'He said : " Come " , not : " Go " .', 'He said: "Come", not: "Go".'),
        ("en", 'and it was so . "', 'and it was so."'),
        ("en", 'on the earth , " and it was so .', 'on the earth," and it was so.'),
        ("en", '" Come .', '"Come.'),
        ("en", "in 10 : 30 minutes : go", "in 10:30 minutes: go"),
        ("en", "( a / b ) [ c ]", "(a/b) [c]"),
        (
            "en",
            "do n't , don 't , it 's ; the girls ' room",
            "do n't, don't, it's; the girls' room",
        ),
        ("en", "' Tis the ' old ' way", "'Tis the 'old' way"),
        ("en", "don ’ t , my sister ’ s ‘ old ’ way", "don’t, my sister’s ‘old’ way"),
        ("en", "5 % of $ 5 and 5 $ too", "5% of $5 and 5 $ too"),
        ("en", "1939 – 45 – a war — no", "1939–45 – a war—no"),
        ("en", "20 ° C , 45 ° east , + 49 and # tag", "20 °C, 45° east, +49 and #tag"),
        ("en", "... and so ... on", "...and so... on"),
        ("en", "⟦number1⟧ 's", "⟦number1⟧'s"),
        ("fr", "l ’ eau , l' eau : oui ! « non »", "l’eau, l'eau : oui ! « non »"),
        ("de", "„ Ja “ , » nein « ; geht ' s ?", "„Ja“, »nein«; geht's?"),
        ("de", "‚ Ja ‘ und «so»", "‚Ja‘ und «so»"),
        ("sv", "” Ja ” , USA : s och : en ny dag", "”Ja”, USA:s och: en ny dag"),
        ("es", "¿ Sí ? ¡ No !", "¿Sí? ¡No!"),
        ("it", "un po ' di pane , l' acqua", "un po' di pane, l'acqua"),
        ("zh", "我 在 New York ， “ 好 ” 。 ⟦number1⟧ 个", "我在New York，“好”。⟦number1⟧个"),
        ("en", "the words 我 在 mean", "the words 我在 mean"),
        ("ko", "이것은 책이다 .", "이것은 책이다."),
        ("ar", "نعم ، لا ؟", "نعم، لا؟"),
        ("ar", "ﺏ ﺏ", "ﺏ ﺏ"),
    ],
)
def test_blanks(language: str, tokens: str, text: str) -> None:
    assert detokenise(tokens.split(" "), language) == text


def test_many_open_quotes_take_no_longer() -> None:
    marks = list("“‘„‚«'\"") * 3000
    assert "".join(detokenise(marks, "en").split()) == "".join(marks)
