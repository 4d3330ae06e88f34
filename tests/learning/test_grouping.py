"""Groups generalise: rules that are worth the same get one weight, tuned on few of them."""

from __future__ import annotations

import numpy as np
import pytest

from miriam.errors import ConfigError, InputError
from miriam.lexicon.vocabulary import Vocabulary
from miriam.tune.batch import Pro
from miriam.tune.batch.pool import Pool
from miriam.tune.gold import Gold
from miriam.tune.grouping.learning import GroupLearner
from miriam.tune.grouping.tuning import Grouping
from miriam.tune.learner import Scored
from miriam.tune.lists import RowList
from miriam.tune.losses.loss import Array
from miriam.tune.monitor import Record
from miriam.tune.online import Tuned
from miriam.tune.pairs import Sampling
from miriam.tune.regularisers import Oscar
from miriam.tune.rerank import Lists, Run, tune
from miriam.tune.settings import AnyLearner, Tuning
from miriam.tune.updaters import Sgd

RULES, USED, SIZE = 60, 6, 12
PAIRS = Sampling(draws=200, keep=10, threshold=5.0)
WORTH = np.repeat([1.0, -1.0, 0.0], [15, 15, 30])
OSCAR = GroupLearner(
    pairs=PAIRS,
    updater=Sgd(eta=5.0),
    regulariser=Oscar(lambda1=0.0, lambda2=1.6e-3),
    passes=80,
    batch=10_000,
)


class Mean(Gold):
    """The corpus score is the mean gold score."""

    def __init__(self) -> None:
        pass

    def corpus(self, stats: Array) -> Array:
        return np.asarray(100 * stats[..., 0] / np.maximum(stats[..., 1], 1))

    def length_ratio(self, stats: Array) -> float | None:
        return None


def made(sentences: int, seed: int, names: Vocabulary, lm: float) -> Lists:
    """Lists whose candidates use rules at random; `lm` is what the feature LM is worth."""
    rng = np.random.default_rng(seed)
    lists = []
    for _ in range(sentences):
        used = rng.integers(0, RULES, (SIZE, USED))
        opinion = rng.normal(size=SIZE)
        worth = WORTH[used].sum(axis=1) + lm * opinion + rng.normal(size=SIZE)
        rows = [{f"PT:{r}": float((one == r).sum()) for r in one} for one in used]
        for row, value in zip(rows, opinion.tolist(), strict=True):
            row["LM"] = value
        gold = 1 / (1 + np.exp(-worth / 2))
        stats = np.column_stack([gold, np.ones(SIZE)])
        lists.append(Scored(RowList.of(rows, names), stats, gold))
    metric = Mean()
    return Lists(Pool(lists, metric.corpus), metric, 10.0)


def weights_of(tuned: Tuned, names: Vocabulary) -> Array:
    return np.array([tuned.weights.get(names.word(i), 0.0) for i in range(len(names))])


def test_groups_from_training_data_beat_single_rules() -> None:
    """What LM is worth shows on the development set only, and it is too small to tune 60 rules.

    So rules tuned on it are overtuned, and weights from training lists have LM wrong; groups from
    the one, with weights from the other, have neither fault, and are the classes that we made.
    """
    names = Vocabulary()
    training, development, test = (
        made(sentences, seed, names, lm)
        for seed, (sentences, lm) in enumerate([(300, 0.0), (40, 2.0), (200, 2.0)])
    )

    def score(learner: AnyLearner, lists: Lists, dev: Lists | None = None) -> tuple[float, Tuned]:
        tuned = tune(Tuning(learner=learner), lists, names, development=dev, start={"LM": 1.0})
        return test.pool.score(weights_of(tuned, names)), tuned

    pro = Pro(pairs=PAIRS, l2=1e-3)
    by_groups, tuned = score(Grouping(groups=OSCAR, tuner=pro), training, development)
    on_development, on_training = score(pro, development)[0], score(pro, training)[0]
    assert tuned.groups is not None
    assert by_groups > on_development + 2
    assert by_groups > on_training + 2
    worth = WORTH[[int(names.word(int(i)).removeprefix("PT:")) for i in tuned.groups.members]]
    assert len(tuned.groups) <= 5
    assert (np.sign(worth) == tuned.groups.signs).all()
    assert len(worth) >= 28, "nearly all that are worth anything"


def test_runs_are_the_same_and_stop_with_a_reason() -> None:
    names = Vocabulary()
    training, development = made(20, 1, names, 1.0), made(5, 2, names, 1.0)
    few = GroupLearner(pairs=PAIRS, passes=3, batch=50, regulariser=Oscar(lambda2=1e-4))
    settings = Tuning(learner=Grouping(groups=few, tuner=Pro(pairs=PAIRS)))
    records: list[Record] = []
    runs = [
        tune(settings, training, names, development=development, run=Run(seed, log=records.append))
        for seed in (1, 1, 2)
    ]
    assert runs[0].weights == runs[1].weights != runs[2].weights
    assert not runs[0].stopped
    epochs = [record for record in records if record["event"] == "epoch"]
    assert [record["known"] for record in epochs] == [0, RULES] * 3
    assert 0 < epochs[1]["active"] <= epochs[1]["groups"] <= epochs[1]["members"] <= RULES
    with pytest.raises(ConfigError, match="give it a development set too"):
        tune(settings, training, names)
    strong = GroupLearner(pairs=PAIRS, regulariser=Oscar(lambda2=1e3))
    collapsed = tune(
        Tuning(learner=Grouping(groups=strong)), training, names,
        development=development, start={"LM": 0.5},
    )  # fmt: skip
    assert collapsed.weights == {"LM": 0.5}
    assert collapsed.stopped.startswith("all weights that could be grouped have become 0")
    nobody = GroupLearner(pairs=PAIRS, regulariser=Oscar(features=("RULE:",)))
    with pytest.raises(ConfigError, match="no feature's name begins with 'RULE:'"):
        tune(Tuning(learner=Grouping(groups=nobody)), training, names, development=development)
    same = Scored(training.pool.lists[0].nbest, np.ones((SIZE, 2)), np.ones(SIZE))
    nothing = training._replace(pool=training.pool._replace(lists=[same]))
    with pytest.raises(InputError, match="nothing to learn"):
        tune(settings, nothing, names, development=development)


def test_one_pair_an_update_is_the_papers_loop() -> None:
    """With batch = 1, the online learner and Algorithm 2 are one computation."""
    from miriam.tune.batch.differences import differences
    from miriam.tune.pairs import generator

    names = Vocabulary()
    training = made(6, 3, names, 1.0)
    learner = GroupLearner(pairs=PAIRS, passes=2, batch=1, regulariser=Oscar(lambda2=1e-3))
    start = np.full(len(names), 0.0)
    start[names.find("LM") or 0] = 0.1
    found = learner.learn(training.pool, names, start, seed=4)
    pairs = differences(training.pool, PAIRS, len(names), 4).toarray()
    grouped = np.array([names.word(i).startswith("PT:") for i in range(len(names))])
    weights, step = start.copy(), 0
    for epoch in range(2):
        for row in generator(4, 1, epoch).permutation(len(pairs)):
            step += 1
            if pairs[row] @ weights < 1:
                weights += pairs[row] / step
            weights[grouped] = learner.regulariser.step(weights[grouped], 1 / step, RULES)
    assert np.allclose(found.vector, weights, rtol=0, atol=1e-12)
