"""What is chosen by the size of a corpus where nobody says otherwise, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from miriam.pipeline.settings import TrainSettings
from miriam.text.files import open_read

__all__ = ["Choice", "Size", "chosen", "measure"]

BLOCK = 1 << 20
FEW, MANY = 5_000, 1_000_000  # pairs
SHARE = 20  # one pair in so many is set aside
TUNING, TEST = 2_000, 1_000  # at most
LEAST = 50  # sentences: with fewer, weights are not learnt
ETA = 0.1  # of the expected metric: 0.02 comes as far, in three times as many epochs
EPOCHS = 10  # of dense features
RICH = 4_000  # sentences to tune on, from which sparse features are worth their weights


class Size(NamedTuple):
    """How large a corpus is, and the sets that come with it."""

    pairs: int
    bytes: int  # of both sides and further text, not compressed
    pair_bytes: int  # of both sides alone
    tuning: int = 0  # sentences of the tuning set given
    development: int = 0
    test: int = 0  # and of the test sets


class Choice(NamedTuple):
    """A setting by its path, its value, and why."""

    path: str
    value: Any
    reason: str

    def __str__(self) -> str:
        return f"{self.path} = {json.dumps(self.value)}: {self.reason}"

    @property
    def toml(self) -> str:
        """The setting as a line of TOML."""
        return f"{self.path} = {json.dumps(self.value)}"

    def holds(self, settings: TrainSettings) -> bool:
        """Whether nothing else was chosen."""
        tree = msgspec.to_builtins(settings)
        try:
            return bool(reduce(dict.__getitem__, self.path.split("."), tree) == self.value)
        except KeyError:  # another kind of thing was chosen, which has no such setting
            return False


def measure(settings: TrainSettings) -> Size:
    """The size of the files that the settings name, by reading them once."""
    data = settings.data
    source, target = (_count(data.source), _count(data.target))
    further = sum(_count(path)[1] for path in data.mono)
    both = source[1] + target[1]
    return Size(
        source[0], both + further, both,
        tuning=_count(data.tuning.source)[0] if data.tuning else 0,
        development=_count(data.development.source)[0] if data.development else 0,
        test=sum(_count(test.source)[0] for test in data.tests.values()),
    )  # fmt: skip


def _count(path: Path | str | None) -> tuple[int, int]:
    """The lines and the bytes of a file."""
    lines = size = 0
    last = b"\n"
    if path is not None:
        with open_read(path) as file:
            while block := file.read(BLOCK):
                lines, size, last = lines + block.count(b"\n"), size + len(block), block[-1:]
    return lines + (last != b"\n"), size


def chosen(size: Size, *, tune: bool, sparse: bool = False) -> Sequence[Choice]:
    """The choices for a corpus; with `tune`, also what to set aside for it.

    `sparse`: sparse features are wanted, whatever there is to learn their weights on.

    >>> for choice in chosen(Size(29_000, 4_000_000, 4_000_000), tune=True)[:2]:
    ...     print(choice.toml)
    hold_out.tuning = 1450
    hold_out.test = 1000
    """
    share = size.pairs // SHARE if tune else 0
    tuning = size.tuning or min(TUNING, share)
    sparse = sparse or tuning >= RICH
    found = list(_parts(size, sparse=sparse)) if tune else []
    found += [*_models(size.pairs), *_features(tuning)]
    if tuning and not sparse:
        reason = "the few weights of dense features settle soon"
        found.append(Choice("tune.learner.epochs", EPOCHS, reason))
        reason = "for dense features better than pairs, on development sets and on others"
        found.append(Choice("tune.learner.pieces.loss.kind", "expected", reason))
        found.append(Choice("tune.learner.pieces.updater.eta", ETA, "this loss takes larger steps"))
    return found


def _parts(size: Size, *, sparse: bool) -> Iterator[Choice]:
    """Pairs for each set that is not given; sparse features overfit theirs, so another judges."""
    sets = [
        ("tuning", TUNING, "to learn weights on", not size.tuning),
        ("development", TEST, "to tell when to stop", sparse and not size.development),
        ("test", TEST, "to score the result on", not size.test),
    ]
    share = size.pairs // SHARE
    for name, most, purpose, needed in sets:
        if needed and share < LEAST:
            reason = f"one pair in {SHARE} would be fewer than {LEAST}, too few {purpose}"
            yield Choice(f"hold_out.{name}", 0, reason)
        elif needed:
            reason = f"{purpose}, and for nothing else: one pair in {SHARE}, at most {most:,}"
            yield Choice(f"hold_out.{name}", min(most, share), reason)


def _models(pairs: int) -> Iterator[Choice]:
    if pairs > MANY:
        reason = "more than a million pairs, where it takes half the time of hmm"
        yield Choice("align.model.kind", "fast", reason)
    else:
        yield Choice("align.model.kind", "hmm", "the best links, up to a million pairs")
    if pairs < FEW:
        yield Choice("lm.order", 4, "longer sequences hardly recur in so little text")
    else:
        yield Choice("lm.order", 5, "enough text for sequences of five words")
    classes = 64 if pairs < FEW else 256 if pairs < 10 * FEW else 512
    yield Choice("classes.classes", classes, "word classes, as many as the words can fill")


def _features(tuning: int) -> Iterator[Choice]:
    if tuning < RICH:
        reason = f"fewer than {RICH:,} sentences to learn weights on, too few for sparse features"
        yield Choice("features.set", "dense", reason)
    else:
        reason = f"{tuning:,} sentences to learn weights on are enough for sparse features"
        yield Choice("features.set", "extended", reason)
