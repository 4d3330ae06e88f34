"""From files of text to a model directory: prepared, learnt, tuned and scored, step by step."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from miriam import config
from miriam.analysis.run import RUNS, SCORES, About, about, read_run, write_json
from miriam.analysis.run import Run as Finished
from miriam.corpus.references import reference_files
from miriam.features.plugins import plugged_in
from miriam.model.directory import MANIFEST, changed_model, open_model, refuse_other
from miriam.pipeline.hold_out import PARTS, held_out, hold_out
from miriam.pipeline.learning import MODEL, TRAINING, Learning
from miriam.pipeline.preparing import add_text, label, part_compounds, prepare
from miriam.pipeline.resolve import Plan
from miriam.pipeline.scoring import score, translations
from miriam.pipeline.settings import DataSettings, TextFiles, TrainSettings
from miriam.pipeline.space import refuse_too_small
from miriam.pipeline.steps import Work
from miriam.pipeline.tune import Texts, tune_model
from miriam.pipeline.watch import Logbook, Watch
from miriam.tune.run import Run

__all__ = ["How", "train_model"]

RUN, LOGBOOK = "train", "log.txt"
TUNED = "tuned"


@dataclass(frozen=True, kw_only=True)
class How:
    """How a training goes, which does not change what it ends with."""

    work: Path | str | None = None  # a folder for what steps make; None: gone at the end
    skip: bool = False  # leave out lines that cannot be used
    threads: int = 1
    watch: Watch = field(default_factory=Watch)


def train_model(plan: Plan, out: Path | str, how: How | None = None) -> Finished:
    """Train a model in the directory `out`, tuned where there is something to tune on.

    What each step makes is kept in a folder (default: `out` with `.work` behind), so that a
    training that was stopped goes on where it was; the default folder is gone at the end.
    """
    how, out, settings = how or How(), Path(out), plan.settings
    refuse_other(out)
    plugged_in(settings.features.plugins)  # one that is not there is refused now, not at the end
    folder = Path(how.work) if how.work else out.absolute().with_name(f"{out.absolute().name}.work")
    refuse_too_small(plan.size, settings, folder, out)
    begun = about(seed=settings.seed, threads=how.threads)
    with Work(folder) as work:
        logbook = Logbook(work.path(LOGBOOK), how.watch)
        work.watch = logbook
        try:
            if plan.choices:
                logbook.say(f"{plan.size.pairs:,} sentence pairs. Chosen by this size:")
            for choice in plan.choices:
                logbook.say(f"  {choice}")
            last = _steps(work, settings, how)
        except BaseException as error:
            logbook.note(f"stopped: {error or type(error).__name__}")
            raise
        finally:
            logbook.close()
        _publish(work, last, out, settings, begun)
    if not how.work:
        shutil.rmtree(folder)
    return read_run(out / RUNS / RUN)


def _steps(work: Work, settings: TrainSettings, how: How) -> str:
    """All steps; the folder of the model that they end with."""
    data = hold_out(work, settings, skip=how.skip)
    corpus = [str(data.source), str(data.target)]
    prepare(work, settings, corpus, skip=how.skip)
    part_compounds(work, settings)
    label(work, data.domains)
    text = add_text(work, settings, skip=how.skip)
    learning = Learning(work, settings, how.threads)
    learning.align()
    learning.extract()
    learning.estimate(text)
    learning.cluster(text)
    learning.assemble()
    models = {"untuned": MODEL}
    if data.tuning:
        _tune(work, settings, data, how)
        models["tuned"] = TUNED
    score(work, data.tests, models, tokens=settings.text is None, threads=how.threads)
    return models.get("tuned", MODEL)


def _tune(work: Work, settings: TrainSettings, data: DataSettings, how: How) -> None:
    """The weights, learnt from the tuning set; it goes on from its own checkpoint."""
    sets = [texts for texts in (data.tuning, data.development) if texts]
    files = [file for t in sets for file in (t.source, *map(str, reference_files(t.references)))]
    files += [t.domains for t in sets if t.domains]
    step = work.step(
        "tune", settings=[settings.tune, settings.seed, len(files), settings.text is None],
        reads=[work.path(MODEL) / MANIFEST, *files], makes=[f"{TUNED}/{MANIFEST}"],
    )  # fmt: skip
    checkpoint = work.path(f"tuning-{step.fingerprint[:16]}")
    for old in set(work.folder.glob("tuning-*")) - set(work.folder.glob(f"{checkpoint.name}*")):
        old.unlink()  # of other settings or data

    def task() -> str:
        tuned = tune_model(
            work.path(MODEL), _texts(sets[0], settings), out=work.path(TUNED),
            development=_texts(sets[1], settings) if data.development else None,
            settings=settings.tune,
            run=Run(settings.seed, how.threads, work.watch.log, checkpoint, work.watch.report),
        )  # fmt: skip
        if tuned.stopped:
            work.watch.say(f"tuning stopped early: {tuned.stopped}")
        reached = "" if tuned.score is None else f", {tuned.score:.2f} on the development set"
        return f"{len(tuned.weights):,} weights of epoch {tuned.epoch}{reached}"

    step.run(task)


def _texts(files: TextFiles, settings: TrainSettings) -> Texts:
    return Texts(files.source, files.references, settings.text is None, files.domains)


def _publish(work: Work, last: str, out: Path, settings: TrainSettings, begun: About) -> None:
    """Put the model in its place, with what the run was like in `runs/train`.

    That is no part of the model, which is the same at any speed.
    """
    with changed_model(open_model(work.path(last)), out) as folder:
        run = folder / RUNS / RUN
        tuned = folder / RUNS / "tune"
        if tuned.is_dir():
            tuned.rename(run)
        run.mkdir(parents=True, exist_ok=True)
        (run / TRAINING).write_text(config.dump(settings), encoding="utf-8")
        write_json(run / "timings.json", work.timings)
        write_json(run / "about.json", begun)
        shutil.copyfile(work.path(LOGBOOK), run / LOGBOOK)
        parts = [file for part in PARTS for file in held_out(part, domains=True)]
        results = [SCORES, *map(translations, ("test", *settings.data.tests))]
        for name in work.files & {*parts, *results}:
            shutil.copyfile(work.path(name), run / name)
