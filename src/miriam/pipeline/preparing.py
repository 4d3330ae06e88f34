"""From text as people write it to the tokens that everything is learnt from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from miriam.corpus.bitext import Pair, blocks, read_bitext, write_bitext
from miriam.corpus.clean import clean
from miriam.errors import ConfigError, InputError
from miriam.lexicon.compound_evidence import find_compounds
from miriam.lexicon.compounds import Compounds
from miriam.lexicon.domains import DomainClassifier
from miriam.model.preparation import CASERS, Preparation, TextSettings
from miriam.pipeline.settings import TrainSettings
from miriam.pipeline.steps import Work
from miriam.pipeline.translator import CLASSIFIER, COMPOUNDS
from miriam.text.case import Truecaser
from miriam.text.files import BadLines, open_together, read_lines
from miriam.text.moses import Moses

__all__ = [
    "DOMAINS",
    "LM_TEXT",
    "SOURCE",
    "TARGET",
    "add_text",
    "label",
    "part_compounds",
    "prepare",
    "text_settings",
    "with_text",
]

SOURCE, TARGET = "corpus.source", "corpus.target"
WHOLE = "corpus.whole"  # the source side before its compounds are parted
LINES, DOMAINS = "corpus.lines", "corpus.domains"  # of the pairs: their lines in the files, labels
LM_TEXT = "lm.text"  # the target side and further text, where there is any


def text_settings(source: Path | str, target: Path | str) -> TextSettings:
    """The preparation of raw text whose files are named after their languages (`train.de`).

    >>> text_settings("train.de.gz", "train.en").source
    Moses(language='de')
    """
    sides = [Moses(language=_language(path)) for path in (source, target)]
    return TextSettings(source=sides[0], target=sides[1])


def with_text(settings: TrainSettings, *, tokens: bool) -> TrainSettings:
    """The settings with a preparation of text: theirs, or by the files' names, or none for tokens.

    >>> with_text(TrainSettings(), tokens=True).text is None
    True
    """
    if tokens and settings.text:
        raise ConfigError("settings of text, and tokens at the same time; leave out one")
    if tokens or settings.text:
        return settings
    text = text_settings(str(settings.data.source), str(settings.data.target))
    return msgspec.structs.replace(settings, text=text)


def _language(path: Path | str) -> str:
    suffixes = [s[1:] for s in Path(path).suffixes if s not in (".gz", ".zst")]
    language = suffixes[-1] if suffixes else ""
    if not (language.isalpha() and len(language) == 2):
        raise ConfigError(
            f"{path}: the name does not end in a language such as .de; rename the file, choose "
            "tokenisers in --config, or say --tokens if the text is tokenised"
        )
    return language


def prepare(work: Work, settings: TrainSettings, files: Sequence[str], *, skip: bool) -> None:
    """Tokens of the pairs to keep, and how words are written; `skip` lines that cannot be used."""
    makes = [WHOLE, TARGET, LINES, *(CASERS if settings.text else ())]
    step = work.step(
        "prepare", settings=[settings.text, settings.cleaning, skip], reads=files, makes=makes
    )
    step.run(lambda: _prepare(work, settings, files, BadLines(skip=skip)))


def _prepare(work: Work, settings: TrainSettings, files: Sequence[str], bad: BadLines) -> str:
    dropped: Counter[str] = Counter()
    # Lines stand in the place of domains: which of them were kept is known then.
    pairs: Iterable[Pair] = (
        pair._replace(domain=str(count + bad.count))
        for count, pair in enumerate(read_bitext(files, bad), 1)
    )
    if settings.text:
        pairs = _tokens(work, pairs, settings.text)
    kept = write_bitext(clean(pairs, settings.cleaning, dropped), work.paths(WHOLE, TARGET, LINES))
    if bad.count:
        dropped["unreadable"] = bad.count
    listed = [f"{kept:,} pairs", *(f"{n:,} left out ({why})" for why, n in dropped.items())]
    return ", ".join(listed)


def _tokens(work: Work, pairs: Iterable[Pair], text: TextSettings) -> Iterator[Pair]:
    """Cased tokens of raw text; it is held in memory, because case is learnt from all of it."""
    preparation = Preparation(text, Truecaser({}), Truecaser({}))
    rows, lines = [], []
    for block in blocks(pairs):
        rows += [preparation.pair(pair.source, pair.target) for pair in block]
        lines += [pair.domain for pair in block]
        work.watch.report("splitting sentences into words", len(rows), 0)
    preparation = preparation.learn_case(rows)
    preparation.save(work.folder)
    return (Pair(*preparation.cased(row), line) for row, line in zip(rows, lines, strict=True))


def label(work: Work, domains: str | None) -> None:
    """The domains of the kept pairs, if there are any, and what knows them by source words."""
    if domains is None:
        return
    reads = [*work.paths(SOURCE, LINES), domains]
    step = work.step("domains", settings=None, reads=reads, makes=[DOMAINS, CLASSIFIER])
    step.run(lambda: _label(work, domains))


def _label(work: Work, domains: str) -> str:
    labels = list(read_lines(domains))
    kept = [int(line) for line in read_lines(work.path(LINES))]
    if kept[-1] > len(labels):
        raise InputError(
            f"{len(labels):,} lines of domains, and at least {kept[-1]:,} pairs; give a line for "
            "each pair, empty where there is no domain",
            path=domains,
        )
    chosen = [labels[line - 1].split() for line in kept]
    found = Counter(name for names in chosen for name in names)
    if not found:
        raise InputError("no line has the name of a domain", path=domains)
    with open_together(work.paths(DOMAINS)) as (file,):
        file.writelines(f"{' '.join(names)}\n".encode() for names in chosen)
    source = read_lines(work.path(SOURCE))
    DomainClassifier.learn(zip(source, chosen, strict=True)).write(work.path(CLASSIFIER))
    return ", ".join(f"{count:,} pairs of {name}" for name, count in sorted(found.items()))


def part_compounds(work: Work, settings: TrainSettings) -> None:
    """The source side with its compounds in parts, if it makes any."""
    step = work.step(
        "compounds", settings=settings.compounds, reads=work.paths(WHOLE, TARGET),
        makes=[COMPOUNDS, SOURCE],
    )  # fmt: skip
    step.run(lambda: _part(work, settings))


def _part(work: Work, settings: TrainSettings) -> str:
    compounds = _compounds(work, settings)
    compounds.save(work.path(COMPOUNDS))
    before = after = 0
    with open_together(work.paths(SOURCE)) as (file,):
        for line in read_lines(work.path(WHOLE)):
            words = line.split(" ")
            parts = compounds.split(words)
            before, after = before + len(words), after + len(parts)
            file.write(f"{' '.join(parts)}\n".encode())
    return f"{before:,} words in {after:,} parts"


def _compounds(work: Work, settings: TrainSettings) -> Compounds:
    """What to part: nothing, if settings or translations say so."""
    if settings.compounds == "keep":
        return Compounds({})
    compounds, evidence = find_compounds(*work.paths(WHOLE, TARGET))
    parted = evidence.suffices or settings.compounds == "part"
    work.watch.say(
        f"compounds: {evidence.supported:,} of {evidence.occurrences:,} are translated by their "
        f"parts; they {'are parted' if parted else 'stay whole'}"
    )
    return compounds if parted else Compounds({})


def add_text(work: Work, settings: TrainSettings, *, skip: bool) -> str:
    """The file of the target side and further text of its language, as tokens of the model's."""
    mono = settings.data.mono
    if not mono:
        return TARGET
    reads = [*work.paths(TARGET, *(CASERS if settings.text else ())), *mono]
    step = work.step("text", settings=[settings.text, skip], reads=reads, makes=[LM_TEXT])
    step.run(lambda: _add_text(work, settings.text, mono, BadLines(skip=skip)))
    return LM_TEXT


def _add_text(work: Work, text: TextSettings | None, mono: Sequence[str], bad: BadLines) -> str:
    work.watch.report("reading further text", 0, 0)
    preparation = Preparation.load(text, work.folder) if text else None
    further = (line for path in mono for line in read_lines(path, bad))
    prepared = (preparation.target(line) if preparation else line for line in further)
    tokens = (" ".join(line.split()) for line in prepared)
    lines = chain(read_lines(work.path(TARGET)), filter(None, tokens))
    count = 0
    with open_together(work.paths(LM_TEXT)) as (file,):
        for count, line in enumerate(lines, 1):  # noqa: B007  # the last number counts them
            file.write(f"{line}\n".encode())
    return f"{count:,} lines"
