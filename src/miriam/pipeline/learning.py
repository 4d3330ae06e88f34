"""The steps that learn from a prepared bitext: alignment, rules, language model, word classes."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from miriam import config
from miriam.align.aligner import Bitext
from miriam.align.links import write_links
from miriam.align.train import train_encoded
from miriam.features.dense import initial_weights
from miriam.features.ratios import function_words
from miriam.features.settings import FeatureSettings, FunctionWords
from miriam.features.weights import write_weights
from miriam.lexicon.cluster import Text, exchange
from miriam.lexicon.vocabulary import Vocabulary, encode
from miriam.lm import Estimation, estimate
from miriam.model.directory import MANIFEST, new_model
from miriam.model.preparation import CASERS
from miriam.pipeline.preparing import DOMAINS, SOURCE, TARGET
from miriam.pipeline.settings import HierarchicalRules, TrainSettings, TranslatorSettings
from miriam.pipeline.space import rules_memory
from miriam.pipeline.steps import Work
from miriam.pipeline.translator import (
    ALIGNER,
    CLASSES,
    CLASSIFIER,
    COMPOUNDS,
    CONFIG,
    WEIGHTS,
    Translator,
    lm_file,
    table_file,
)  # fmt: skip
from miriam.rules.extract import extract_rules
from miriam.rules.settings import AnySettings, ExtractSettings, HierarchicalSettings
from miriam.rules.shards import Corpus
from miriam.text.files import read_lines, read_parallel

__all__ = ["MODEL", "TRAINING", "Learning"]

LINKS, SHARDS = "corpus.links", "shards"
TABLE, LM = "rules.safetensors", "lm.safetensors"
MODEL, TRAINING = "model", "training.toml"


@dataclass(frozen=True)
class Learning:
    """The steps, in their work folder."""

    work: Work
    settings: TrainSettings
    threads: int

    def align(self) -> None:
        """An aligner, and the links of the pairs."""
        step = self.work.step(
            "align", settings=self.settings.align, reads=self.work.paths(SOURCE, TARGET),
            makes=[ALIGNER, LINKS],
        )  # fmt: skip
        step.run(self._align)

    def _align(self) -> str:
        words = (Vocabulary(), Vocabulary())
        rows = read_parallel(self.work.paths(SOURCE, TARGET))
        settings, report = self.settings.align, self.work.watch.report
        bitext = Bitext.of(*encode(rows, words), max_length=settings.max_length)
        aligner = train_encoded(bitext, words, settings, threads=self.threads, report=report)
        aligner.save(self.work.path(ALIGNER))
        links = aligner.links(bitext, threads=self.threads, report=report)
        write_links(self.work.path(LINKS), links)
        return f"{len(links.points):,} links, {len(words[0]):,} and {len(words[1]):,} words"

    def extract(self) -> None:
        """The rule table; shards of the text that are done are not done again."""
        names = [SOURCE, TARGET, LINKS, *([DOMAINS] if self.settings.data.domains else [])]
        reads = self.work.paths(*names)
        step = self.work.step("rules", settings=self.settings.rules, reads=reads, makes=[TABLE])
        step.run(lambda: self._extract(Corpus(*reads)))

    def _extract(self, corpus: Corpus) -> str:
        chosen = msgspec.structs.asdict(self.settings.rules)
        hierarchical = isinstance(self.settings.rules, HierarchicalRules)
        kind: type[AnySettings] = HierarchicalSettings if hierarchical else ExtractSettings
        settings = kind(**chosen, threads=self.threads, memory=rules_memory())
        table = extract_rules(
            corpus, self.work.folder,
            settings=settings, work=self.work.path(SHARDS), report=self.work.watch.report,
        )  # fmt: skip
        shutil.rmtree(self.work.path(SHARDS))
        return f"{len(table):,} rules"

    def estimate(self, text: str) -> None:
        """The language model of a text."""
        chosen = self.settings.lm
        step = self.work.step("lm", settings=chosen, reads=self.work.paths(text), makes=[LM])
        step.run(lambda: self._estimate(self.work.path(text)))

    def _estimate(self, text: Path) -> str:
        chosen, report = self.settings.lm, self.work.watch.report
        settings = Estimation(
            order=chosen.order, prune=chosen.prune, threads=self.threads,
            folder=str(self.work.folder),
        )  # fmt: skip
        found = estimate(text, settings, report=report)
        if found.fallback:
            self.work.watch.say(found.fallback)
        found.write(self.work.path(LM), report=report)
        return f"{sum(found.counts):,} n-grams up to {chosen.order} words"

    def cluster(self, text: str) -> None:
        """Classes of the words of both sides, where features need them."""
        if not self.settings.features.needs_classes:
            return
        for name, file, lines in zip(("source", "target"), CLASSES, (SOURCE, text), strict=True):
            step = self.work.step(
                f"classes-{name}", settings=self.settings.classes,
                reads=self.work.paths(lines), makes=[file],
            )  # fmt: skip
            step.run(lambda lines=lines, file=file: self._cluster(lines, file))  # type: ignore[misc]

    def _cluster(self, lines: str, file: str) -> str:
        settings, text = self.settings.classes, self.work.path(lines)
        words = len(Text.read(read_lines(text), settings).names)
        if words < settings.classes:
            self.work.watch.say(f"{words:,} frequent words, so {words:,} word classes")
            settings = msgspec.structs.replace(settings, classes=words)
        report = self.work.watch.report
        found = exchange(text, settings, threads=self.threads, report=report)
        found.classes.write(self.work.path(file))
        return f"{words:,} words in {settings.classes:,} classes"

    def assemble(self) -> None:
        """The model directory, with the weights to begin with."""
        chosen = self.settings
        small = [COMPOUNDS, *(CASERS if chosen.text else ())]
        small += CLASSES if chosen.features.needs_classes else ()
        small += [CLASSIFIER] if chosen.data.domains else []
        tables = {table_file("TM"): TABLE, lm_file("LM"): LM, ALIGNER: ALIGNER}
        step = self.work.step(
            "assemble",
            settings=[chosen.text, chosen.search, chosen.features, self.training],
            reads=self.work.paths(SOURCE, TARGET, *tables.values(), *small),
            makes=[f"{MODEL}/{MANIFEST}"],
        )
        step.run(lambda: self._assemble(tables, small))

    def _assemble(self, tables: Mapping[str, str], small: list[str]) -> str:
        chosen = self.settings
        translator = TranslatorSettings(
            text=chosen.text, search=chosen.search, features=self._features()
        )
        files = {name: self.work.path(file) for name, file in tables.items()}
        with new_model(self.work.path(MODEL), files) as folder:
            (folder / CONFIG).write_text(config.dump(translator), encoding="utf-8")
            (folder / TRAINING).write_text(self.training, encoding="utf-8")
            for name in small:
                shutil.copyfile(self.work.path(name), folder / name)
            features = Translator.features_of(folder, translator)
            write_weights(folder / WEIGHTS, initial_weights(features, language_models=["LM"]))
        return f"{len(features)} dense features"

    @property
    def training(self) -> str:
        """How the model was trained, without the names of anybody's files."""
        plain = TrainSettings().data
        return config.dump(msgspec.structs.replace(self.settings, data=plain))

    def _features(self) -> FeatureSettings:
        """The features of the model, with the function words of the text."""
        if self.settings.features.function_words != FunctionWords():
            return self.settings.features
        files = self.work.paths(SOURCE, TARGET)
        source, target = (function_words(read_lines(file)) for file in files)
        words = FunctionWords(source=source, target=target)
        return msgspec.structs.replace(self.settings.features, function_words=words)
