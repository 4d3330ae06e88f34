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

PARTS, REST = ("tuning", "development", "test"), "train"


def held_out(name: str, *, domains: bool = False) -> tuple[str, ...]:
    """The files of a part in the work folder: source, target, and the domains if there are any."""
    files = f"{name}.source", f"{name}.target"
    return (*files, f"{name}.domains") if domains else files


def hold_out(work: Work, settings: TrainSettings, *, skip: bool) -> DataSettings:
    """The files to train, tune and test on, some of them drawn from the corpus.

    Parts share no sentence, on either side. What cleaning would drop is not among those set aside.
    `skip`: leave out lines that cannot be used.
    """
    data = settings.data
    given = {"tuning": data.tuning, "development": data.development, "test": data.tests}
    sizes = {name: getattr(settings.hold_out, name) for name in PARTS if not given[name]}
    sizes = {name: size for name, size in sizes.items() if size}
    if not sizes:
        return data
    labelled = data.domains is not None
    reads = [str(data.source), str(data.target), *([data.domains] if data.domains else [])]
    names = [*sizes, REST]
    step = work.step(
        "hold-out", settings=[sizes, settings.seed, settings.cleaning, skip], reads=reads,
        makes=[file for name in names for file in held_out(name, domains=labelled)],
    )  # fmt: skip
    step.run(lambda: _draw(work, reads, sizes, settings, BadLines(skip=skip)))
    parts = {name: _files(work, name, labelled) for name in names}
    rest = parts.pop(REST)
    found = structs.replace(
        data, source=rest.source, target=rest.references[0], domains=rest.domains
    )
    for name in parts.keys() - {"test"}:
        found = structs.replace(found, **{name: parts[name]})
    return structs.replace(found, tests={"test": parts["test"]}) if "test" in parts else found


def _files(work: Work, name: str, labelled: bool) -> TextFiles:
    source, target, *domains = (str(work.path(f)) for f in held_out(name, domains=labelled))
    return TextFiles(source=source, references=(target,), domains=domains[0] if domains else None)


def _draw(
    work: Work, files: list[str], sizes: dict[str, int], settings: TrainSettings, bad: BadLines
) -> str:
    work.watch.report("drawing pairs", 0, 0)
    drawn = split(read_bitext(files, bad), Splitting(sizes=sizes, rest=REST, seed=settings.seed))
    labelled = len(files) > len(held_out(REST))
    paths = [work.path(file) for name in drawn.names for file in held_out(name, domains=labelled)]
    write_parts(read_bitext(files, BadLines(skip=bad.skip)), drawn, paths)
    counts = []
    for name in sizes:
        part = work.paths(*held_out(name, domains=labelled))
        kept = write_bitext(clean(list(read_bitext(part)), settings.cleaning), part)
        counts.append(f"{kept:,} pairs for {name}")
    if bad.count:
        counts.append(f"{bad.count:,} left out (unreadable)")
    return ", ".join(counts)
