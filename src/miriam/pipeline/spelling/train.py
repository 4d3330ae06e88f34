"""From word pairs to a normaliser: candidates for held-out words, and what ranks them."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from miriam import config
from miriam.errors import InputError
from miriam.features.spelling import EditFeatures, PairCounts, SpellingFeatures
from miriam.features.weights import write_weights
from miriam.lm.model import LanguageModel
from miriam.model.directory import new_model, refuse_other
from miriam.pipeline.settings import TranslatorSettings
from miriam.pipeline.spelling.characters import (
    LM,
    LM_FILE,
    MODERN,
    TABLE,
    CharacterModel,
    train_characters,
    train_modern,
)
from miriam.pipeline.spelling.held_out import (
    Lists,
    draw_parts,
    load_candidates,
    offer,
    save_candidates,
)
from miriam.pipeline.spelling.learning import learn
from miriam.pipeline.spelling.model import MODERN_WORDS, PAIRS, SETTINGS, SPELLING_WEIGHTS
from miriam.pipeline.spelling.pairs import read_counts, read_pairs, read_words, write_counts
from miriam.pipeline.spelling.prior import START
from miriam.pipeline.spelling.settings import SpellingSettings
from miriam.pipeline.steps import Work
from miriam.pipeline.translator import CONFIG, WEIGHTS, lm_file, table_file
from miriam.pipeline.watch import Watch
from miriam.rules.table import TABLE_NAME
from miriam.text.files import BadLines, open_write, read_lines

__all__ = ["Trained", "WordFiles", "train_normaliser"]

DEV_PAIRS, MODERN_LM, RESOLVED, RESULT = "dev.tsv", "modern.lm", "resolved.toml", "accuracy.txt"
FEWEST = 20  # training words


class WordFiles(NamedTuple):
    """What a normaliser is trained on."""

    pairs: Path | str
    dev_pairs: Path | str | None = None
    modern: Path | str | None = None


class Trained(NamedTuple):
    """What came of a training."""

    words: int
    types: int  # different words
    accuracy: float  # of different held-out words whose right form was offered, in percent
    bad_lines: int


@dataclass
class SpellingTraining:
    """The steps of a training, in their work folder."""

    work: Work
    files: WordFiles
    settings: SpellingSettings
    threads: int
    watch: Watch
    bad: BadLines = field(default_factory=BadLines)

    def prepare(self) -> None:
        """The pairs, the modern words and the settings that their size asks for."""
        reads = [file for file in self.files if file]
        makes = [PAIRS, RESOLVED, *([DEV_PAIRS] if self.files.dev_pairs else []),
                 *([MODERN_WORDS] if self.files.modern else [])]  # fmt: skip
        given = [self.settings, self.bad.skip]
        self.work.step("prepare", settings=given, reads=reads, makes=makes).run(self._prepare)
        text = self.work.path(RESOLVED).read_text(encoding="utf-8")
        self.settings = config.load(SpellingSettings, text)

    def _prepare(self) -> str:
        pairs = list(read_pairs(self.files.pairs, self.bad))
        if len(pairs) < FEWEST:
            raise InputError(
                f"{len(pairs)} words with modern forms are too few to learn from; give at least "
                f"{FEWEST}, better 500",
                path=self.files.pairs,
            )
        capitals = any(form != form.lower() for _, form in pairs)
        settings = self.settings.resolved(size=len(pairs), capitals=capitals)
        lower = settings.case == "lower"
        write_counts(self.work.path(PAIRS), _counted(pairs, lower=lower))
        if self.files.dev_pairs:
            held = read_pairs(self.files.dev_pairs, self.bad)
            write_counts(self.work.path(DEV_PAIRS), _counted(held, lower=lower))
        if self.files.modern:
            words = {w.lower() if lower else w for w in read_words(self.files.modern, self.bad)}
            if not words:
                raise InputError("there is no word in it", path=self.files.modern)
            with open_write(self.work.path(MODERN_WORDS)) as out:
                out.writelines(f"{word}\n".encode() for word in sorted(words))
        self.work.path(RESOLVED).write_text(config.dump(settings), encoding="utf-8")
        return f"{len(pairs):,} words"

    @cached_property
    def pairs(self) -> PairCounts:
        """The training pairs."""
        return PairCounts(read_counts(self.work.path(PAIRS)))

    @cached_property
    def modern_words(self) -> list[str]:
        """The modern words, in order; none without a list."""
        return list(read_lines(self.work.path(MODERN_WORDS))) if self.files.modern else []

    @cached_property
    def modern_model(self) -> LanguageModel | None:
        """The language model of modern words, if there are any."""
        return LanguageModel.load(self.work.path(MODERN_LM)) if self.files.modern else None

    @property
    def _reads(self) -> list[Path | str]:
        names = [PAIRS, *([MODERN_WORDS, MODERN_LM] if self.files.modern else [])]
        return self.work.paths(*names)

    def train_modern(self) -> None:
        """The language model of modern words."""
        if self.files.modern:
            self.work.step(
                "modern", settings=self.settings.modern_order,
                reads=self.work.paths(MODERN_WORDS), makes=[MODERN_LM],
            ).run(self._train_modern)  # fmt: skip

    def _train_modern(self) -> str:
        file = self.work.path(MODERN_LM)
        train_modern(
            self.modern_words, file, self.settings, threads=self.threads, report=self.watch.report
        )
        return f"{len(self.modern_words):,} modern words"

    def offer(self) -> None:
        """Candidates for the words of each part, from a model of the others."""
        for number, held in enumerate(self._parts):
            name = f"part {number + 1}"
            self.work.step(
                name, settings=[self.settings, number], reads=self._reads, makes=[_part(number)]
            ).run(lambda number=number, held=held: self._offer(number, held))  # type: ignore[misc]

    def _offer(self, number: int, held: Counter[tuple[str, str]]) -> str:
        found = offer(self.pairs, held, self.modern_model, self.settings, threads=self.threads)
        save_candidates(self.work.path(_part(number)), found)
        self.watch.report("held-out words", number + 1, self.settings.folds)
        return f"candidates for {len(found.words):,} held-out words"

    @cached_property
    def _parts(self) -> list[Counter[tuple[str, str]]]:
        return draw_parts(self.pairs, self.settings.folds, self.settings.seed)

    def train_characters(self) -> None:
        """The model of all pairs."""
        self.work.step(
            "characters", settings=self.settings, reads=self._reads, makes=[TABLE_NAME, LM_FILE]
        ).run(self._train_characters)

    def _train_characters(self) -> None:
        train_characters(
            self.pairs.counts, self.work.folder, self.settings,
            threads=self.threads, report=self.watch.report,
        )  # fmt: skip

    def learn(self) -> None:
        """The weights of all features."""
        lists = [_part(number) for number in range(self.settings.folds)]
        reads = [*self._reads, *self.work.paths(TABLE_NAME, LM_FILE, *lists)]
        if self.files.dev_pairs:
            reads += self.work.paths(DEV_PAIRS)
        self.work.step(
            "weights", settings=self.settings, reads=reads, makes=[SPELLING_WEIGHTS, RESULT]
        ).run(self._learn)

    def _learn(self) -> str:
        modern = frozenset(self.modern_words)
        features = SpellingFeatures(self.characters.names, modern, EditFeatures())
        learnt = learn(self._lists(), features, self.settings.learner)
        write_weights(self.work.path(SPELLING_WEIGHTS), learnt.weights)
        self.work.path(RESULT).write_text(f"{learnt.accuracy!r}\n", encoding="utf-8")
        return f"{len(learnt.weights):,} weights"

    def _lists(self) -> Iterator[Lists]:
        for number, held in enumerate(self._parts):
            found = load_candidates(self.work.path(_part(number)))
            yield Lists(found, self.pairs.without(held), held)
        if self.files.dev_pairs:
            held = Counter(read_counts(self.work.path(DEV_PAIRS)))
            words = sorted({word for word, _ in held})
            count = self.settings.candidates
            found = self.characters.candidates(words, count, threads=self.threads)
            yield Lists(found, self.pairs, held)

    @cached_property
    def characters(self) -> CharacterModel:
        """The translator of characters that all pairs have taught."""
        return CharacterModel.trained(self.work.folder, self.modern_model, self.settings)

    def assemble(self, out: Path) -> Trained:
        """Write the model directory: a translator of characters, and what ranks its candidates."""
        models = {LM: self.work.path(LM_FILE)}
        if self.files.modern:
            models[MODERN] = self.work.path(MODERN_LM)
        tables = {table_file(TABLE): self.work.path(TABLE_NAME)}
        tables |= {lm_file(name): path for name, path in models.items()}
        translator = TranslatorSettings(
            search=self.settings.search, tables=(TABLE,), language_models=tuple(models)
        )
        with new_model(out, tables) as folder:
            (folder / CONFIG).write_text(config.dump(translator), encoding="utf-8")
            (folder / SETTINGS).write_text(config.dump(self.settings), encoding="utf-8")
            write_weights(folder / WEIGHTS, {name: START[name] for name in self.characters.names})
            for name in (PAIRS, SPELLING_WEIGHTS, *([MODERN_WORDS] if self.files.modern else [])):
                shutil.copyfile(self.work.path(name), folder / name)
        accuracy = float(self.work.path(RESULT).read_text(encoding="utf-8"))
        counts = self.pairs.counts
        return Trained(counts.total(), len(self.pairs.words), accuracy, self.bad.count)


def _part(number: int) -> str:
    return f"part-{number + 1}.npz"


def _counted(pairs: Iterable[tuple[str, str]], *, lower: bool) -> Counter[tuple[str, str]]:
    if lower:
        pairs = ((word.lower(), form.lower()) for word, form in pairs)
    return Counter(pairs)


def train_normaliser(
    files: WordFiles,
    out: Path | str,
    *,
    settings: SpellingSettings,
    work: Path | str | None = None,
    bad: BadLines | None = None,
    threads: int = 1,
    watch: Watch | None = None,
) -> Trained:
    """Train a normaliser on word pairs, in the directory `out`.

    What each step makes is kept in the folder `work` (default: `out` with `.work` behind), so that
    a training that was stopped goes on where it was; the default folder is gone at the end.
    """
    out, watch = Path(out), watch or Watch()
    refuse_other(out)
    for path in files:
        if path and not Path(path).is_file():
            raise InputError("not a file; training reads files, and more than once", path=path)
    folder = Path(work) if work else out.absolute().with_name(f"{out.absolute().name}.work")
    with Work(folder, watch) as steps:
        training = SpellingTraining(steps, files, settings, threads, watch, bad or BadLines())
        training.prepare()
        training.train_modern()
        training.offer()
        training.train_characters()
        training.learn()
        trained = training.assemble(out)
    if not work:
        shutil.rmtree(folder)
    return trained
