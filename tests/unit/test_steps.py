"""Steps that run once, and again when something has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from miriam.errors import InputError
from miriam.pipeline.steps import Work


def work_through(folder: Path, *, setting: int = 1, fail: bool = False) -> list[str]:
    """The steps that ran: b reads what a makes."""
    ran: list[str] = []
    with Work(folder / "work") as work:

        def make(name: str) -> str:
            if fail and name == "b":
                raise KeyboardInterrupt
            ran.append(name)
            work.path(name).write_text(f"{name} {setting}")
            return "a note"

        first = work.step("a", settings=setting, reads=[folder / "input"], makes=["a"])
        first.run(lambda: make("a"))
        assert first.timing.note == "a note"
        second = work.step("b", settings=0, reads=[work.path("a")], makes=["b"])
        second.run(lambda: make("b"))
    return ran


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "input").write_text("text")
    return tmp_path


def test_nothing_runs_twice(folder: Path) -> None:
    assert work_through(folder) == ["a", "b"]
    assert work_through(folder) == []


def test_work_that_was_stopped_goes_on(folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        work_through(folder, fail=True)
    assert work_through(folder) == ["b"]


def test_other_settings_or_input_run_all_that_follows(folder: Path) -> None:
    work_through(folder)
    assert work_through(folder, setting=2) == ["a", "b"]
    (folder / "input").write_text("texts")
    assert work_through(folder, setting=2) == ["a", "b"]


@pytest.mark.parametrize("damage", ["output", "record"])
def test_what_was_cut_is_made_again(folder: Path, damage: str) -> None:
    work_through(folder)
    path = folder / "work" / ("b" if damage == "output" else "b.done.json")
    path.write_text("")
    assert work_through(folder) == ["b"]


def test_only_one_training_has_the_folder(folder: Path) -> None:
    with Work(folder / "work"), pytest.raises(InputError, match="another training is at work"):
        Work(folder / "work")
    assert work_through(folder) == ["a", "b"]


def test_what_a_killed_training_was_writing_is_removed(folder: Path) -> None:
    work_through(folder)
    (folder / "work" / ".b.123.0").write_text("half")
    (folder / "work" / ".model.123").mkdir()
    assert work_through(folder) == []
    assert not list((folder / "work").glob(".*"))
