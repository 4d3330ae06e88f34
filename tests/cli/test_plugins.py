"""Features of a user's own, named in a config: they train, weigh, translate, and fail clearly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Miriam
from toy_model import write_text

MODULE = '''
from miriam.features import BoundaryTemplate, FeatureSet

def letters(rule):
    """How many letters a rule writes."""
    return sum(map(len, rule.target))

class Repeated:
    """Counts rules that begin with the word the one before ended with."""
    names = ("Repeated",)
    def begin(self, source):
        return ""
    def extend(self, state, rule, span):
        return (rule.target or (state,))[-1], [float(bool(rule.target) and rule.target[0] == state)]
    def finish(self, state):
        return [0.0]

several = FeatureSet(
    boundaries=(BoundaryTemplate("B", lambda r: (len(r.target), len(r.target)), 0, 0),),
    signed_distortion=True,
)
with_arguments = type("Needs", (), {"__init__": lambda self, x: None})
class Broken(Repeated):
    def extend(self, state, rule, span):
        return state, [1.0, 2.0]
class Unhashable(Repeated):
    def extend(self, state, rule, span):
        return [], [1.0]
divides = lambda rule: 1 / 0
no_number = lambda rule: float("nan")
number = 5
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my_rules.py").write_text(MODULE)
    (tmp_path / "my_broken.py").write_text("1 / 0\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def train(miriam: Miriam, folder: Path, *plugins: str) -> list[object]:
    source, target = write_text(folder)
    config = folder / "config.toml"
    config.write_text(f"[features]\nplugins = {json.dumps(plugins)}\n")
    return ["train", "--source", source, "--target", target, "--out", folder / "m",
            "--config", config]  # fmt: skip


def test_plugins_of_every_kind(miriam: Miriam, folder: Path) -> None:
    call = train(miriam, folder, "my_rules:letters", "my_rules:Repeated", "my_rules:several")
    result = miriam(*call)
    assert result.returncode == 0, result.stderr
    weights = dict(line.split() for line in (folder / "m" / "weights.txt").read_text().splitlines())
    assert weights["letters"] == weights["Repeated"] == "0.2"
    (folder / "w").write_text(
        "".join(f"{n} {50 if n == 'letters' else v}\n" for n, v in weights.items())
    )
    explained = miriam(
        "explain", "--model", folder / "m", "Der Hund", "--json", "--weights", folder / "w"
    )
    tree = json.loads(explained.stdout)
    letters = {f["name"]: f for f in tree["features"]}["letters"]
    assert letters["value"] == len(tree["translation"].replace(" ", ""))
    assert letters["product"] == 50 * letters["value"]


def test_a_model_without_its_plugin_is_refused(
    miriam: Miriam, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert miriam(*train(miriam, folder, "my_rules:letters")).returncode == 0
    monkeypatch.delenv("PYTHONPATH")
    found = miriam.fails(2, "translate", "--model", folder / "m")
    assert "Python finds no module my_rules; install it" in found


@pytest.mark.parametrize(
    ("plugin", "message"),
    [
        ("my_rules", "expected module:object"),
        ("my_rules:leters", "has no 'leters'; did you mean 'letters'?"),
        ("my_broken:x", "importing my_broken ends with ZeroDivisionError"),
        ("my_rules:number", "is a int; expected a function of a rule"),
        ("my_rules:with_arguments", "cannot be made without arguments"),
        ("none.such:x", "Python finds no module none"),
    ],
)
def test_plugins_that_cannot_be(miriam: Miriam, folder: Path, plugin: str, message: str) -> None:
    result = miriam(*train(miriam, folder, plugin))
    assert result.returncode == 2, result.stderr
    assert message in result.stderr.splitlines()[-1]
    assert not (folder / "m").exists()


def test_plugins_that_fail_at_work(miriam: Miriam, folder: Path) -> None:
    assert miriam(*train(miriam, folder)).returncode == 0
    for plugin, message in [
        ("divides", "<lambda> failed on the rule 'Der' → 'The': ZeroDivisionError"),
        ("no_number", "ValueError: a value is nan, and must be a finite number"),
        ("Broken", "Repeated failed on the rule 'Der' → 'The': ValueError: 2 values for 1 names"),
        ("Unhashable", "unhashable type: 'list'"),
    ]:
        found = miriam.fails(
            1, "translate", "--model", folder / "m", "--allow-missing-weights",
            "--set", f'features.plugins=["my_rules:{plugin}"]', stdin="Der\n",
        )  # fmt: skip
        assert message in found
