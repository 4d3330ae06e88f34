"""What the size of a corpus chooses, and that anybody's word goes before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from miriam.errors import ConfigError, InputError
from miriam.pipeline.defaults import Choice, Size, chosen
from miriam.pipeline.resolve import data_overrides, resolve, set_overrides
from miriam.pipeline.space import disk_needed, memory_needed
from miriam.tune.batch import Mert
from miriam.tune.online import Online

MEGA = 1_000_000


def values(size: Size, **how: bool) -> dict[str, object]:
    return {choice.path: choice.value for choice in chosen(size, **{"tune": True, **how})}


def write_corpus(folder: Path, lines: int) -> list[str]:
    for name in ("a.de", "a.en"):
        (folder / name).write_text("".join(f"{i} {name}\n" for i in range(lines)))
    return data_overrides(source=folder / "a.de", target=folder / "a.en")


@pytest.mark.parametrize(
    ("pairs", "parts", "model", "order"),
    [
        (999, 0, "hmm", 4),
        (1_000, 50, "hmm", 4),
        (5_000, 250, "hmm", 5),
        (2 * MEGA, 2000, "fast", 5),
    ],
)
def test_choices_by_size(pairs: int, parts: int, model: str, order: int) -> None:
    found = values(Size(pairs, 100 * pairs, 100 * pairs))
    assert found["hold_out.tuning"] == parts
    assert found["hold_out.test"] == min(parts, 1000)
    assert found["align.model.kind"] == model
    assert found["lm.order"] == order
    assert found["features.set"] == "dense"
    assert "hold_out.development" not in found


def test_sets_that_are_given_need_no_pairs_of_the_corpus() -> None:
    found = values(Size(29_000, MEGA, MEGA, tuning=4_000, test=10))
    assert found["features.set"] == "extended"
    assert found["hold_out.development"] == 1_000  # sparse features overfit the tuning set
    assert "tune.learner.epochs" not in found
    assert not {"hold_out.tuning", "hold_out.test"} & found.keys()
    assert not any(path.startswith("hold_out") for path in values(Size(29_000, 1, 1), tune=False))


def test_what_somebody_says_goes_before(tmp_path: Path) -> None:
    files = write_corpus(tmp_path, 1_200)
    plan = resolve(overrides=[*files, "lm.order=3"], tokens=True)
    assert plan.settings.lm.order == 3
    assert plan.settings.hold_out.tuning == 60
    assert isinstance(plan.settings.tune.learner, Online)
    assert plan.settings.tune.learner.epochs == 10
    told = {choice.path for choice in plan.choices}
    assert "hold_out.tuning" in told
    assert "lm.order" not in told
    (tmp_path / "run.toml").write_text("[tune.learner]\nkind = 'mert'\n")
    other = resolve(tmp_path / "run.toml", overrides=files, tokens=True)
    assert isinstance(other.settings.tune.learner, Mert)
    assert "tune.learner.epochs" not in {choice.path for choice in other.choices}
    kept = resolve(overrides=files, tokens=True, tune=False)
    assert kept.settings.hold_out.tuning == 0


def test_a_choice_says_why() -> None:
    assert str(Choice("lm.order", 4, "little text")) == "lm.order = 4: little text"


def test_what_is_missing_is_said_first(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no source: give --source F"):
        resolve()
    files = write_corpus(tmp_path, 10)
    with pytest.raises(ConfigError, match="--tune-source and --tune-references belong together"):
        set_overrides("data.tuning", "tune", "a.de", [])
    gone = set_overrides("data.tuning", "tune", str(tmp_path / "a.de"), [str(tmp_path / "gone")])
    with pytest.raises(InputError, match="gone"):
        resolve(overrides=[*files, *gone], tokens=True)
    with pytest.raises(ConfigError, match="a test set's name"):
        resolve(overrides=[*files, 'data.tests={"../x" = {source = "a", references = ["b"]}}'])


def test_more_text_needs_more_space(tmp_path: Path) -> None:
    plan = resolve(overrides=write_corpus(tmp_path, 10), tokens=True)
    small, large = Size(10, 100, 100), Size(MEGA, 100 * MEGA, 100 * MEGA)
    assert disk_needed(small, plan.settings) < disk_needed(large, plan.settings)
    assert memory_needed(small, plan.settings) < memory_needed(large, plan.settings)
    gaps = resolve(overrides=write_corpus(tmp_path, 10), preset="hierarchical", tokens=True)
    assert disk_needed(large, plan.settings) < disk_needed(large, gaps.settings)
