"""Settings: what is refused, and how it is said."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import pytest
from msgspec import Meta

from miriam.config import Config, dump, load
from miriam.errors import ConfigError


class Sgd(Config, frozen=True, kw_only=True, tag="sgd", tag_field="kind"):
    eta: Annotated[float, Meta(gt=0)] = 0.1


class AdaGrad(Config, frozen=True, kw_only=True, tag="adagrad", tag_field="kind"):
    eta: Annotated[float, Meta(gt=0)] = 0.1
    epsilon: float = 0.0


class Step(Config, frozen=True, kw_only=True):
    name: str
    limit: int | None = None


class Tune(Config, frozen=True, kw_only=True):
    updater: Sgd | AdaGrad = AdaGrad()
    epochs: Annotated[int, Meta(ge=1)] = 10
    ceiling: float = math.inf
    words: list[str] = []
    note: str | None = None
    steps: tuple[Step, ...] = ()


class Run(Config, frozen=True, kw_only=True):
    tune: Tune = Tune()
    seed: int = 1


def test_defaults_toml_and_overrides() -> None:
    text = "seed = 2\n[tune]\nepochs = 3\n[tune.updater]\nkind = 'sgd'\neta = 0.5\n"
    run = load(Run, text, overrides=["tune.updater.eta=0.05", "tune.note=plain words"])
    assert run == Run(seed=2, tune=Tune(epochs=3, updater=Sgd(eta=0.05), note="plain words"))
    other = load(Run, text, overrides=["tune.updater.kind=adagrad", "tune.updater.epsilon=1.0"])
    assert other.tune.updater == AdaGrad(epsilon=1.0), "settings of another kind are its own"


def test_dump_and_load_is_the_identity() -> None:
    run = Run(tune=Tune(updater=Sgd(eta=0.3), words=["a b", 'c"d'],
                        steps=(Step(name="a"), Step(name="b", limit=2))))  # fmt: skip
    assert load(Run, dump(run)) == run


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tune]\nepoch = 3", "unknown setting 'tune.epoch' (= 3); did you mean 'epochs'?"),
        ("[tune.updater]\nkind = 'adagrd'", "'adagrd' is not known; did you mean 'adagrad'?"),
        ("[tune.updater]\neta = 1", "'tune.updater' needs a 'kind': one of 'sgd', 'adagrad'"),
        ("[tune.updater]\nkind = 'sgd'\nepsilon = 1", "unknown setting 'tune.updater.epsilon'"),
        ("[tune.updater]\nkind = 'sgd'\neta = -1", "tune.updater.eta = -1: expected `float` > 0.0"),
        ("[tune]\nepochs = 'many'", "tune.epochs = 'many': expected `int`, got `str`"),
        ("seed = ", "not valid TOML"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(Run, text, name="run.toml")
    assert str(caught.value).startswith("run.toml: ")
    assert message in str(caught.value)


def test_settings_lie_on_ready_ones() -> None:
    base = "seed = 5\n[tune]\nepochs = 3\n[tune.updater]\nkind = 'adagrad'\nepsilon = 0.5\n"
    run = load(Run, "[tune.updater]\neta = 0.2", bases=[base], overrides=["tune.epochs=4"])
    assert run == Run(seed=5, tune=Tune(epochs=4, updater=AdaGrad(eta=0.2, epsilon=0.5)))
    other = load(Run, "[tune.updater]\nkind = 'sgd'", bases=[base])
    assert other.tune.updater == Sgd()


def test_an_override_may_look_like_another_type() -> None:
    class Named(Config, frozen=True, kw_only=True):
        name: Literal["true", "2013"] = "true"
        other: str = ""

    assert load(Named, overrides=["name=2013", "other=true"]) == Named(name="2013", other="true")
    with pytest.raises(ConfigError, match="name = '2014'"):
        load(Named, overrides=["name=2014"])


@pytest.mark.parametrize("override", ["seed", "=3", "seed.x=1", "a..b=1"])
def test_a_bad_override_is_refused(override: str) -> None:
    with pytest.raises(ConfigError):
        load(Run, "seed = 1", overrides=[override])
