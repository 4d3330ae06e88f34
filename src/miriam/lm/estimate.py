"""Estimates language models from text: interpolated modified Kneser-Ney."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from miriam._core.lm import BuiltModel, Estimator
from miriam.config import Config
from miriam.errors import ConfigError, InputError
from miriam.lm.arpa import is_arpa, write_arpa
from miriam.lm.model import LanguageModel, write_model
from miriam.progress import Report, run_native, silent
from miriam.text.files import read_blocks

__all__ = ["Estimate", "Estimation", "estimate"]

MAX_ORDER = 10
MIN_MEMORY = 16 << 20


class Estimation(Config, frozen=True, kw_only=True):
    """How a language model is estimated."""

    order: int = 5
    prune: Sequence[int] = ()
    """For each order: n-grams seen so often or less are left out. The last goes for the rest."""
    vocabulary: int | frozenset[str] | None = None
    """The words of the model, or how many: the most frequent ones. None: all words."""
    memory: int = 1 << 30
    """Bytes; what does not fit goes to sorted runs in temporary files."""
    threads: int = os.cpu_count() or 1
    folder: str | None = None
    """Of temporary files; None: the system's."""


@dataclass(frozen=True)
class Estimate:
    """An estimated model, to be written (`write`) or used at once (`model`).

    >>> found = estimate(["a b a c", "a b"], Estimation(order=2))
    >>> found.counts
    [6, 6]
    >>> print(found.fallback)
    the counts of counts of orders 1, 2 allow no Kneser-Ney discounts (the text is small or \
artificial); 0.5, 1 and 1.5 are used
    """

    native: Estimator
    threads: int

    @property
    def counts(self) -> list[int]:
        """The numbers of n-grams by order."""
        return self.native.counts

    @property
    def fallback(self) -> str | None:
        """A sentence that names the orders whose discounts are not those of the text, or None."""
        orders = [n for n, (_, fallback) in enumerate(self.native.discounts, 1) if fallback]
        if not orders:
            return None
        named = f"order{'s' * (len(orders) > 1)} {', '.join(map(str, orders))}"
        return (
            f"the counts of counts of {named} allow no Kneser-Ney discounts (the text is small or "
            "artificial); 0.5, 1 and 1.5 are used"
        )

    def model(self, *, report: Report = silent) -> LanguageModel:
        """The model in memory."""
        return LanguageModel.from_built(self._build(report))

    def write(self, path: Path | str, *, report: Report = silent) -> None:
        """Write an ARPA file (`.arpa`, `.arpa.gz`) or else a table to be mapped."""
        if is_arpa(path):
            write_arpa(path, self.native.arpa(self.threads))
        else:
            write_model(path, self._build(report))

    def _build(self, report: Report) -> BuiltModel:
        return run_native(self.native.build, step="building the table", report=report)


def estimate(
    text: Path | str | Iterable[str],
    settings: Estimation | None = None,
    *,
    report: Report = silent,
) -> Estimate:
    """The model of a text: a file, or lines of tokens.

    >>> model = estimate(["a b a c", "a b"], Estimation(order=3)).model()
    >>> model.score("a b") > model.score("b a")
    True
    """
    settings = settings or Estimation()
    _check(settings)
    estimator = Estimator(
        settings.order,
        list(settings.prune),
        settings.memory,
        settings.threads,
        settings.folder or tempfile.gettempdir(),
    )
    if isinstance(text, str | Path):
        _add_file(estimator, text)
    else:
        estimator.add("".join(f"{line}\n" for line in text).encode(), 1)
    if not estimator.words:
        raise InputError(
            "no words to learn from", path=text if isinstance(text, str | Path) else None
        )
    if isinstance(settings.vocabulary, int):
        estimator.keep_most_frequent(settings.vocabulary)
    elif settings.vocabulary is not None:
        estimator.keep_words("\n".join(settings.vocabulary))
    run_native(estimator.count, step="counting n-grams", report=report)
    run_native(estimator.estimate, step="estimating probabilities", report=report)
    return Estimate(estimator, settings.threads)


def _check(settings: Estimation) -> None:
    if not 1 <= settings.order <= MAX_ORDER:
        raise ConfigError(
            f"the order of a language model must be from 1 to {MAX_ORDER}, got {settings.order}"
        )
    prune = list(settings.prune)
    if len(prune) > settings.order or prune != sorted(prune) or any(n < 0 for n in prune):
        raise ConfigError(
            f"prune takes at most one number an order, none less than the one before, got {prune}"
        )
    if isinstance(settings.vocabulary, int) and settings.vocabulary < 1:
        raise ConfigError(f"vocabulary must be at least 1 word, got {settings.vocabulary}")
    if settings.memory < MIN_MEMORY:
        raise ConfigError(f"memory must be at least 16M, got {settings.memory:,} bytes")


def _add_file(estimator: Estimator, path: Path | str) -> None:
    line = 1
    for block in read_blocks(path):
        try:
            estimator.add(block, line)
        except InputError as error:
            raise InputError(f"{path}, {error}") from None
        line += block.count(b"\n")
