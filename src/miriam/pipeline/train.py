"""From two files of text to a model directory: prepare, align, extract, estimate, assemble."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import msgspec

from miriam import config
from miriam.align.aligner import Bitext
from miriam.align.links import write_links
from miriam.align.train import train_encoded
from miriam.analysis.run import RUNS, About, Timing, about, write_json
from miriam.corpus.bitext import Pair, blocks, read_bitext, write_bitext
from miriam.corpus.clean import clean
from miriam.errors import ConfigError, InputError
from miriam.features.dense import initial_weights
from miriam.features.plugins import plugged_in
from miriam.features.ratios import function_words
from miriam.features.settings import FeatureSettings, FunctionWords
from miriam.features.weights import write_weights
from miriam.lexicon.vocabulary import Vocabulary, encode
from miriam.lm import Estimation, estimate
from miriam.model.directory import new_model, refuse_other
from miriam.model.preparation import CASERS, Preparation, TextSettings
from miriam.pipeline.settings import HierarchicalRules, TrainSettings, TranslatorSettings
from miriam.pipeline.steps import Work
from miriam.pipeline.translator import ALIGNER, CONFIG, WEIGHTS, Translator, lm_file, table_file
from miriam.progress import Report, silent
from miriam.rules.extract import extract_rules
from miriam.rules.settings import AnySettings, ExtractSettings, HierarchicalSettings
from miriam.rules.shards import Corpus
from miriam.text.case import Truecaser
from miriam.text.files import BadLines, open_together, read_lines, read_parallel
from miriam.text.moses import Moses

__all__ = ["text_settings", "train_model", "with_text"]

SOURCE, TARGET, LINKS, DROPPED = "corpus.source", "corpus.target", "corpus.links", "dropped.json"
LM_TEXT = "lm.text"  # the target side and further text, where there is any
TABLE, LM = "rules.safetensors", "lm.safetensors"
TRAINING, RUN = "training.toml", "train"


def text_settings(source: Path | str, target: Path | str) -> TextSettings:
    """The preparation of raw text whose files are named after their languages (`train.de`).

    >>> text_settings("train.de.gz", "train.en").source
    Moses(language='de')
    """
    sides = [Moses(language=_language(path)) for path in (source, target)]
    return TextSettings(source=sides[0], target=sides[1])


def with_text(
    settings: TrainSettings, source: Path | str, target: Path | str, *, tokens: bool
) -> TrainSettings:
    """The settings with a preparation of text: theirs, or by the files' names, or none for tokens.

    >>> with_text(TrainSettings(), "train.de", "train.en", tokens=True).text is None
    True
    """
    if tokens and settings.text:
        raise ConfigError("settings of text, and tokens at the same time; leave out one")
    if tokens or settings.text:
        return settings
    return msgspec.structs.replace(settings, text=text_settings(source, target))


def _language(path: Path | str) -> str:
    suffixes = [s[1:] for s in Path(path).suffixes if s not in (".gz", ".zst")]
    language = suffixes[-1] if suffixes else ""
    if not (language.isalpha() and len(language) == 2):
        raise ConfigError(
            f"{path}: the name does not end in a language such as .de; rename the file, choose "
            "tokenisers in --config, or say --tokens if the text is tokenised"
        )
    return language


@dataclass
class Training:
    """The steps of a training, in their work folder."""

    work: Work
    settings: TrainSettings
    threads: int
    report: Report
    bad: BadLines = field(default_factory=BadLines)

    def prepare(self, source: Path | str, target: Path | str) -> None:
        """Tokens of the pairs to keep, and how words are written."""
        makes = [SOURCE, TARGET, DROPPED, *(CASERS if self.settings.text else ())]
        step = self.work.step(
            "prepare", settings=[self.settings.text, self.settings.cleaning, self.bad.skip],
            reads=[source, target], makes=makes,
        )  # fmt: skip
        step.run(lambda: self._prepare(read_bitext([source, target], self.bad)))

    def _prepare(self, pairs: Iterable[Pair]) -> None:
        dropped: Counter[str] = Counter()
        if self.settings.text:
            pairs = self._tokens(pairs, self.settings.text)
        kept = clean(pairs, self.settings.cleaning, dropped)
        write_bitext(kept, [self.work.path(SOURCE), self.work.path(TARGET)])
        if self.bad.count:
            dropped["unreadable"] = self.bad.count
        self.work.path(DROPPED).write_bytes(msgspec.json.encode(dict(dropped)))
        self.report("preparing text", 1, 1)

    def _tokens(self, pairs: Iterable[Pair], text: TextSettings) -> Iterator[Pair]:
        """Cased tokens of raw text; it is held in memory, because case is learnt from all of it."""
        preparation = Preparation(text, Truecaser({}), Truecaser({}))
        rows = []
        for block in blocks(pairs):
            rows += [preparation.pair(pair.source, pair.target) for pair in block]
            self.report("preparing text", len(rows), 0)
        preparation = preparation.learn_case(rows)
        preparation.save(self.work.folder)
        return (Pair(*preparation.cased(row)) for row in rows)

    def align(self) -> None:
        """An aligner, and the links of the pairs."""
        step = self.work.step(
            "align", settings=self.settings.align, reads=self._files(SOURCE, TARGET),
            makes=[ALIGNER, LINKS],
        )  # fmt: skip
        step.run(self._align)

    def _align(self) -> None:
        words = (Vocabulary(), Vocabulary())
        rows = read_parallel(self._files(SOURCE, TARGET))
        bitext = Bitext.of(*encode(rows, words), max_length=self.settings.align.max_length)
        aligner = train_encoded(
            bitext, words, self.settings.align, threads=self.threads, report=self.report
        )
        aligner.save(self.work.path(ALIGNER))
        links = aligner.links(bitext, threads=self.threads, report=self.report)
        write_links(self.work.path(LINKS), links)

    def extract(self) -> None:
        """The rule table."""
        step = self.work.step(
            "rules", settings=self.settings.rules, reads=self._files(SOURCE, TARGET, LINKS),
            makes=[TABLE],
        )  # fmt: skip
        chosen = msgspec.structs.asdict(self.settings.rules)
        hierarchical = isinstance(self.settings.rules, HierarchicalRules)
        kind: type[AnySettings] = HierarchicalSettings if hierarchical else ExtractSettings
        settings = kind(**chosen, threads=self.threads)
        corpus = Corpus(*self._files(SOURCE, TARGET, LINKS))
        step.run(
            lambda: extract_rules(corpus, self.work.folder, settings=settings, report=self.report)
        )

    def add_text(self, mono: Sequence[Path | str]) -> None:
        """The target side, and further text of its language as tokens of the model's."""
        text = self.settings.text
        reads = [*self._files(TARGET, *(CASERS if text else ())), *mono]
        step = self.work.step("text", settings=[text, self.bad.skip], reads=reads, makes=[LM_TEXT])
        step.run(lambda: self._add_text(mono))

    def _add_text(self, mono: Sequence[Path | str]) -> None:
        text = self.settings.text
        preparation = Preparation.load(text, self.work.folder) if text else None
        bad = BadLines(skip=self.bad.skip)
        further = (line for path in mono for line in read_lines(path, bad))
        prepared = (preparation.target(line) if preparation else line for line in further)
        tokens = (" ".join(line.split()) for line in prepared)
        lines = chain(read_lines(self.work.path(TARGET)), filter(None, tokens))
        with open_together(self._files(LM_TEXT)) as (file,):
            file.writelines(f"{line}\n".encode() for line in lines)
        self.report("preparing further text", 1, 1)

    def estimate(self, mono: Sequence[Path | str] = ()) -> None:
        """The language model of the target side, and of further text."""
        if mono:
            self.add_text(mono)
        chosen, text = self.settings.lm, LM_TEXT if mono else TARGET
        step = self.work.step("lm", settings=chosen, reads=self._files(text), makes=[LM])
        settings = Estimation(order=chosen.order, prune=chosen.prune, threads=self.threads)
        step.run(
            lambda: estimate(self.work.path(text), settings, report=self.report).write(
                self.work.path(LM)
            )
        )

    def assemble(self, out: Path) -> None:
        """The model directory, with the weights to begin with."""
        chosen = self.settings
        translator = TranslatorSettings(
            text=chosen.text, search=chosen.search, features=self._features()
        )
        tables = {
            table_file("TM"): self.work.path(TABLE),
            lm_file("LM"): self.work.path(LM),
            ALIGNER: self.work.path(ALIGNER),
        }
        with new_model(out, tables) as folder:
            (folder / CONFIG).write_text(config.dump(translator), encoding="utf-8")
            (folder / TRAINING).write_text(config.dump(self.settings), encoding="utf-8")
            for name in CASERS if self.settings.text else ():
                shutil.copyfile(self.work.path(name), folder / name)
            features = Translator.features_of(folder, translator)
            write_weights(folder / WEIGHTS, initial_weights(features, language_models=["LM"]))
        self.report("writing the model", 1, 1)

    def _features(self) -> FeatureSettings:
        """The features of the model, with the function words of the text."""
        if self.settings.features.function_words != FunctionWords():
            return self.settings.features
        source, target = (function_words(read_lines(file)) for file in self._files(SOURCE, TARGET))
        words = FunctionWords(source=source, target=target)
        return msgspec.structs.replace(self.settings.features, function_words=words)

    def _files(self, *names: str) -> list[Path | str]:
        return [self.work.path(name) for name in names]


