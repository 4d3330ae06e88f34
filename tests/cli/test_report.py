"""`miriam report`, `plot` and `runs`, on a model with a made-up run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from conftest import Miriam
from miriam.features.weights import read_weights
from toy_model import write_text
from toy_run import write_run

VOID = {"meta", "br", "wbr"}


class Checker(HTMLParser):
    """Refuses elements that are not closed, and anything from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        assert not {"src", "srcset", "onclick"} & named.keys()
        assert str(named.get("href", "#")).startswith("#")
        assert tag not in {"script", "link", "iframe", "object"}
        self.ids.add(str(named.get("id", "")))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def checked(page: Path) -> Checker:
    checker = Checker()
    text = page.read_text(encoding="utf-8")
    checker.feed(text)
    assert checker.open == []
    assert "url(" not in text
    assert "@import" not in text
    return checker


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with the run of its training and one of tuning, whose weights are bad."""
    folder = tmp_path_factory.mktemp("toy")
    files = write_text(folder)
    result = Miriam()("train", "--source", files[0], "--target", files[1], "--out", folder / "m")
    assert result.returncode == 0, result.stderr
    weights = read_weights(folder / "m" / "weights.txt")
    tuned = {**weights, "LM": -0.75}
    write_run(folder / "m" / "runs" / "tuned", tuned, untuned=weights)
    source = ["Der Hund malt einen Baum.", "Der Xyz hat <b>.", "", "Ein Ball & ein Mann"]
    target = ["The dog paints a tree.", "The xyz has it.", "Nothing", "A ball & a man"]
    for name, lines in (("t.de", source), ("t.en", target)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder / "m"


def sections(checker: Checker) -> Iterator[str]:
    return (name for name in checker.ids if name)


def test_training_leaves_a_run(miriam: Miriam, model: Path) -> None:
    timings = json.loads((model / "runs" / "train" / "timings.json").read_text())
    assert [t["step"] for t in timings] == [
        "prepare", "compounds", "align", "rules", "lm", "assemble"
    ]  # fmt: skip
    assert all(t["seconds"] >= 0 for t in timings)
    assert miriam("check", model).returncode == 0


def test_a_report_with_everything(miriam: Miriam, model: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    text = model.parent / "t.de", model.parent / "t.en"
    result = miriam("report", model, "--source", text[0], "--references", text[1], "--out", page)
    assert result.returncode == 0, result.stderr
    checker = checked(page)
    assert set(sections(checker)) == {
        "scores", "learning", "weights", "sentences", "explained", "groups", "time", "settings"
    }  # fmt: skip
    shown = " ".join(checker.text)
    assert "Der Xyz hat <b>." in shown
    assert "35.25" in shown
    assert "prefers-color-scheme: dark" in page.read_text()


def test_a_report_without_references_or_source(miriam: Miriam, model: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    source = model.parent / "t.de"
    assert (
        miriam("report", model, "--source", source, "--out", page, "--explain", 3).returncode == 0
    )
    assert "scores" not in set(sections(checked(page)))
    assert "Sentence 3." in page.read_text()
    assert miriam("report", model, "--run", "train", "--out", page).returncode == 0
    assert set(sections(checked(page))) == {"time", "settings"}
    assert miriam("report", model / "runs" / "tuned", "--out", page).returncode == 0
    assert "sentences" not in set(sections(checked(page)))


def test_the_same_report_again(miriam: Miriam, model: Path, tmp_path: Path) -> None:
    pages = [tmp_path / "a.html", tmp_path / "b.html"]
    for page, threads in zip(pages, (1, 2), strict=True):
        miriam("report", model, "--source", model.parent / "t.de", "--references",
               model.parent / "t.en", "--out", page, "--threads", threads)  # fmt: skip
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_pictures(miriam: Miriam, model: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = miriam("plot", model, "--out", tmp_path / "p", "--format", "svg")
    assert result.returncode == 0, result.stderr
    names = sorted(path.name for path in (tmp_path / "p").iterdir())
    assert names == ["learning-features.svg", "learning-length-ratio.svg", "learning-score.svg",
                     "learning-seconds.svg", "time-by-step.svg"]  # fmt: skip


def test_runs_are_listed_and_compared(miriam: Miriam, model: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path / "other", {}, scores=[10.0, 12.0], eta=0.1)
    result = miriam("runs", model, other)
    assert re.search(r"tuned.*35\.25.*2 of 3.*205", result.stdout)
    assert re.search(r"learner\.eta.*0\.02.*0\.1", result.stdout)
    listed = json.loads(miriam("runs", model, other, "--json").stdout)
    assert [run["name"] for run in listed["runs"]] == ["train", "tuned", "other"]
    assert listed["runs"][2]["score"] == 12.0
    assert listed["differing"]["learner.eta"] == [None, 0.02, 0.1]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["report", "{m}", "--out", "{t}/r", "--run", "none"], 2, "no such run, but train, tuned"),
        (["report", "{t}", "--out", "{t}/r"], 1, "there is no run here"),
        (["report", "{m}", "--out", "{t}/r", "--tokens"], 2, "are about a --source"),
        (["report", "{m}", "--out", "{t}/r", "--source", "{m}/../t.de", "--explain", "9"], 2,
         "the source has 4 lines"),
        (["report", "{m}", "--out", "{t}/none/r"], 1, "there is no folder"),
        (["plot", "{t}", "--out", "{t}/p"], 1, "there is no run here"),
        (["runs", "{t}"], 1, "there is no run here"),
    ],
)  # fmt: skip
def test_wrong_calls(
    miriam: Miriam, model: Path, tmp_path: Path, arguments: list[str], status: int, message: str
) -> None:
    call = [argument.format(m=model, t=tmp_path) for argument in arguments]
    result = miriam(*call)
    assert result.returncode == status, result.stderr
    assert message in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
