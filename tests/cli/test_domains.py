"""Domains from training to translation: labels of pairs, copies of features, sentences."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from conftest import Miriam
from miriam.rules.table import RuleTable
from toy_model import NOUNS, write_text

SETTINGS = ["--no-tune", "--set", "features.set=domains", "--set", "classes.classes=4",
            "--set", "classes.clip=0"]  # fmt: skip
# Rules of a toy are rare: every one of them may have features of its own.
TEMPLATES = """features.templates=[{kind="rule-indicator"}, {kind="in-domain-rule"}]"""
QUICK = ["--set", "learner.epochs=4", "--set", "learner.pieces.batch=2",
         "--set", "learner.pieces.updater.eta=0.5"]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Law says "the" and poetry says "a", of the same German; the label decides."""
    folder = tmp_path_factory.mktemp("domains")
    source, target = write_text(folder)
    lines = target.read_text().splitlines(keepends=True)
    both = source.read_text().splitlines(keepends=True) * 2
    source.write_text("".join(["!\n", *both]))
    target.write_text("".join(["\n", *lines, *(line.replace("The", "A") for line in lines)]))
    (folder / "domains").write_text("law\n" + "law\n" * len(lines) + "poetry\n" * len(lines))
    result = Miriam()("train", "--source", source, "--target", target, *SETTINGS,
                      "--out", folder / "m", "--work", folder / "w",
                      "--domains", folder / "domains")  # fmt: skip
    assert result.returncode == 0, result.stderr
    rows = [(f"Der {a} sieht einen {b}.", f"{article} {NOUNS[a]} sees a {NOUNS[b]}.", domain)
            for a in NOUNS for b in NOUNS
            for article, domain in (("The", "law"), ("A", "poetry"))]  # fmt: skip
    names = ("t.de", "t.en", "t.domains")
    for name, column in zip(names, zip(*rows, strict=True), strict=True):
        (folder / name).write_text("".join(f"{line}\n" for line in column))
    return folder


def tune(folder: Path, out: Path, *args: object) -> subprocess.CompletedProcess[str]:
    return Miriam()(
        "tune", "--model", folder / "m", "--source", folder / "t.de",
        "--references", folder / "t.en", "--out", out, *QUICK, *args,
    )  # fmt: skip


@pytest.fixture(scope="module")
def tuned(folder: Path) -> Path:
    out = folder / "tuned"
    result = tune(folder, out, "--domains", folder / "t.domains", "--features", "dense",
                  "--model-set", TEMPLATES, "--model-set", 'features.augment=["PT"]')  # fmt: skip
    assert result.returncode == 0, result.stderr
    return out


def test_labels_are_on_the_rules_and_change_no_rule(folder: Path, tmp_path: Path) -> None:
    table = RuleTable.open(folder / "m" / "TM.rules.safetensors")
    assert table.domain_names == ("law", "poetry"), "of the kept pairs; the first has no target"
    plain = Miriam()("train", "--source", folder / "a.de", "--target", folder / "a.en",
                     "--out", tmp_path / "m", "--work", folder / "w", "--no-tune")  # fmt: skip
    assert plain.returncode == 0, plain.stderr
    assert "HMM" not in plain.stderr, "labels are no reason to align again"
    without = RuleTable.open(tmp_path / "m" / "TM.rules.safetensors").container.arrays
    for name, array in without.items():
        assert (array == table.container[name]).all(), name


def test_the_label_decides_the_translation(tuned: Path, folder: Path, miriam: Miriam) -> None:
    sentence = "Der Hund sieht einen Mann.\n"
    for domain, expected in (("law", "The dog sees a man.\n"), ("poetry", "A dog sees a man.\n")):
        (folder / "one").write_text(f"{domain}\n")
        by_file = miriam("translate", "--model", tuned, "--domains", folder / "one",
                         stdin=sentence)  # fmt: skip
        assert by_file.stdout == expected, by_file.stderr
        tagged = f'<domain name="{domain}"/> {sentence}'
        assert miriam("translate", "--model", tuned, stdin=tagged).stdout == expected
    assert "AUG:poetry:PT:" in (tuned / "weights.txt").read_text()
    assert miriam("check", tuned).returncode == 0


def test_a_sentence_without_a_label_is_classified_or_of_the_default(
    tuned: Path, miriam: Miriam, folder: Path
) -> None:
    sentence = "Der Hund sieht einen Mann.\n"
    assert miriam("translate", "--model", tuned, stdin=sentence).stdout in {
        "The dog sees a man.\n", "A dog sees a man.\n"
    }  # fmt: skip
    default = miriam("translate", "--model", tuned, "--set", "features.default_domain=poetry",
                     stdin=sentence)  # fmt: skip
    assert default.stdout == "A dog sees a man.\n", default.stderr
    other = miriam("translate", "--model", tuned, "--set", "features.default_domain=talks",
                   stdin=sentence)  # fmt: skip
    assert other.returncode == 0, other.stderr


def test_one_sentence_where_it_cannot_be(
    miriam: Miriam, folder: Path, tuned: Path, tmp_path: Path
) -> None:
    (tmp_path / "wrong").write_text("laws\n" * 32)
    (tmp_path / "few").write_text("law\n")
    wrong = tune(folder, tmp_path / "m", "--domains", tmp_path / "wrong")
    assert "the model has no domain 'laws'; did you mean 'law'?" in wrong.stderr
    few = tune(folder, tmp_path / "m", "--domains", tmp_path / "few")
    assert "few: 1 lines of domains for 32 sentences" in few.stderr
    alone = tune(folder, tmp_path / "m", "--dev-domains", tmp_path / "few")
    assert "--dev-domains needs --dev-source" in alone.stderr
    short = miriam("translate", "--model", tuned, "--domains", tmp_path / "few", stdin="a\nb\n")
    assert (short.returncode, short.stdout) == (1, "")
    assert "fewer lines of domains than sentences" in short.stderr
    train = ["train", "--source", folder / "a.de", "--target", folder / "a.en", *SETTINGS,
             "--out", tmp_path / "m", "--work", folder / "w"]  # fmt: skip
    missing = miriam(*train)
    assert "the features need the domain of each pair; give --domains" in missing.stderr
    lines = miriam(*train, "--domains", tmp_path / "few")
    assert "give a line for each pair" in lines.stderr
    (tmp_path / "none").write_text("\n" * 200)
    none = miriam(*train, "--domains", tmp_path / "none")
    assert "no line has the name of a domain" in none.stderr
    assert not (tmp_path / "m").exists()


def test_features_of_classes_need_a_model_that_has_them(miriam: Miriam, tmp_path: Path) -> None:
    source, target = write_text(tmp_path)
    assert miriam("train", "--source", source, "--target", target, "--no-tune", "--out",
                  tmp_path / "m").returncode == 0  # fmt: skip
    result = miriam("tune", "--model", tmp_path / "m", "--source", source, "--references", target,
                    "--features", "extended")  # fmt: skip
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert "classes" in result.stderr
