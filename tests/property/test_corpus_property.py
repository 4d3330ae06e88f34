"""Cleaning, de-duplication and splits against their definitions, on random small bitexts."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from miriam.corpus.bitext import Pair
from miriam.corpus.clean import Cleaning, clean
from miriam.corpus.domains import number_domains
from miriam.corpus.duplicates import Seen
from miriam.corpus.splits import Splitting, components, split
from miriam.corpus.statistics import statistics
from miriam.corpus.tokens import count_tokens, has_long_token, squeeze
from oracles.corpus import clean_obvious, components_obvious, tokens

LINES = st.text(alphabet="ab\t\u00a0é   ", max_size=12)
DOMAINS = st.sampled_from(["law", "web", ""])
PAIRS = st.lists(st.builds(Pair, LINES, LINES, DOMAINS), max_size=30)
SETTINGS = st.builds(
    Cleaning,
    min_length=st.integers(1, 2),
    max_length=st.integers(2, 5),
    max_ratio=st.sampled_from([1.0, 1.5, 2.0, 9.0]),
    max_token=st.integers(1, 6),
    deduplicate=st.booleans(),
)
# Few different sentences, so that many pairs share one.
WORDS = st.integers(0, 12).map(str)
LINKED = st.lists(st.builds(Pair, WORDS, WORDS, DOMAINS), min_size=2, max_size=40)


@given(LINES, st.integers(1, 8))
def test_token_lines_are_measured_as_if_they_were_split(line: str, limit: int) -> None:
    squeezed = squeeze(line)
    assert squeezed == " ".join(tokens(line))
    assert count_tokens(squeezed) == len(tokens(line))
    assert has_long_token(squeezed, limit) == any(len(token) > limit for token in tokens(line))


@given(PAIRS, SETTINGS)
def test_clean_equals_its_definition(pairs: list[Pair], settings: Cleaning) -> None:
    dropped = Counter[str]()
    kept = list(clean(pairs, settings, dropped))
    assert (kept, dropped) == clean_obvious(pairs, settings)
    assert len(kept) + dropped.total() == len(pairs)
    assert list(clean(kept, settings)) == kept


@given(
    # The first words are few, so that hashes meet at the same slots; the second ones are odd.
    st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 40)), max_size=40), max_size=8)
)
def test_seen_equals_a_set(batches: list[list[tuple[int, int]]]) -> None:
    seen, known = Seen(), set[tuple[int, int]]()
    for batch in batches:
        expected = []
        for key in batch:
            expected.append(key not in known)
            known.add(key)
        hashes = np.array([(a, 2 * b + 1) for a, b in batch], dtype=np.uint64).reshape(-1, 2)
        assert seen.add(hashes).tolist() == expected
        assert len(seen) == len(known)


@given(LINKED)
def test_components_equal_their_definition(pairs: list[Pair]) -> None:
    sources = np.array([int(pair.source) for pair in pairs], dtype=np.uint64)
    targets = np.array([int(pair.target) for pair in pairs], dtype=np.uint64)
    of_pair, size = components(sources, targets)
    groups: dict[int, set[int]] = {}
    for index, component in enumerate(of_pair.tolist()):
        groups.setdefault(component, set()).add(index)
    assert set(map(frozenset, groups.values())) == components_obvious([p[:2] for p in pairs])
    assert size.tolist() == [len(groups[component]) for component in range(len(size))]


@given(LINKED, st.integers(1, 8), st.integers(1, 8), st.integers(0, 5), st.booleans())
def test_parts_share_no_sentence_and_are_as_large_as_they_can_be(
    pairs: list[Pair], tune: int, test: int, seed: int, stratify: bool
) -> None:
    assume(tune + test < len(pairs))
    settings = Splitting(sizes={"tune": tune, "test": test}, seed=seed, stratify=stratify)
    result = split(pairs, settings)
    assert result.part.tolist() == split(iter(pairs), settings).part.tolist()
    assert sum(result.sizes().values()) == len(result.part) == len(pairs)
    parts = [[p for p, k in zip(pairs, result.part, strict=True) if k == part] for part in range(3)]
    for side in range(2):
        sentences = [{pair[side] for pair in part} for part in parts]
        assert not (sentences[0] & sentences[1] | (sentences[0] | sentences[1]) & sentences[2])
    missing = max(tune - len(parts[0]), test - len(parts[1]))
    assert len(parts[0]) <= tune
    assert len(parts[1]) <= test
    assert all(len(group) > missing for group in components_obvious([p[:2] for p in parts[2]]))


@given(st.lists(DOMAINS, min_size=4, max_size=60), st.integers(0, 5))
def test_a_stratified_part_has_the_domains_of_the_whole(labels: list[str], seed: int) -> None:
    pairs = [Pair(str(i), str(i), label) for i, label in enumerate(labels)]
    size = len(pairs) // 3
    result = split(pairs, Splitting(sizes={"test": size}, seed=seed, stratify=True))
    assert result.sizes()["test"] == size
    drawn = Counter(label for label, k in zip(labels, result.part, strict=True) if k == 0)
    for label, count in Counter(labels).items():
        assert abs(drawn[label] - size * count / len(labels)) < 1


@given(st.lists(DOMAINS, max_size=20))
def test_domain_ids_name_the_labels(labels: list[str]) -> None:
    domains = number_domains(labels)
    assert [domains.names[i] for i in domains.ids] == labels
    assert list(domains.names) == sorted(set(labels))
    assert domains.counts() == Counter(labels)


@given(PAIRS.filter(bool))
def test_statistics_equal_their_definition(pairs: list[Pair]) -> None:
    found = statistics(pairs, known_source={"a", "b"})
    lines = [(tokens(pair.source), tokens(pair.target)) for pair in pairs]
    words = [[word for line in side for word in line] for side in zip(*lines, strict=True)]
    assert found.pairs == len(pairs)
    assert found.distinct_pairs == len({(" ".join(s), " ".join(t)) for s, t in lines})
    assert [found.source.tokens, found.target.tokens] == list(map(len, words))
    assert (found.source.types, found.target.types) == (len(set(words[0])), len(set(words[1])))
    assert found.source.unknown_tokens == sum(word not in {"a", "b"} for word in words[0])
    assert found.source.unknown_types == len(set(words[0]) - {"a", "b"})
    assert found.source.empty_lines == sum(not source for source, _ in lines)
    assert found.target.distinct_lines == len({" ".join(target) for _, target in lines})
    assert found.domains == {d: n for d, n in Counter(p.domain for p in pairs).items() if d}
    lengths = sorted(len(source) for source, _ in lines)
    assert found.source.lengths.mean == sum(lengths) / len(pairs)
    for p, length in found.source.lengths.percentiles.items():
        assert sum(n <= length for n in lengths) >= p / 100 * len(pairs)
        assert sum(n < length for n in lengths) < max(p / 100 * len(pairs), 1)
