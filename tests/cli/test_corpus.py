"""`miriam corpus`: its work, every kind of bad input, and what is left on the disk."""

from __future__ import annotations

import gzip
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import Miriam
from miriam.corpus.bitext import Pair, write_bitext
from miriam.corpus.clean import Cleaning

PAIRS = [Pair(f"ein Satz {i}", f"one sentence {i}", "law" if i % 3 else "web") for i in range(30)]


class Bitext:
    """A bitext in a folder, and the arguments that name it and its outputs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.source, self.target, self.domains = (folder / f"in.{x}" for x in ("de", "en", "dom"))
        write_bitext(PAIRS, [self.source, self.target, self.domains])
        self.inputs = ["--source", str(self.source), "--target", str(self.target)]
        self.outputs = ["--out-source", f"{folder}/out.de", "--out-target", f"{folder}/out.en"]
        self.clean = ["corpus", "clean", *self.inputs, *self.outputs]
        self.stats = ["corpus", "stats", *self.inputs]

    def names(self) -> set[str]:
        """The names of all files in the folder but the inputs."""
        return {path.name for path in self.folder.iterdir()} - {"in.de", "in.en", "in.dom"}


@pytest.fixture
def bitext(tmp_path: Path) -> Bitext:
    return Bitext(tmp_path)


def test_clean_drops_and_counts(miriam: Miriam, bitext: Bitext) -> None:
    rows = [("a  b", "A B", "x"), ("a b", "A B", "y"), ("", "A", "x"), ("a b c d", "A", "x")]
    rows += [("a " * 9, "A", "x"), ("abcdef", "A", "x"), ("a", "A", "z")]
    for path, column in zip(
        (bitext.source, bitext.target, bitext.domains), zip(*rows, strict=True), strict=True
    ):
        path.write_text("\n".join(column) + "\n")
    result = miriam(
        *bitext.clean, "--domains", bitext.domains, "--out-domains", bitext.folder / "out.dom.gz",
        "--max-length", 5, "--max-ratio", 2, "--max-token", 5, "--json",
    )  # fmt: skip
    assert json.loads(result.stdout) == {
        "kept": 2, "empty": 1, "short": 0, "long": 1, "ratio": 1, "token": 1, "duplicate": 1,
        "bad line": 0,
    }  # fmt: skip
    assert (bitext.folder / "out.de").read_text() == "a b\na\n"
    assert (bitext.folder / "out.en").read_text() == "A B\nA\n"
    assert gzip.decompress((bitext.folder / "out.dom.gz").read_bytes()) == b"x\nz\n"
    assert bitext.names() == {"out.de", "out.en", "out.dom.gz"}


def test_clean_shows_a_table_and_keeps_duplicates(miriam: Miriam, bitext: Bitext) -> None:
    bitext.source.write_text("a\na\n")
    bitext.target.write_text("A\nA\n")
    assert "│ duplicate │     1 │" in miriam(*bitext.clean).stdout
    assert "│ kept      │     2 │" in miriam(*bitext.clean, "--keep-duplicates").stdout


def test_the_limits_shown_are_those_of_the_settings() -> None:
    from miriam.cli.corpus_clean import command

    shown = {param.name: param.default for param in command.params}
    defaults = Cleaning()
    for name in ("min_length", "max_length", "max_ratio", "max_token"):
        assert shown[name] == getattr(defaults, name)
    assert defaults.deduplicate is not shown["keep_duplicates"]


def test_standard_input_and_output(miriam: Miriam, bitext: Bitext) -> None:
    arguments = ["corpus", "clean", "--source", "-", "--target", bitext.target, "--out-source", "-"]
    text = bitext.source.read_text()
    result = miriam(*arguments, "--out-target", bitext.folder / "out.en", stdin=text)
    assert result.stdout == text
    assert "kept" in result.stderr
    assert (bitext.folder / "out.en").read_text() == bitext.target.read_text()


def test_stats(miriam: Miriam, bitext: Bitext) -> None:
    known = bitext.folder / "known"
    known.write_text("ein Satz\n")
    arguments = [*bitext.stats, "--domains", bitext.domains, "--known-source", known]
    shown = miriam(*arguments).stdout
    assert "30 (33.3%), 30 types" in shown
    assert "│ law    │    20 │" in shown
    assert "0 of 30 pairs are duplicates." in shown
    found = json.loads(miriam(*arguments, "--json").stdout)
    assert found["domains"] == {"law": 20, "web": 10}
    assert found["source"]["tokens"] == 90
    assert found["source"]["unknown_tokens"] == 30
    assert found["target"]["unknown_tokens"] is None
    assert found["target"]["lengths"]["percentiles"]["50"] == 3


def test_split(miriam: Miriam, bitext: Bitext) -> None:
    arguments = [
        "corpus", "split", *bitext.inputs, "--domains", bitext.domains, "--stratify",
        "--sizes", "tune=6,test=3", "--rest", "learn",
    ]  # fmt: skip
    outputs: list[dict[str, bytes]] = []
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        folder = bitext.folder / name
        folder.mkdir()
        result = miriam(
            *arguments, "--seed", seed, "--out-source", folder / "{part}.de.gz",
            "--out-target", folder / "{part}.en", "--out-domains", folder / "{part}.dom", "--json",
        )  # fmt: skip
        assert json.loads(result.stdout)["parts"] == {"tune": 6, "test": 3, "learn": 21}
        outputs.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert outputs[0] == outputs[1] != outputs[2]
    assert len(outputs[0]) == 9
    assert sorted(outputs[0]["tune.dom"].split()) == [b"law"] * 4 + [b"web"] * 2
    sources = b"".join(gzip.decompress(outputs[0][f"{p}.de.gz"]) for p in ("tune", "test", "learn"))
    assert sorted(sources.splitlines()) == sorted(bitext.source.read_bytes().splitlines())


BAD_LINES = {
    "invalid UTF-8": (b"gr\xfcn", "not UTF-8 at byte 3"),
    "NUL": (b"a\0b", "U+0000"),
    "lone CR": (b"a\rb", "U+000D"),
    "U+2028": ("a\u2028b".encode(), "U+2028"),
    "a megabyte": (b"a " * 500_000, "a line of a megabyte or more"),
}


@pytest.mark.parametrize(("line", "message"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_refused_or_skipped(
    miriam: Miriam, bitext: Bitext, line: bytes, message: str
) -> None:
    lines = bitext.source.read_bytes().splitlines()
    lines[4] = line
    bitext.source.write_bytes(b"\n".join(lines) + b"\n")
    said = miriam.fails(1, *bitext.clean)
    assert said.startswith(f"{bitext.source}, line 5: ")
    assert message in said
    assert bitext.names() == set()
    counts = json.loads(miriam(*bitext.clean, "--on-bad", "skip", "--json").stdout)
    assert (counts["bad line"], counts["kept"]) == (1, 29)
    kept = (bitext.folder / "out.en").read_text().splitlines()
    assert kept == [pair.target for pair in PAIRS if pair != PAIRS[4]]


def test_bad_lines_are_counted_by_stats(miriam: Miriam, bitext: Bitext) -> None:
    bitext.target.write_bytes(bitext.target.read_bytes().replace(b"one sentence 7", b"\xff"))
    assert "line 8: not UTF-8 at byte 1" in miriam.fails(1, *bitext.stats)
    found = json.loads(miriam(*bitext.stats, "--on-bad", "skip", "--json").stdout)
    assert (found["bad_lines"], found["pairs"]) == (1, 29)


def test_bad_lines_are_skipped_in_a_split(miriam: Miriam, bitext: Bitext) -> None:
    bitext.target.write_bytes(bitext.target.read_bytes().replace(b"one sentence 7", b"\xff"))
    arguments = [
        "corpus", "split", *bitext.inputs, "--sizes", "test=9",
        "--out-source", bitext.folder / "{part}.de", "--out-target", bitext.folder / "{part}.en",
    ]  # fmt: skip
    assert "line 8: not UTF-8 at byte 1" in miriam.fails(1, *arguments)
    assert bitext.names() == set()
    assert "1 bad lines were left out" in miriam(*arguments, "--on-bad", "skip").stdout
    assert len((bitext.folder / "train.en").read_text().splitlines()) == 20


def test_line_ends_of_windows_are_taken(miriam: Miriam, bitext: Bitext) -> None:
    bitext.source.write_bytes(bitext.source.read_bytes().replace(b"\n", b"\r\n"))
    assert miriam(*bitext.clean).returncode == 0
    assert (bitext.folder / "out.de").read_text() == "".join(p.source + "\n" for p in PAIRS)


def test_files_that_cannot_be_read(miriam: Miriam, bitext: Bitext) -> None:
    arguments = bitext.clean
    good = bitext.source.read_bytes()
    bitext.source.write_bytes(good + b"more\n")
    said = miriam.fails(1, *arguments)
    assert f"{bitext.source} has 31, {bitext.target} has 30" in said
    bitext.source.write_bytes(b"")
    said = miriam.fails(1, *arguments)
    assert f"{bitext.source} has 0, {bitext.target} has 30" in said
    bitext.target.write_bytes(b"")
    assert miriam.fails(1, *arguments) == f"{bitext.source}: the file is empty"
    bitext.source.unlink()
    assert miriam.fails(1, *arguments) == f"{bitext.source}: no such file or directory"
    bitext.source.mkdir()
    assert miriam.fails(1, *arguments) == f"{bitext.source}: a directory, where a file is needed"
    assert bitext.names() == set()


def test_a_gz_that_was_cut_short(miriam: Miriam, bitext: Bitext) -> None:
    path = bitext.folder / "in.de.gz"
    path.write_bytes(gzip.compress(bitext.source.read_bytes())[:-20])
    arguments = [path if a == str(bitext.source) else a for a in bitext.clean]
    assert miriam.fails(1, *arguments).startswith(f"{path}: the compressed data ends early")
    path.write_bytes(b"no gzip")
    assert miriam.fails(1, *arguments).startswith(f"{path}: not a sound")
    assert bitext.names() == {"in.de.gz"}


def test_a_call_that_is_wrong(miriam: Miriam, bitext: Bitext) -> None:
    inputs, outputs, clean = bitext.inputs, bitext.outputs, bitext.clean
    split = ["corpus", "split", *inputs, "--sizes", "test=5"]
    parts = ["--out-source", f"{bitext.folder}/{{part}}.de", "--out-target"]
    parts += [f"{bitext.folder}/{{part}}.en"]
    both = ["--source", "-", "--target", "-"]
    calls: list[tuple[list[object], str]] = [
        (["corpus", "clean", *both, *outputs], "standard input (-) can be only one"),
        (["corpus", "stats", *both], "standard input (-) can be only one"),
        ([*clean, "--out-source", bitext.target], "in.en is read and is to be written"),
        ([*clean, "--out-source", bitext.folder / "out.en"], "out.en is to be written twice"),
        ([*clean, "--out-source", "-", "--out-target", "-"], "- is to be written twice"),
        ([*clean, "--domains", bitext.domains], "both --domains and --out-domains"),
        ([*clean, "--min-length", 7, "--max-length", 6], "max_length = 6 is below min_length = 7"),
        ([*clean, "--max-length", 0], "0 is not in the range x>=1"),
        ([*clean, "--max-words", 5], "No such option"),
        (["corpus", "clean", *inputs], "Missing option '--out-source'"),
        (["corpus", "scrub"], "No such command 'scrub'"),
        ([*split, *outputs], "out.de lacks {part}"),
        ([*split, *parts, "--sizes", "test"], "--sizes test: expected names and numbers"),
        ([*split, *parts, "--sizes", "a=1,a=2"], "--sizes a=1,a=2: expected"),
        ([*split, *parts, "--sizes", "test=0"], "the part 'test' has 0 pairs"),
        ([*split, *parts, "--rest", "test"], "'test' names a part and the rest"),
        ([*split, *parts, "--stratify"], "--stratify and --out-domains need --domains"),
        ([*split, *parts, "--source", "-"], "- cannot be read twice"),
        ([*split, *parts, "--source", "/dev/null"], "/dev/null cannot be read twice"),
    ]
    for arguments, message in calls:
        assert message in miriam.fails(2, *arguments)
    assert miriam.fails(1, *split, *parts, "--sizes", "test=30").startswith("30 pairs are asked")
    assert bitext.names() == set()


def test_nothing_is_left_or_nothing_can_be_written(miriam: Miriam, bitext: Bitext) -> None:
    assert "no pair is left to write" in miriam.fails(1, *bitext.clean, "--max-length", 1)
    for place, message in [
        (bitext.folder, "a directory, where a file is to be written"),
        (bitext.folder / "no" / "out", f"there is no folder {bitext.folder / 'no'} to write it to"),
        (bitext.source / "out", f"there is no folder {bitext.source} to write it to"),
    ]:
        said = miriam.fails(1, *bitext.clean, "--out-target", place)
        assert said == f"{place}: {message}"
    assert bitext.names() == set()


def test_a_full_disk_leaves_nothing(bitext: Bitext) -> None:
    bitext.source.write_text("".join(f"ein Satz {i}\n" for i in range(5000)))
    bitext.target.write_text("".join(f"one sentence {i}\n" for i in range(5000)))
    call = shlex.join([sys.executable, "-m", "miriam", *bitext.clean])
    result = subprocess.run(
        ["/bin/sh", "-c", f"ulimit -f 50; exec {call}"],  # no file above 50 blocks
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 1
    assert "file too large" in result.stderr
    assert bitext.names() == set()


def test_ctrl_c_leaves_nothing(bitext: Bitext) -> None:
    arguments = [x if x != str(bitext.source) else "-" for x in bitext.clean]
    process = subprocess.Popen(
        [sys.executable, "-m", "miriam", *arguments],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin
    process.stdin.write(b"ein Satz\n")
    process.stdin.flush()
    deadline = time.monotonic() + 30
    while not bitext.names() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert bitext.names()  # it is at work: temporary files, and no file under its name
    assert not bitext.names() & {"out.de", "out.en"}
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert b"interrupted; no output file was left half-written" in said
    assert bitext.names() == set()
