"""Language models against Kneser-Ney by the book, and against the definition of back-off."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from miriam._core.lm import Model, SpanState, State
from miriam.lm import Estimation, LanguageModel, estimate
from miriam.lm.arpa import read_arpa, write_arpa
from miriam.lm.model import write_model
from oracles.lm import KneserNey, backed_off

WORDS = "abcd"
SENTENCE = st.lists(st.sampled_from(WORDS), max_size=8)
TEXT = st.lists(SENTENCE, min_size=1, max_size=12).filter(lambda lines: any(lines))
ORDER = st.integers(1, 5)
PRUNE = st.sampled_from([(), (0, 1), (1,), (0, 0, 1), (0, 1, 2)])


def estimation(order: int, prune: tuple[int, ...] = (), threads: int = 1) -> Estimation:
    return Estimation(order=order, prune=prune[:order], memory=1 << 24, threads=threads)


def estimated(lines: list[list[str]], order: int, prune: tuple[int, ...] = ()) -> LanguageModel:
    return estimate([" ".join(line) for line in lines], estimation(order, prune)).model()


def grams_of(model: LanguageModel) -> dict[tuple[str, ...], tuple[float, float]]:
    """What the ARPA file of a model says."""
    grams: dict[tuple[str, ...], tuple[float, float]] = {}
    writer = model.arpa()
    text = b"".join(iter(writer.next, b"")).decode()
    for line in text.splitlines():
        if "\t" in line:
            log, words, *backoff = line.split("\t")
            grams[tuple(words.split())] = (float(log), float(backoff[0]) if backoff else 0.0)
    return grams


@given(TEXT, ORDER, PRUNE, SENTENCE)
@hypothesis_settings(max_examples=150)
def test_estimates_are_those_of_the_book(
    lines: list[list[str]], order: int, prune: tuple[int, ...], query: list[str]
) -> None:
    book = KneserNey(order, prune[:order]).fit(lines)
    model = estimated(lines, order, prune)
    for line in (*lines, query, [*query, "never-seen"]):
        assert model.score(line) == pytest.approx(
            book.score(line), abs=1e-6 * (len(line) + 1), rel=1e-6
        )


@given(TEXT, ORDER, PRUNE, SENTENCE)
@hypothesis_settings(max_examples=100)
def test_the_probabilities_after_a_context_sum_to_one(
    lines: list[list[str]], order: int, prune: tuple[int, ...], context: list[str]
) -> None:
    model = estimated(lines, order, prune)
    state = model.native.begin()
    for word in context:
        _, state = model.native.score(state, model.vocabulary.find(word) or 0)
    predicted = [i for i in range(len(model.vocabulary)) if i != 1]  # not <s>
    total = sum(math.exp(model.native.score(state, i)[0]) for i in predicted)
    assert total == pytest.approx(1, abs=1e-5)


def sequential(model: Model, words: list[int], state: State) -> tuple[list[float], State]:
    logs = []
    for word in words:
        log, state = model.score(state, word)
        logs.append(log)
    return logs, state


@given(TEXT, ORDER, PRUNE, SENTENCE)
@hypothesis_settings(max_examples=100)
def test_states_change_no_score(
    lines: list[list[str]], order: int, prune: tuple[int, ...], query: list[str]
) -> None:
    model = estimated(lines, order, prune)
    grams = grams_of(model)
    words = [w if (w,) in grams else "<unk>" for w in query]
    ids = [model.vocabulary.find(w) or 0 for w in words]
    by_state, _ = sequential(model.native, [*ids, 2], model.native.begin())
    full = [
        math.log(10) * backed_off(grams, order, word, ("<s>", *words[:i]))
        for i, word in enumerate([*words, "</s>"])
    ]
    assert by_state == pytest.approx(full, abs=1e-5)
    assert model.score_words([" ".join(query)]).logs.tolist() == pytest.approx(full, abs=1e-5)


@given(TEXT, ORDER, SENTENCE, SENTENCE, SENTENCE)
@hypothesis_settings(max_examples=100)
def test_equal_states_promise_equal_scores(
    lines: list[list[str]], order: int, one: list[str], two: list[str], rest: list[str]
) -> None:
    model = estimated(lines, order)
    ids = [[model.vocabulary.find(w) or 0 for w in words] for words in (one, two, rest)]
    begin = model.native.begin()
    states = [sequential(model.native, words, begin)[1] for words in ids[:2]]
    if states[0] == states[1]:
        assert hash(states[0]) == hash(states[1])
        logs = [sequential(model.native, [*ids[2], 2], state)[0] for state in states]
        assert logs[0] == logs[1]


@given(TEXT, ORDER, SENTENCE)
@hypothesis_settings(max_examples=50)
def test_search_with_recombination_finds_what_full_histories_find(
    lines: list[list[str]], order: int, query: list[str]
) -> None:
    """Dropping the worse of two hypotheses with equal states never loses the best sentence."""
    model = estimated(lines, order)
    choices = [sorted({model.vocabulary.find(w) or 0, 0, 2}) for w in query[:6]]
    by_history: dict[tuple[int, ...], tuple[float, State]] = {(): (0.0, model.native.begin())}
    by_state = {model.native.begin(): 0.0}
    for options in choices:
        by_history = {
            (*history, word): (total + log, after)
            for history, (total, state) in by_history.items()
            for word in options
            for log, after in [model.native.score(state, word)]
        }
        best: dict[State, float] = {}
        for state, total in by_state.items():
            for word in options:
                log, after = model.native.score(state, word)
                best[after] = max(best.get(after, -math.inf), total + log)
        by_state = best
    full = max(total for total, _ in by_history.values())
    assert max(by_state.values()) == pytest.approx(full, abs=1e-5)


Span = tuple[float, SpanState]


def bracketed(draw: st.DrawFn, model: Model, words: list[int], begin: bool) -> Span:
    """The span scored in some random order of parts."""
    parts: list[int] = []
    spans: list[Span] = []
    position = 0
    while position < len(words):
        length = draw(st.integers(1, len(words) - position))
        if length == 1 and draw(st.booleans()):
            parts.append(words[position])
        elif length < len(words) or draw(st.booleans()):
            parts.append(-1)
            part = words[position : position + length]
            spans.append(
                bracketed(draw, model, part, False)
                if length < len(words)
                else model.score_span(part, [], False)
            )
        else:
            parts.extend(words[position : position + length])
        position += length
    return model.score_span(parts, spans, begin)


@given(st.data(), TEXT, ORDER, SENTENCE, st.booleans())
@hypothesis_settings(max_examples=200)
def test_spans_add_up_in_any_order(
    data: st.DataObject, lines: list[list[str]], order: int, query: list[str], begin: bool
) -> None:
    model = estimated(lines, order)
    words = [*(model.vocabulary.find(w) or 0 for w in query), 2]
    start = model.native.begin() if begin else model.native.no_context()
    logs, state = sequential(model.native, words, start)
    build = st.composite(lambda draw: bracketed(draw, model.native, words, begin))
    score, span = data.draw(build())
    assert score == pytest.approx(sum(logs), abs=1e-4)
    whole_score, whole = model.native.score_span(words, [], begin)
    assert score == pytest.approx(whole_score, abs=1e-4)
    assert span == whole
    assert span.right == state


@given(TEXT, st.integers(1, 10), PRUNE)
@hypothesis_settings(max_examples=30)
def test_a_model_survives_its_files(
    lines: list[list[str]], order: int, prune: tuple[int, ...]
) -> None:
    found = estimate([" ".join(line) for line in lines], estimation(order, prune))
    model = found.model()
    with tempfile.TemporaryDirectory() as folder:
        table, arpa, again = (Path(folder) / name for name in ("m.lm", "m.arpa.gz", "n.lm"))
        found.write(table)
        found.write(arpa)
        mapped = LanguageModel.load(table)
        assert grams_of(mapped) == grams_of(model)
        write_model(again, read_arpa(arpa)[0])
        assert grams_of(LanguageModel.load(again)) == grams_of(model)
        write_arpa(arpa, mapped.arpa(threads=2))
        assert grams_of(LanguageModel.load(arpa)) == grams_of(model)
        text = [" ".join(line) for line in lines]
        assert np.array_equal(mapped.score_batch(text), model.score_batch(text))


def test_a_missing_suffix_is_what_backing_off_gives(tmp_path: Path) -> None:
    """Toolkits that prune by entropy keep n-grams whose suffixes are gone."""
    path = tmp_path / "pruned.arpa"
    path.write_text(
        "\\data\\\nngram 1=6\nngram 2=3\nngram 3=1\n\n\\1-grams:\n"
        "-1\t<unk>\n-99\t<s>\t-0.5\n-1\t</s>\n-0.7\ta\t-0.3\n-0.8\tb\t-0.2\n-0.9\tc\n\n"
        "\\2-grams:\n-0.4\t<s> a\t-0.1\n-0.3\ta b\t-0.15\n-0.5\tb a\t-0.05\n\n"
        "\\3-grams:\n-0.2\ta b c\n\n\\end\\\n"
    )
    model = LanguageModel.load(path)
    assert model.counts == [6, 4, 1]
    logs = model.score_words(["a b c", "b c"]).logs / math.log(10)
    c_after_b = -0.2 - 0.9  # the back-off of b, and c
    end = -1.0
    expected = [-0.4, -0.1 - 0.3, -0.2, end, -0.5 - 0.8, c_after_b, end]
    assert logs.tolist() == pytest.approx(expected, abs=1e-5)