def train_model(
    source: Path | str,
    target: Path | str,
    out: Path | str,
    *,
    settings: TrainSettings,
    mono: Sequence[Path | str] = (),
    work: Path | str | None = None,
    bad: BadLines | None = None,
    threads: int = 1,
    report: Report = silent,
) -> dict[str, int]:
    """How many pairs were dropped, by reason, in training a model in the directory `out`.

    The language model also learns from the files `mono`, which are text of the target language.
    What each step makes is kept in the folder `work` (default: `out` with `.work` behind), so that
    a training that was stopped goes on where it was; the default folder is gone at the end.
    """
    out = Path(out)
    refuse_other(out)
    plugged_in(settings.features.plugins)  # one that is not there is refused now, not at the end
    for path in (source, target, *mono):
        if not Path(path).is_file():
            raise InputError("not a file; training reads files, and more than once", path=path)
    folder = Path(work) if work else out.absolute().with_name(f"{out.absolute().name}.work")
    training = Training(Work(folder, report), settings, threads, report, bad or BadLines())
    begun = about(threads=threads)
    training.prepare(source, target)
    training.align()
    training.extract()
    training.estimate(mono)
    started = time.monotonic()
    training.assemble(out)
    assembled = Timing(step="assemble", seconds=time.monotonic() - started)
    _leave_run(out, begun, [*training.work.timings, assembled])
    dropped = msgspec.json.decode((folder / DROPPED).read_bytes(), type=dict[str, int])
    if not work:
        shutil.rmtree(folder)
    return dropped


def _leave_run(out: Path, begun: About, timings: Sequence[Timing]) -> None:
    """Write what the training was like; no part of the model, which is the same at any speed."""
    run = out / RUNS / RUN
    run.mkdir(parents=True)
    shutil.copyfile(out / TRAINING, run / TRAINING)
    write_json(run / "timings.json", timings)
    write_json(run / "about.json", begun)
