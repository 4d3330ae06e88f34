"""Files of the corpus room: references by number, files that appear together, splits by seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from miriam.corpus.bitext import Pair, read_bitext, write_bitext
from miriam.corpus.clean import Cleaning
from miriam.corpus.duplicates import Seen, hash_texts
from miriam.corpus.references import reference_files
from miriam.corpus.splits import Splitting, split, write_parts
from miriam.corpus.statistics import statistics
from miriam.errors import ConfigError, InputError
from miriam.text.files import open_together

PAIRS = [Pair(f"s {i}", f"t {i}", "web") for i in range(20)]


@pytest.mark.parametrize(
    ("files", "named", "found"),
    [
        (["en"], ["en"], ["en"]),
        (["en", "en.0", "en.1"], ["en"], ["en"]),
        (["en.0", "en.1", "en.2"], ["en"], ["en.0", "en.1", "en.2"]),
        (["en.0.gz", "en.1.zst", "en.2"], ["en"], ["en.0.gz", "en.1.zst", "en.2"]),
        ([f"en.{i}" for i in range(12)], ["en"], [f"en.{i}" for i in range(12)]),
        (["en.0", "en.1", "de"], ["de", "en"], ["de", "en.0", "en.1"]),
        (["en.0", "en.1", "en.01", "en.1.bak", "den.0"], ["en"], ["en.0", "en.1"]),
    ],
)
def test_references_are_found(
    tmp_path: Path, files: list[str], named: list[str], found: list[str]
) -> None:
    for name in files:
        (tmp_path / name).touch()
    paths = reference_files([tmp_path / name for name in named])
    assert [path.name for path in paths] == found


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([], "no such file, and no en.0 either"),
        (["en.1"], "en.1 is there, and en.0 is not"),
        (["en.0", "en.2"], "en.2 is there, and en.1 is not"),
        (["en.0", "en.0.gz"], "reference 0 is there twice, also as en.0.gz"),
    ],
)
def test_missing_references_are_refused(tmp_path: Path, files: list[str], message: str) -> None:
    for name in files:
        (tmp_path / name).touch()
    with pytest.raises(InputError) as caught:
        reference_files([tmp_path / "en"])
    assert str(caught.value) == f"{tmp_path / 'en'}: {message}"


def test_standard_input_and_a_missing_folder() -> None:
    assert reference_files(["-"]) == [Path("-")]
    with pytest.raises(InputError, match="no such file"):
        reference_files(["/no/such/folder/en"])


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_bitext_is_read_as_it_was_written(tmp_path: Path, suffix: str) -> None:
    paths = [tmp_path / f"{side}{suffix}" for side in "std"]
    assert write_bitext(PAIRS, paths) == 20
    assert list(read_bitext(paths)) == PAIRS
    assert list(read_bitext(paths[:2])) == [Pair(*pair[:2]) for pair in PAIRS]
    assert sorted(tmp_path.iterdir()) == sorted(paths)


@pytest.mark.parametrize("failing", [0, 1])
def test_files_appear_together_or_not_at_all(tmp_path: Path, failing: int) -> None:
    old = [tmp_path / "a", tmp_path / "b"]
    for path in old:
        path.write_text("old")
    with pytest.raises(ValueError, match="closed"), open_together(old) as files:  # noqa: PT012
        for file in files:
            file.write(b"new")
        files[failing].close()
        files[failing].write(b"the disk is full")
    assert [path.read_text() for path in old] == ["old", "old"]
    assert sorted(tmp_path.iterdir()) == old


def test_a_failure_at_the_close_of_one_file_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def fail_for_a(path: Path, target: Path) -> Path:
        if "a" in target.name.split("."):
            raise OSError(28, "No space left on device")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", fail_for_a)
    # The last file is closed first: b is whole when a fails.
    with pytest.raises(InputError, match="a: cannot be written: no space left on device"):
        write_bitext(PAIRS, [tmp_path / "a", tmp_path / "b"])
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_write_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pair is left to write"):
        write_bitext([], [tmp_path / "a", tmp_path / "b"])
    assert list(tmp_path.iterdir()) == []


def test_the_table_of_hashes_grows() -> None:
    seen = Seen()
    texts = [str(i % 30_000) for i in range(50_000)]
    fresh = [seen.add(hash_texts(texts[i : i + 7_000])) for i in range(0, len(texts), 7_000)]
    assert np.concatenate(fresh).tolist() == [True] * 30_000 + [False] * 20_000
    assert len(seen) == 30_000


def test_hashes_that_meet_at_one_slot_find_others() -> None:
    seen = Seen()
    hashes = np.stack([np.zeros(3000, np.uint64), np.arange(1, 6000, 2, dtype=np.uint64)], axis=1)
    assert seen.add(hashes).all()
    assert not seen.add(hashes[::-1]).any()


def test_hashes_are_the_same_in_every_process() -> None:
    assert hash_texts(["ein Hund"]).tolist() == [[5032601552733259911, 5910795009903814769]]


def test_contradictory_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="max_length = 2 is below min_length = 3"):
        Cleaning(min_length=3, max_length=2)
    with pytest.raises(ConfigError, match="the part 'test' has 0 pairs"):
        Splitting(sizes={"test": 0})
    with pytest.raises(ConfigError, match="'test' names a part and the rest"):
        Splitting(sizes={"test": 1}, rest="test")


def test_the_seed_decides_the_split() -> None:
    def drawn(seed: int) -> bytes:
        return split(PAIRS, Splitting(sizes={"test": 5}, seed=seed)).part.tobytes()

    assert drawn(1) == drawn(1)
    assert len({drawn(seed) for seed in range(10)}) > 5


def test_a_split_keeps_the_order_and_notices_a_change(tmp_path: Path) -> None:
    result = split(PAIRS, Splitting(sizes={"test": 5}))
    paths = [tmp_path / f"{part}.{side}" for part in ("test", "train") for side in "st"]
    write_parts(PAIRS, result, paths)
    parts = [list(read_bitext(paths[:2])), list(read_bitext(paths[2:]))]
    for index, part in enumerate(parts):
        chosen = [p for p, k in zip(PAIRS, result.part, strict=True) if k == index]
        assert part == [Pair(*pair[:2]) for pair in chosen]
    for changed in (PAIRS[:-1], [*PAIRS, PAIRS[0]]):
        with pytest.raises(InputError, match=f"20 pairs at first and {len(changed)}"):
            write_parts(changed, result, [tmp_path / f"new{i}" for i in range(4)])
    assert len(list(tmp_path.iterdir())) == 4


def test_a_part_without_pairs_is_refused(tmp_path: Path) -> None:
    pairs = [Pair("the same", str(i)) for i in range(9)]
    result = split(pairs, Splitting(sizes={"test": 5}))
    assert result.sizes() == {"test": 0, "train": 9}
    with pytest.raises(InputError, match="no pair for 'test'"):
        write_parts(pairs, result, [tmp_path / name for name in "abcd"])
    assert list(tmp_path.iterdir()) == []


def test_too_many_pairs_asked_for_and_no_pairs_at_all() -> None:
    with pytest.raises(InputError, match="20 pairs are asked for and there are 20"):
        split(PAIRS, Splitting(sizes={"tune": 10, "test": 10}))
    with pytest.raises(InputError, match="no pair"):
        split([], Splitting(sizes={"test": 1}))
    with pytest.raises(InputError, match="no pair"):
        statistics([])
