"""`miriam train`: what it refuses, and how it goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Miriam
from miriam.lm.model import LanguageModel
from miriam.rules.table import RuleTable
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
