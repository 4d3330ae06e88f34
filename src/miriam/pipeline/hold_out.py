"""Pairs set aside before anything is learnt: to tune on, and to score the result on."""

from __future__ import annotations

from msgspec import structs

from miriam.corpus.bitext import read_bitext, write_bitext
from miriam.corpus.clean import clean
from miriam.corpus.splits import Splitting, split, write_parts
from miriam.pipeline.settings import DataSettings, TextFiles, TrainSettings
from miriam.pipeline.steps import Work
from miriam.text.files import BadLines

__all__ = ["PARTS", "held_out", "hold_out"]

PARTS, REST = ("tuning", "test"), "train"


def held_out(name: str) -> tuple[str, str]:
    """The files of a part in the work folder: source and target."""
    return f"{name}.source", f"{name}.target"


def hold_out(work: Work, settings: TrainSettings, *, skip: bool) -> DataSettings:
    """The files to train, tune and test on, some of them drawn from the corpus.

    Parts share no sentence, on either side. What cleaning would drop is not among those set aside.
    `skip`: leave out lines that cannot be used.
    """
    data = settings.data
    given = {"tuning": data.tuning, "test": data.tests}
    sizes = {name: getattr(settings.hold_out, name) for name in PARTS if not given[name]}
    sizes = {name: size for name, size in sizes.items() if size}
    if not sizes:
        return data
    reads = [str(data.source), str(data.target)]
    names = [*sizes, REST]
    step = work.step(
        "hold-out", settings=[sizes, settings.seed, settings.cleaning, skip], reads=reads,
        makes=[file for name in names for file in held_out(name)],
    )  # fmt: skip
    step.run(lambda: _draw(work, reads, sizes, settings, BadLines(skip=skip)))
    source, target = (str(work.path(file)) for file in held_out(REST))
    parts = {name: _files(work, name) for name in sizes}
    found = structs.replace(data, source=source, target=target)
    if "tuning" in parts:
        found = structs.replace(found, tuning=parts["tuning"])
    return structs.replace(found, tests={"test": parts["test"]}) if "test" in parts else found


def _files(work: Work, name: str) -> TextFiles:
    source, target = (str(work.path(file)) for file in held_out(name))
    return TextFiles(source=source, references=(target,))


def _draw(
    work: Work, files: list[str], sizes: dict[str, int], settings: TrainSettings, bad: BadLines
) -> str:
    work.watch.report("drawing pairs", 0, 0)
    drawn = split(read_bitext(files, bad), Splitting(sizes=sizes, rest=REST, seed=settings.seed))
    paths = [work.path(file) for name in drawn.names for file in held_out(name)]
    write_parts(read_bitext(files, BadLines(skip=bad.skip)), drawn, paths)
    counts = []
    for name in sizes:
        part = work.paths(*held_out(name))
        kept = write_bitext(clean(list(read_bitext(part)), settings.cleaning), part)
        counts.append(f"{kept:,} pairs for {name}")
    if bad.count:
        counts.append(f"{bad.count:,} left out (unreadable)")
    return ", ".join(counts)
