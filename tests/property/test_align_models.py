"""The native alignment models against the book: enumeration, dense matrices, sets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miriam._core import Progress
from miriam._core import align as core
from miriam.align.links import Links
from miriam.align.models import Fast, Hmm, Ibm1, Positions, reestimate, stages
from miriam.align.symmetrise import SYMMETRISATIONS, symmetrise
from oracles import align as oracle

WORDS = 4
SENTENCE = st.lists(st.integers(0, WORDS - 1), max_size=4)
BITEXT = st.lists(st.tuples(SENTENCE, SENTENCE), min_size=1, max_size=4)
WEIGHTS = st.lists(st.floats(0.0625, 1.0, width=32), min_size=5, max_size=5)
NULL = st.floats(0.05, 0.5)
MODELS = ("uniform", "diagonal", "jumps")


def native_bitext(bitext: oracle.Bitext) -> core.Bitext:
    arrays: list[np.ndarray] = []
    for side in zip(*bitext, strict=True):
        arrays.append(np.array([word for sentence in side for word in sentence], np.uint32))
        arrays.append(np.cumsum([len(sentence) for sentence in side], dtype=np.uint64))
    return core.Bitext(*arrays)


def models(
    kind: str, weights: list[float], null: float
) -> tuple[Positions, oracle.PathProbability]:
    if kind == "uniform":
        return core.Uniform(), oracle.uniform
    if kind == "diagonal":
        return core.Diagonal(3.0, null), oracle.diagonal(3.0, null)
    return core.Jumps(weights, null), oracle.jumps(weights, null)


def translations(training: core.Training) -> tuple[oracle.Translations, oracle.Translations]:
    """The native table as the oracle's two dictionaries."""
    ends, targets, values, target_null, source_null = training.table()
    forward: dict[tuple[int | None, int], float] = {}
    reverse: dict[tuple[int | None, int], float] = {}
    sources = np.searchsorted(ends, np.arange(len(targets)), side="right")
    for s, t, (p, q) in zip(sources.tolist(), targets.tolist(), values.tolist(), strict=True):
        forward[s, t], reverse[t, s] = p, q
    for word in range(WORDS):
        forward[None, word] = float(target_null[word])
        reverse[None, word] = float(source_null[word])
    return oracle.Translations(WORDS, forward), oracle.Translations(WORDS, reverse)


@settings(max_examples=40)
@given(BITEXT, st.sampled_from(MODELS), WEIGHTS, NULL, st.booleans(), st.sampled_from([0, 0.01]))
def test_em_is_that_of_enumerated_alignments(
    bitext: oracle.Bitext, kind: str, weights: list[float], null: float, agree: bool, alpha: float
) -> None:
    positions, prior = models(kind, weights, null)
    training = core.Training(native_bitext(bitext), (WORDS, WORDS), 2, Progress())
    book = oracle.Em(
        bitext, oracle.Translations(WORDS), oracle.Translations(WORDS), agree=agree, alpha=alpha
    )
    for _ in range(2):
        statistics = training.expect(positions, positions, agree, 2, Progress())
        training.maximise(alpha, 2)
        likelihoods = book.step(prior, prior)
        assert [s[0] for s in statistics] == pytest.approx(likelihoods, rel=1e-5, abs=1e-5)
    for found, expected in zip(translations(training), (book.forward, book.reverse), strict=True):
        for given_word in (None, *range(WORDS)):
            for word in range(WORDS):
                assert found(given_word, word) == pytest.approx(
                    expected(given_word, word), rel=1e-4, abs=1e-6
                )


@settings(max_examples=40)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.integers(1, 4), WEIGHTS, NULL)
def test_matrices_equal_enumeration(
    observed: list[int], length: int, weights: list[float], null: float
) -> None:
    rng = np.random.default_rng(len(observed) * 10 + length)
    table = rng.random((4, length + 1))
    joint = {
        path: probability * math.prod(table[f, i] for f, i in zip(observed, path, strict=True))
        for path, probability in (
            (path, oracle.jumps(weights, null)(path, length))
            for path in oracle.paths(
                range(length), observed, oracle.Translations(4), oracle.uniform
            )
        )
    }
    likelihood, posteriors, taken, expected = oracle.forward_backward(
        table[observed], weights, null
    )
    assert likelihood == pytest.approx(math.log(sum(joint.values())))
    assert posteriors == pytest.approx(oracle.posteriors(joint, length, len(observed)))
    by_enumeration = oracle.jump_statistics(joint, weights, length)
    assert taken == pytest.approx(by_enumeration[0])
    assert expected == pytest.approx(by_enumeration[1])


LENGTH = st.integers(1, 4) | st.integers(1, 40)


