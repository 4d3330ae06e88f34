"""Tuning a model: the weights by which it translates a set of sentences best."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from miriam import config
from miriam.corpus.references import reference_files
from miriam.errors import InputError
from miriam.features.weights import write_weights
from miriam.model.directory import changed_model, refuse_other
from miriam.pipeline.translator import WEIGHTS, Translator, sentence_of
from miriam.text.files import read_parallel
from miriam.tune.decoding import DecoderProblem, How, TuningSet, tune_decoder
from miriam.tune.monitor import Record
from miriam.tune.online import Tuned
from miriam.tune.run import Run
from miriam.tune.settings import DecoderTuning

__all__ = ["LOG", "TUNING", "UNTUNED", "Texts", "tune_model"]

UNTUNED, TUNING, LOG = "weights.untuned.txt", "tuning.toml", "tuning.jsonl"


class Texts(NamedTuple):
    """A file of sentences, and files of their references."""

    source: Path | str
    references: Sequence[Path | str]
    tokens: bool = False  # they are tokenised as the model's text is


def tune_model(
    model: Path | str,
    data: Texts,
    *,
    development: Texts | None = None,
    out: Path | str | None = None,
    settings: DecoderTuning = DecoderTuning(),  # noqa: B008  # it is a value
    run: Run | None = None,
) -> Tuned:
    """Tune a model, and write it with its new weights to `out` (default: in its own place).

    Epochs are judged on the development set, or without one on the tuning set, decoded afresh. The
    weights that the model had first stay beside the new ones, as `weights.untuned.txt`, with the
    settings and the log.
    """
    run = run or Run()
    out = Path(out or model)
    refuse_other(out)
    translator = Translator(model)
    tuning_set = _read(translator, data)
    problem = DecoderProblem(
        translator.decoder,
        tuning_set,
        settings.gold,
        development=_read(translator, development) if development else tuning_set,
        how=How(settings.nbest, settings.distinct, run.threads),
    )
    start = _named(translator)
    records: list[Record] = []

    def log(record: Record) -> None:
        records.append(record)
        run.log(record)

    checkpoint = out.absolute().with_name(f"{out.absolute().name}.tuning")
    tuned = tune_decoder(settings, problem, start, run._replace(log=log, checkpoint=checkpoint))
    _write(translator, out, tuned, settings, records)
    checkpoint.unlink(missing_ok=True)
    return tuned


def _read(translator: Translator, texts: Texts) -> TuningSet:
    """The sentences of a set as the model knows them."""
    files = [texts.source, *reference_files(texts.references)]
    rows = [(row[0], row[1:]) for row in read_parallel(files)]
    if not rows:
        raise InputError("no sentences to tune on", path=texts.source)
    raw = translator.preparation is not None and not texts.tokens
    prepared = [translator.prepare(source, raw=raw) for source, _ in rows]
    references = [
        translator.preparation.references(source, lines)
        if raw and translator.preparation
        else list(lines)
        for source, lines in rows
    ]
    return TuningSet([sentence_of(p) for p in prepared], references)


def _named(translator: Translator) -> dict[str, float]:
    """The weights of a translator by name."""
    name = translator.decoder.features.name
    dense = len(translator.decoder.features.dense)
    sparse = dense + np.flatnonzero(translator.weights[dense:])
    return {name(i): float(translator.weights[i]) for i in [*range(dense), *sparse.tolist()]}


def _write(
    translator: Translator,
    out: Path,
    tuned: Tuned,
    settings: DecoderTuning,
    records: Sequence[Record],
) -> None:
    start = dict.fromkeys(translator.decoder.features.dense, 0.0)
    with changed_model(translator.directory, out) as folder:
        if UNTUNED not in translator.directory:
            (folder / WEIGHTS).rename(folder / UNTUNED)
        write_weights(folder / WEIGHTS, {**start, **tuned.weights})
        (folder / TUNING).write_text(config.dump(settings), encoding="utf-8")
        lines = [msgspec.json.encode(record) + b"\n" for record in records]
        (folder / LOG).write_bytes(b"".join(lines))
