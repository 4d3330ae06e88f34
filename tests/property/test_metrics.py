"""The native sentence metrics equal their formulas, and their sums equal sacreBLEU's scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from miriam._core import metrics as core
from miriam.errors import ConfigError
from miriam.lexicon.vocabulary import NO_WORD, Sentences, Vocabulary
from miriam.metrics import BleuPlusOne, SentenceChrf, SentenceWer, characters, words
from oracles import metrics as oracle

WORDS = st.lists(st.sampled_from("abcde"), max_size=14)
SOME = st.lists(WORDS, min_size=1, max_size=4)
TEXT = st.text(st.sampled_from("abcü語\U0001f600 \t\u3000"), max_size=20)


def batch(sentences: Sequence[Sequence[str]], ids: Vocabulary) -> Sentences:
    return words([" ".join(sentence) for sentence in sentences], ids)


@given(SOME, SOME, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_bleu_plus_one_is_its_formula(
    candidates: list[list[str]],
    references: list[list[str]],
    unigrams: bool,
    length: bool,
    shortest: bool,
    scale: bool,
) -> None:
    ids = Vocabulary()
    settings = BleuPlusOne(
        smooth_unigrams=unigrams,
        smooth_length=length,
        reference_length="shortest" if shortest else "closest",
        scale=scale,
    )
    prepared = settings.prepare(batch(references, ids))
    stats = prepared.stats(batch(candidates, ids))
    expected = [oracle.bleu_stats(c, references, shortest=shortest) for c in candidates]
    assert stats.tolist() == expected
    gold = [
        oracle.bleu_plus_one(
            c,
            references,
            smooth_unigrams=unigrams,
            smooth_length=length,
            shortest=shortest,
            scale=scale,
        )
        for c in candidates
    ]
    assert prepared.gold(stats) == pytest.approx(gold, abs=1e-12)


@given(WORDS, SOME)
def test_bleu_plus_one_is_sacrebleus_add_one(
    candidate: list[str], references: list[list[str]]
) -> None:
    ids = Vocabulary()
    prepared = BleuPlusOne().prepare(batch(references, ids))
    ours = prepared.gold(prepared.stats(batch([candidate], ids)))[0]
    theirs = sacrebleu.sentence_bleu(
        " ".join(candidate),
        [" ".join(r) for r in references],
        smooth_method="add-k",
        smooth_value=1,
        tokenize="none",
    )
    assert 100 * ours == pytest.approx(theirs.score, abs=1e-9)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=6))
def test_sums_are_sacrebleus_corpus_bleu(
    segments: list[tuple[list[str], list[str], list[str]]],
) -> None:
    ids = Vocabulary()
    total = np.zeros(10)
    for hypothesis, *references in segments:
        prepared = BleuPlusOne().prepare(batch(references, ids))
        total += prepared.stats(batch([hypothesis], ids))[0]
    hypotheses, *references = (
        [" ".join(s) for s in column] for column in zip(*segments, strict=True)
    )
    theirs = sacrebleu.corpus_bleu(hypotheses, references, tokenize="none", force=True)
    assert BleuPlusOne().score(total) == theirs.score


@given(st.lists(TEXT, min_size=1, max_size=4), st.lists(TEXT, min_size=1, max_size=4))
def test_chrf_is_its_formula(candidates: list[str], references: list[str]) -> None:
    metric = SentenceChrf()
    prepared = metric.prepare(metric.encode(references))
    stats = prepared.stats(metric.encode(candidates))
    expected = [oracle.chrf_stats(c, references, 6, 2) for c in candidates]
    assert stats.tolist() == expected
    assert prepared.gold(stats) == pytest.approx([oracle.chrf(s, 2) for s in expected], abs=1e-12)


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=6))
def test_sums_are_sacrebleus_corpus_chrf(segments: list[tuple[str, str, str]]) -> None:
    metric = SentenceChrf()
    total = np.zeros(18)
    for hypothesis, *references in segments:
        prepared = metric.prepare(metric.encode(references))
        total += prepared.stats(metric.encode([hypothesis]))[0]
        sentence = prepared.gold(prepared.stats(metric.encode([hypothesis])))[0]
        theirs = sacrebleu.sentence_chrf(hypothesis, references)
        assert 100 * sentence == pytest.approx(theirs.score, abs=1e-9)
    hypotheses, *columns = map(list, zip(*segments, strict=True))
    assert metric.score(total) == sacrebleu.corpus_chrf(hypotheses, columns).score


@given(SOME, SOME)
def test_word_errors_are_the_edit_distance(
    candidates: list[list[str]], references: list[list[str]]
) -> None:
    ids = Vocabulary()
    prepared = SentenceWer().prepare(batch(references, ids))
    stats = prepared.stats(batch(candidates, ids))
    expected = [oracle.error_stats(c, references) for c in candidates]
    assert stats.tolist() == expected
    gold = [max(0.0, 1 - (e / n if n else float(e))) for e, n in expected]
    assert prepared.gold(stats) == pytest.approx(gold, abs=1e-12)


@given(st.text("ab", min_size=50, max_size=150), st.text("ab", min_size=50, max_size=150))
def test_edit_distance_of_more_than_64_units(candidate: str, reference: str) -> None:
    prepared = SentenceWer().prepare(characters([reference]))
    stats = prepared.stats(characters([candidate]))
    row: list[int] = list(range(len(reference) + 1))
    for c in candidate:
        above, row = row, [row[0] + 1]
        for j, r in enumerate(reference):
            row.append(min(row[j] + 1, above[j + 1] + 1, above[j] + (c != r)))
    assert stats.tolist() == [[row[-1], len(reference)]]


def test_an_unknown_word_matches_nothing() -> None:
    unknown = np.array([NO_WORD, 1], dtype=np.uint32)
    ends = np.array([2], dtype=np.uint64)
    bleu = core.BleuReferences(unknown, ends)
    assert bleu.stats(unknown, ends).tolist() == [[2, 2, 1, 0, 0, 0, 2, 1, 0, 0]]
    edits = core.EditReferences(unknown, ends)
    assert edits.stats(unknown, ends).tolist() == [[1, 2]]


def test_no_candidate_has_no_row() -> None:
    ids = Vocabulary()
    prepared = BleuPlusOne().prepare(words(["a"], ids))
    stats = prepared.stats(words([], ids))
    assert stats.shape == (0, 10)
    assert prepared.gold(stats).shape == (0,)


@pytest.mark.parametrize(
    "references", [core.BleuReferences, core.ChrfReferences, core.EditReferences]
)
@pytest.mark.parametrize(
    ("ids", "ends", "message"),
    [
        ([], [], "at least one reference"),
        ([1, 2], [1], "rise to the number of ids"),
        ([1, 2], [3], "rise to the number of ids"),
        ([1, 2], [2, 1, 2], "rise to the number of ids"),
        ([1], [], "rise to the number of ids"),
    ],
)
def test_arrays_that_cannot_be_are_refused(
    references: type[core.EditReferences], ids: list[int], ends: list[int], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        references(np.array(ids, dtype=np.uint32), np.array(ends, dtype=np.uint64))


def test_what_does_not_fit_is_refused() -> None:
    ids, ends = np.array([1], dtype=np.uint32), np.array([1], dtype=np.uint64)
    with pytest.raises(ConfigError, match="'closest' or 'shortest'"):
        core.BleuReferences(ids, ends, "average")
    with pytest.raises(ConfigError, match="order of at least 1"):
        core.ChrfReferences(ids, ends, order=0)
    with pytest.raises(ConfigError, match="not statistics"):
        core.ChrfReferences(ids, ends).scores(np.zeros((2, 3)))
