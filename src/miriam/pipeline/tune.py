"""Tuning a model: the weights by which it translates a set of sentences best."""

from __future__ import annotations

import itertools
import shutil
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from miriam import config
from miriam.analysis.run import LOG, RUNS, Timing, about, write_json
from miriam.corpus.references import reference_files
from miriam.errors import InputError
from miriam.features.weights import write_weights
from miriam.model.directory import changed_model, refuse_other
from miriam.pipeline.journal import Journal
from miriam.pipeline.translator import CONFIG, WEIGHTS, Translator
from miriam.text.files import read_lines, read_parallel
from miriam.tune.decoding import DecoderProblem, How, TuningSet, tune_decoder
from miriam.tune.grouping.files import write_groups
from miriam.tune.grouping.tuning import Grouping, required_development
from miriam.tune.online import Tuned
from miriam.tune.run import Run
from miriam.tune.settings import DecoderTuning

__all__ = ["GROUPS", "TUNING", "UNTUNED", "Texts", "tune_model"]

UNTUNED, TUNING, GROUPS = "weights.untuned.txt", "tuning.toml", "groups.txt"


class Texts(NamedTuple):
    """A file of sentences, and files of their references."""

    source: Path | str
    references: Sequence[Path | str]
    tokens: bool = False  # they are tokenised as the model's text is
    domains: Path | str | None = None  # a line for each sentence: its domains


def tune_model(
    model: Path | str,
    data: Texts,
    *,
    development: Texts | None = None,
    out: Path | str | None = None,
    overrides: Iterable[str] = (),
    settings: DecoderTuning = DecoderTuning(),  # noqa: B008  # it is a value
    features: str | None = None,
    run: Run | None = None,
) -> Tuned:
    """Tune a model, and write it with its new weights to `out` (default: in its own place).

    `features` is a named set that the model is to have from now on; what it lacks begins at 0.
    `overrides` are other settings of the model from now on (`["search.pops=1000"]`).

    Epochs are judged on the development set, or without one on the tuning set, decoded afresh. The
    weights that the model had first stay beside the new ones, as `weights.untuned.txt`, with the
    settings and the groups of features, where such were learnt (`groups.txt`); `runs/tune` (or
    `tune-2`, ...) has what the run was like.
    """
    run = run or Run()
    if isinstance(settings.learner, Grouping):
        required_development(development)
    out = Path(out or model)
    refuse_other(out)
    begun, started = about(seed=run.seed, threads=run.threads), time.monotonic()
    chosen = [f"features.set={features}"] if features else []
    translator = Translator(model, overrides=[*chosen, *overrides])
    tuning_set = _read(translator, data)
    problem = DecoderProblem(
        translator.decoder,
        tuning_set,
        settings.gold,
        development=_read(translator, development) if development else tuning_set,
        how=How(settings.nbest, settings.distinct, run.threads),
    )
    checkpoint = run.checkpoint or out.absolute().with_name(f"{out.absolute().name}.tuning")
    with Journal(checkpoint, run.log) as journal:
        resuming = run._replace(log=journal.log, checkpoint=checkpoint)
        tuned = tune_decoder(settings, problem, _named(translator), resuming)
        with changed_model(translator.directory, out) as folder:
            _write(folder, translator, tuned, settings)
            left = _next_run(folder)
            journal.write(left / LOG)
            seconds = journal.earlier_seconds + time.monotonic() - started
            write_json(left / "timings.json", [Timing(step="tune", seconds=seconds)])
            write_json(left / "about.json", begun)
    journal.remove()
    checkpoint.unlink(missing_ok=True)
    return tuned


def _read(translator: Translator, texts: Texts) -> TuningSet:
    """The sentences of a set as the model knows them."""
    files = [texts.source, *reference_files(texts.references)]
    rows = [(row[0], row[1:]) for row in read_parallel(files)]
    if not rows:
        raise InputError("no sentences to tune on", path=texts.source)
    raw = translator.preparation is not None and not texts.tokens
    domains = list(read_lines(texts.domains)) if texts.domains else None
    if domains is not None and len(domains) != len(rows):
        raise InputError(
            f"{len(domains):,} lines of domains for {len(rows):,} sentences", path=texts.domains
        )
    sentences = translator.sentences([source for source, _ in rows], raw=raw, domains=domains)
    references = [
        translator.preparation.references(source, lines)
        if raw and translator.preparation
        else list(lines)
        for source, lines in rows
    ]
    return TuningSet([sentence for _, sentence in sentences], references)


def _named(translator: Translator) -> dict[str, float]:
    """The weights of a translator by name."""
    name = translator.decoder.features.name
    dense = len(translator.decoder.features.dense)
    sparse = dense + np.flatnonzero(translator.weights[dense:])
    return {name(i): float(translator.weights[i]) for i in [*range(dense), *sparse.tolist()]}


def _write(folder: Path, translator: Translator, tuned: Tuned, settings: DecoderTuning) -> None:
    """The new weights, and those that the model was trained with."""
    (folder / CONFIG).write_text(config.dump(translator.settings), encoding="utf-8")
    if UNTUNED not in translator.directory:
        (folder / WEIGHTS).rename(folder / UNTUNED)
    start = dict.fromkeys(translator.decoder.features.dense, 0.0)
    write_weights(folder / WEIGHTS, {**start, **tuned.weights})
    (folder / TUNING).write_text(config.dump(settings), encoding="utf-8")
    (folder / GROUPS).unlink(missing_ok=True)  # of weights that are no more
    if tuned.groups:
        write_groups(folder / GROUPS, tuned.groups)


def _next_run(model: Path) -> Path:
    """A new run folder of a model, with what the model was tuned by and to."""
    runs = model / RUNS
    taken = {path.name for path in runs.iterdir()} if runs.is_dir() else set()
    names = ("tune" if number == 1 else f"tune-{number}" for number in itertools.count(1))
    run = runs / next(name for name in names if name not in taken)
    run.mkdir(parents=True)
    for name in (WEIGHTS, UNTUNED, TUNING, GROUPS):
        if (model / name).exists():
            shutil.copyfile(model / name, run / name)
    return run
