"""The settings of tuning: a learner, and the metric it learns to please."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias, get_args

from msgspec import Meta, structs

from miriam.config import Config, nearest
from miriam.errors import ConfigError
from miriam.metrics import BleuPlusOne
from miriam.tune.batch import ExpectedBleu, KbMira, Mert, Pro
from miriam.tune.gold import AnyGold
from miriam.tune.grouping.tuning import Grouping
from miriam.tune.learner import Pieces
from miriam.tune.losses import AnyLoss, HopeFear, Perceptron
from miriam.tune.online import Online
from miriam.tune.regularisers import AnyRegulariser, NoRegulariser
from miriam.tune.updaters import AnyUpdater, Arow, Mira, Sgd

__all__ = ["ALGORITHMS", "AnyLearner", "DecoderTuning", "Tuning", "kinds", "preset"]

AnyLearner: TypeAlias = Online | Mert | Pro | KbMira | ExpectedBleu | Grouping


class Tuning(Config, frozen=True, kw_only=True):
    """What learns, and from which gold scores."""

    learner: AnyLearner = Online()
    gold: AnyGold = BleuPlusOne()


class DecoderTuning(Tuning, frozen=True, kw_only=True):
    """The same where lists are decoded with the weights of the moment.

    `rounds` are of batch learners, which decode all sentences and then learn from all lists.
    """

    nbest: Annotated[int, Meta(ge=2, le=1000)] = 100
    distinct: bool = True  # different translations only
    rounds: Annotated[int, Meta(ge=1)] = 15


_NONE = NoRegulariser()
ALGORITHMS: dict[str, AnyLearner] = {
    "online": Online(),
    "mert": Mert(),
    "pro": Pro(),
    "kbmira": KbMira(),
    "expected-bleu": ExpectedBleu(),
    "mira": Online(pieces=Pieces(loss=HopeFear(), updater=Mira(), regulariser=_NONE)),
    "arow": Online(pieces=Pieces(loss=HopeFear(), updater=Arow(), regulariser=_NONE)),
    "perceptron": Online(
        pieces=Pieces(loss=Perceptron(), updater=Sgd(), regulariser=_NONE, average=True)
    ),
    "oscar": Grouping(),
}


def kinds(union: Any) -> dict[str, type[Any]]:
    """The members of a registry by the name that TOML and the command line give them.

    >>> sorted(kinds(AnyRegulariser))
    ['cumulative-l1', 'l1', 'l2', 'none', 'oscar', 'oscar-as-printed']
    """
    return {str(kind.__struct_config__.tag): kind for kind in get_args(union)}


def preset(
    algorithm: str,
    *,
    loss: str | None = None,
    updater: str | None = None,
    regulariser: str | None = None,
) -> Tuning:
    """The settings that an algorithm's name stands for, some pieces of it exchanged by kind.

    >>> preset("online", loss="expected").learner.pieces.loss
    Expected(scale=1.0)
    """
    if algorithm not in ALGORITHMS:
        raise ConfigError(f"algorithm {algorithm!r} is not known; {nearest(algorithm, ALGORITHMS)}")
    learner = ALGORITHMS[algorithm]
    chosen = {"loss": loss, "updater": updater, "regulariser": regulariser}
    named = {slot: kind for slot, kind in chosen.items() if kind is not None}
    if named and not isinstance(learner, Online):
        slot, kind = next(iter(named.items()))
        raise ConfigError(f"{slot} {kind!r}: {algorithm} has its own; online takes any")
    if isinstance(learner, Online):
        unions = {"loss": AnyLoss, "updater": AnyUpdater, "regulariser": AnyRegulariser}
        pieces = learner.pieces
        for slot, kind in named.items():
            known = kinds(unions[slot])
            if kind not in known:
                raise ConfigError(f"{slot} {kind!r} is not known; {nearest(kind, known)}")
            pieces = structs.replace(pieces, **{slot: known[kind]()})
        learner = structs.replace(learner, pieces=pieces)
    return Tuning(learner=learner)
