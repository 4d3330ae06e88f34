"""`miriam train`: what it refuses, and how it goes on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from conftest import Miriam
from miriam.errors import InputError
from miriam.lm.model import LanguageModel
from miriam.pipeline import space
from miriam.pipeline.resolve import data_overrides, resolve
from miriam.pipeline.train import train_model
from miriam.rules.table import RuleTable
from miriam.text.files import read_lines
from toy_model import write_text


def test_training_resumes_and_depends_on_its_settings(miriam: Miriam, tmp_path: Path) -> None:
    source, target = write_text(tmp_path)
    options = ["train", "--source", source, "--target", target, "--work", tmp_path / "work"]
    first = miriam(*options, "--out", tmp_path / "one")
    assert "rules: 0." in first.stderr
    second = miriam(*options, "--out", tmp_path / "two", "--set", "lm.order=3")
    assert second.returncode == 0, second.stderr
    assert "rules: as before" in second.stderr
    assert "lm: 0." in second.stderr
    tables = [(tmp_path / name / "TM.rules.safetensors").stat().st_size for name in ("one", "two")]
    assert tables[0] == tables[1]


def test_threads_do_not_change_the_model(miriam: Miriam, tmp_path: Path) -> None:
    source, target = write_text(tmp_path)
    for n in (1, 2):
        miriam("train", "--source", source, "--target", target, "--out", tmp_path / f"m{n}",
               "--threads", n, "--tokens")  # fmt: skip
    assert (tmp_path / "m1" / "manifest.json").read_bytes() == (
        tmp_path / "m2" / "manifest.json"
    ).read_bytes()


def test_further_text_is_for_the_language_model(miriam: Miriam, tmp_path: Path) -> None:
    source, target = write_text(tmp_path)
    (tmp_path / "mono.en").write_text("A Zebra sleeps .\n\nA Zebra barks.\n")
    for name, more in (("plain", []), ("more", ["--mono", tmp_path / "mono.en"])):
        result = miriam("train", "--source", source, "--target", target,
                        "--out", tmp_path / name, *more)  # fmt: skip
        assert result.returncode == 0, result.stderr
    unknown = [
        LanguageModel.load(tmp_path / name / "LM.lm.safetensors").perplexity(["Zebra"]).unknown
        for name in ("plain", "more")
    ]
    assert unknown == [1, 0]
    tables = [(tmp_path / n / "TM.rules.safetensors").stat().st_size for n in ("plain", "more")]
    assert tables[0] == tables[1]


def test_compounds_are_translated_by_their_parts(miriam: Miriam, tmp_path: Path) -> None:
    firsts = {"wald": "forest", "berg": "mountain", "fluss": "river", "stadt": "city",
              "garten": "garden", "winter": "winter"}  # fmt: skip
    lasts = {"haus": "house", "hund": "dog", "straße": "street", "fest": "feast"}
    words = {**firsts, **lasts}
    pairs = [(f"das {s}", f"the {t}") for s, t in words.items()] * 9
    pairs += [(f"am {s} {n}", f"at {t} {n}") for n in range(9) for s, t in words.items()]
    compounds = [(s1 + s2, f"{t1} {t2}") for s1, t1 in firsts.items() for s2, t2 in lasts.items()]
    pairs += [(f"ein {s}", f"a {t}") for s, t in compounds[:-1]]
    for side, name in enumerate(("train.de", "train.en")):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in pairs))
    options = ["train", "--source", tmp_path / "train.de", "--target", tmp_path / "train.en"]
    unseen, translation = compounds[-1]
    for setting, said, expected in (
        ("auto", "they are parted", f"the {translation}"), ("keep", "", f"the {unseen}")
    ):  # fmt: skip
        result = miriam(*options, "--tokens", "--no-tune", "--set", f"compounds={setting}",
                        "--out", tmp_path / setting)  # fmt: skip
        assert said in result.stderr
        best = miriam("translate", "--model", tmp_path / setting, stdin=f"das {unseen}\n")
        assert best.stdout == f"{expected}\n"


def test_training_with_hierarchical_rules(miriam: Miriam, tmp_path: Path) -> None:
    source, target = write_text(tmp_path)
    result = miriam("train", "--source", source, "--target", target, "--out", tmp_path / "model",
                    "--preset", "hierarchical", "--set", "rules.max_gaps=1")  # fmt: skip
    assert result.returncode == 0, result.stderr
    table = RuleTable.open(tmp_path / "model" / "TM.rules.safetensors")
    assert table.hierarchical
    assert any("[X,1]" in rule.source for rule in table)
    assert not any("[X,2]" in rule.source for rule in table)


RUN = """
[data]
source = "a.de"
target = "a.en"
tests.first = {source = "t.de", references = ["t.en"]}
tests.second = {source = "t.de", references = ["r.en.0", "r.en.1"]}
[hold_out]
tuning = 16
[tune.learner]
kind = "online"
epochs = 2
"""


def test_a_file_describes_a_run_that_tunes_and_scores(miriam: Miriam, tmp_path: Path) -> None:
    write_text(tmp_path)
    (tmp_path / "t.de").write_text("Der Hund hat einen Ball.\nDer Mann sieht einen Hund.\n")
    for name in ("t.en", "r.en.0", "r.en.1"):
        (tmp_path / name).write_text("The dog has a ball.\nThe man sees a dog.\n")
    (tmp_path / "run.toml").write_text(RUN)
    result = miriam("train", "--config", "run.toml", "--out", "m", "--seed", 7, "--json",
                    cwd=tmp_path)  # fmt: skip
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    steps = [timing["step"] for timing in told["timings"]]
    assert steps == [
        "hold-out",
        "prepare",
        "compounds",
        "align",
        "rules",
        "lm",
        "assemble",
        "tune",
        "evaluate",
    ]
    scores = {(score["test"], score["metric"]): score for score in told["scores"]}
    assert scores["second", "BLEU"]["score"] > 50
    assert {test for test, _ in scores} == {"first", "second"}
    assert "lm.order = 4: longer sequences hardly recur" in result.stderr
    assert "hold_out.tuning" not in result.stderr  # it was given
    run = tmp_path / "m" / "runs" / "train"
    left = {path.name for path in run.iterdir()}
    assert left >= {"tuning.source", "tuning.target", "first.translated", "second.translated",
                    "scores.json", "log.jsonl", "log.txt", "weights.untuned.txt"}  # fmt: skip
    assert len([*read_lines(run / "tuning.source")]) == 16
    assert "seed = 7" in (run / "training.toml").read_text()
    assert "a.de" not in (tmp_path / "m" / "training.toml").read_text()
    assert not (tmp_path / "m.work").exists()
    listed = miriam("runs", tmp_path / "m").stdout
    assert "second" in listed


def test_pairs_set_aside_are_not_learnt_from(miriam: Miriam, tmp_path: Path) -> None:
    source, target = write_text(tmp_path)
    result = miriam("train", "--source", source, "--target", target, "--out", tmp_path / "m",
                    "--work", tmp_path / "work", "--set", "hold_out.test=10",
                    "--no-tune")  # fmt: skip
    assert result.returncode == 0, result.stderr
    parts = [set(read_lines(tmp_path / "work" / name)) for name in ("train.source", "test.source")]
    assert len(parts[1]) == 10
    assert not parts[0] & parts[1]
    assert parts[0] | parts[1] == set(read_lines(source))
    assert "test, BLEU" in result.stdout


@pytest.mark.parametrize(
    ("free", "message"), [("disk", "of disk are needed"), ("memory", "of memory are needed")]
)
def test_too_little_space_is_said_before(
    free: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = write_text(tmp_path)
    full = shutil.disk_usage(tmp_path)._replace(free=1000)
    if free == "disk":
        monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
    else:
        monkeypatch.setattr(space, "free_memory", lambda: 1 << 20)
    files = data_overrides(source=source, target=target)
    with pytest.raises(InputError, match=message):
        train_model(resolve(overrides=files), tmp_path / "m")
    assert sorted(tmp_path.iterdir()) == [source, target]
    sure = resolve(overrides=[*files, "check_space=false"])
    train_model(sure, tmp_path / "m")


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--target", "none.en"], 1, "not a file"),
        (["--mono", "none.en"], 1, "not a file"),
        (["--target", "short.en"], 1, "different numbers of lines"),
        (["--target", "bad.en"], 1, "bad.en, line 1: not UTF-8"),
        (["--source", "empty.de", "--target", "empty.de"], 1, "the file is empty"),
        (["--source", "a.xx"], 2, "Moses has no rules for the language 'xx'"),
        (["--source", "text"], 2, "--tokens"),
        (["--out", "full"], 1, "a folder with other files in it"),
        (["--out", "a.de"], 1, "where a model directory is to be written"),
        (["--set", "lm.order=0"], 2, "lm.order = 0"),
        (["--tune-source", "a.de"], 2, "--tune-source and --tune-references belong together"),
        (["--tune-source", "a.de", "--tune-references", "none"], 1, "none: no such file"),
        (["--tune-source", "bad.en", "--tune-references", "bad.en"], 1, "line 1: not UTF-8"),
        (["--test-source", "a.de", "--test-references", "short.en"], 1, "short.en has 1"),
        (["--test-source", "empty.de", "--test-references", "empty.de"], 1, "no sentences"),
        (["--dev-source", "a.de", "--dev-references", "a.en"], 2, "--tune-source"),
        (["--set", "hold_out.tuning=64"], 1, "64 pairs are asked for and there are 64"),
        (["--config", "none.toml"], 1, "none.toml: no such file"),
        (["--set", "rules.max_gaps=1"], 2, "unknown setting 'rules.max_gaps'"),
        (["--preset", "hierarchcal"], 2, "did you mean 'hierarchical'?"),
        (["--set", "lm.ordr=3"], 2, "did you mean 'order'?"),
        (["--set", "cleaning.min_length=50"], 1, "no pair is left"),
    ],
)
def test_what_cannot_be_trained(
    miriam: Miriam, tmp_path: Path, options: list[str], status: int, message: str
) -> None:
    source, _ = write_text(tmp_path)
    (tmp_path / "short.en").write_text("one line\n")
    (tmp_path / "bad.en").write_bytes(b"\xff\n" * 64)
    (tmp_path / "empty.de").write_text("")
    for name in ("a.xx", "text"):
        (tmp_path / name).write_bytes(source.read_bytes())
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    given = {"--source": "a.de", "--target": "a.en", "--out": "m"}
    pairs = dict(zip(options[::2], options[1::2], strict=True))
    arguments = [word for pair in {**given, **pairs}.items() for word in pair]
    result = miriam("train", *arguments, cwd=tmp_path)
    assert result.returncode == status, result.stderr
    assert message in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "m").exists()
