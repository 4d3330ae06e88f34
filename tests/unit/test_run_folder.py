"""Run folders: what is read of them, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from miriam.analysis.comparing import differing_settings
from miriam.analysis.run import find_runs, read_run
from miriam.errors import InputError
from toy_run import write_run


def test_a_run_is_read(tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path / "a", {"LM": 0.5}, untuned={"LM": 1.0}))
    assert [e.score for e in run.epochs] == [30.0, 33.5, 35.25, 34.0]
    assert run.best
    assert run.best.epoch == 2
    assert (run.weights, run.untuned) == ({"LM": 0.5}, {"LM": 1.0})
    assert run.settings == {"learner.kind": "online", "learner.eta": 0.02}
    assert run.seconds == 7.5
    assert run.about.seed == 7


def test_a_batch_learner_has_steps(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(
        '{"event":"step","step":1,"steps":2,"score":20.5}\n'
        '{"event":"step","step":2,"steps":2,"score":20.0}\n'
    )
    run = read_run(tmp_path)
    assert run.best
    assert (run.best.epoch, run.best.score, run.best.features) == (1, 20.5, None)
    assert run.timings == []
    assert run.weights is None


def test_the_line_that_a_killed_run_was_writing_is_left_out(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a", {})
    log = run / "log.jsonl"
    log.write_text(f'{log.read_text()}{{"event":"epo')
    assert len(read_run(run).epochs) == 4


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("log.jsonl", "nothing\n{}\n", "log.jsonl, line 1: not a record of a learner's log"),
        ("log.jsonl", '{"event":"epoch","epoch":"x"}\n', "not the record of an epoch"),
        ("timings.json", "[{}]", "timings.json: damaged"),
        ("tuning.toml", "a b", "tuning.toml: not valid TOML"),
    ],
)
def test_damage_is_refused(tmp_path: Path, file: str, text: str, message: str) -> None:
    folder = write_run(tmp_path / "a", {})
    (folder / file).write_text(text)
    run = read_run(folder)
    with pytest.raises(InputError, match=message):
        _ = run.epochs, run.timings, run.settings


def test_folders_without_a_run_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a run"):
        read_run(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        read_run(tmp_path / "none")
    with pytest.raises(InputError, match="no such folder"):
        find_runs(tmp_path / "none")
    assert find_runs(tmp_path) == []


def test_runs_are_compared_by_the_settings_that_differ(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "a", {})
    write_run(tmp_path / "runs" / "b", {}, eta=0.1)
    runs = find_runs(tmp_path)
    assert [run.name for run in runs] == ["a", "b"]
    assert differing_settings(runs) == {"learner.eta": [0.02, 0.1]}