@settings(max_examples=100)
@given(LENGTH, LENGTH, st.integers(1, 9), NULL, st.integers(0, 99))
def test_convolutions_equal_matrices(
    source: int, target: int, window: int, null: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    bitext = [
        (rng.integers(9, size=source).tolist(), rng.integers(9, size=target).tolist())
        for _ in range(3)
    ]
    weights = rng.uniform(0.05, 1.0, 2 * window + 1).astype(np.float32)
    positions = core.Jumps(weights.tolist(), null)
    training = core.Training(native_bitext(bitext), (9, 9), 1, Progress())
    training.expect(core.Uniform(), core.Uniform(), False, 1, Progress())
    training.maximise(0.0, 1)
    ends, targets, values, target_null, _ = training.table()
    statistics = np.array(training.expect(positions, positions, False, 1, Progress())[0])
    dense = np.full((9, 10), oracle.FLOOR)
    rows = np.searchsorted(ends, np.arange(len(targets)), side="right")
    dense[rows, targets] = values[:, 0]
    dense[:, 9] = 0  # unused: NULL has a table of its own
    book = np.zeros_like(statistics)
    for given_words, observed in bitext:
        cells = np.stack(
            [[target_null[f], *(dense[e, f] for e in given_words)] for f in observed]
        ).clip(oracle.FLOOR)
        likelihood, _, taken, expected = oracle.forward_backward(cells, weights.tolist(), null)
        book += np.concatenate([[likelihood], taken, expected])
    assert statistics == pytest.approx(book, rel=1e-4, abs=1e-4)


@settings(max_examples=40)
@given(BITEXT, st.sampled_from(MODELS), WEIGHTS, NULL)
def test_links_are_those_of_enumerated_alignments(
    bitext: oracle.Bitext, kind: str, weights: list[float], null: float
) -> None:
    positions, prior = models(kind, weights, null)
    native = native_bitext(bitext)
    training = core.Training(native, (WORDS, WORDS), 1, Progress())
    training.expect(positions, positions, False, 1, Progress())
    training.maximise(0.0, 1)
    aligner = core.Aligner(training.table(), positions, positions)
    forward, reverse = translations(training)
    best = [Links(*links) for links in aligner.best(native, 2, Progress())]
    likely = Links(*aligner.likely(native, 0.4, 2, Progress()))
    for n, (source, target) in enumerate(bitext):
        if not source or not target:
            assert not sum(len(links[n]) for links in (*best, likely))
            continue
        joints = [
            oracle.paths(source, target, forward, prior),
            oracle.paths(target, source, reverse, prior),
        ]
        path = [0] * len(target)
        for i, j in best[0][n].tolist():
            path[j] = i + 1
        assert joints[0][tuple(path)] == pytest.approx(max(joints[0].values()), rel=1e-4)
        path = [0] * len(source)
        for i, j in best[1][n].tolist():
            path[i] = j + 1
        assert joints[1][tuple(path)] == pytest.approx(max(joints[1].values()), rel=1e-4)
        p = oracle.posteriors(joints[0], len(source), len(target))[:, 1:].T
        q = oracle.posteriors(joints[1], len(target), len(source))[:, 1:]
        found = np.zeros(p.shape, bool)
        found[tuple(likely[n].T)] = True
        mean = (p + q) / 2
        assert np.array_equal(found | (abs(mean - 0.4) < 1e-4), mean > 0.4 - 1e-4)


@pytest.mark.parametrize("model", [Ibm1(), Hmm(agreement=False), Fast(alpha=0)])
def test_the_likelihood_never_falls(model: Ibm1 | Hmm | Fast) -> None:
    rng = np.random.default_rng(3)
    bitext = [
        (rng.zipf(1.4, 9).clip(max=50).tolist(), rng.zipf(1.4, 8).clip(max=50).tolist())
        for _ in range(30)
    ]
    training = core.Training(native_bitext(bitext), (51, 51), 2, Progress())
    for stage in stages(model):
        forward = reverse = stage.positions
        likelihoods = []
        for _ in range(8):
            statistics = training.expect(forward, reverse, False, 2, Progress())
            training.maximise(0.0, 2)
            forward = reestimate(forward, np.array(statistics[0]))
            reverse = reestimate(reverse, np.array(statistics[1]))
            likelihoods.append([s[0] for s in statistics])
        assert (np.diff(likelihoods, axis=0) > -0.01).all(), likelihoods


LINKS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 4)), max_size=14)


@settings(max_examples=200)
@given(LINKS, LINKS, st.sampled_from(sorted(SYMMETRISATIONS)))
def test_symmetrisation_is_that_of_sets(forward: oracle.Set, reverse: oracle.Set, how: str) -> None:
    found = symmetrise(Links.of([forward, set()]), Links.of([reverse, set()]), how)
    assert {(i, j) for i, j in found[0].tolist()} == oracle.symmetrise(forward, reverse, how)
    assert not len(found[1])
