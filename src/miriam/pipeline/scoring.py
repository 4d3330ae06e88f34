"""How good a model is on test sets: translated, and scored against their references."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from miriam.analysis.run import SCORES, Score, write_json
from miriam.corpus.references import reference_files
from miriam.errors import InputError
from miriam.metrics import Bleu, Chrf, Metric, evaluate
from miriam.model.directory import MANIFEST
from miriam.pipeline.settings import TextFiles
from miriam.pipeline.steps import Work
from miriam.pipeline.translator import Translator
from miriam.text.files import open_write, read_lines, read_parallel

__all__ = ["score", "translations"]

BATCH = 200  # sentences between two reports


def translations(test: str) -> str:
    """The file of what the model makes of a test set."""
    return f"{test}.translated"


def score(
    work: Work,
    tests: Mapping[str, TextFiles],
    models: Mapping[str, str],
    *,
    tokens: bool,
    threads: int,
) -> None:
    """The scores of models, by what they are called; the last one's translations are kept.

    `tokens`: the texts are tokenised as the models' are.
    """
    if not tests:
        return
    files = {
        name: [t.source, *map(str, reference_files(t.references))] for name, t in tests.items()
    }
    reads: list[Path | str] = [
        *(work.path(model) / MANIFEST for model in models.values()),
        *(file for row in files.values() for file in row),
        *(t.domains for t in tests.values() if t.domains),
    ]
    makes = [SCORES, *map(translations, files)]
    step = work.step("evaluate", settings=[*files, tokens], reads=reads, makes=makes)
    domains = {name: list(read_lines(t.domains)) for name, t in tests.items() if t.domains}
    scorer = Scorer(work, models, domains, tokens=tokens, threads=threads)
    step.run(lambda: scorer.run(files))


class Scorer:
    """Translates test sets with some models, and scores the translations."""

    def __init__(
        self,
        work: Work,
        models: Mapping[str, str],
        domains: Mapping[str, list[str]],
        *,
        tokens: bool,
        threads: int,
    ) -> None:
        self.work, self.models, self.domains = work, models, domains
        self.tokens, self.threads = tokens, threads

    def run(self, files: Mapping[str, list[str]]) -> str:
        """Write scores and translations; the scores of the last model, for a person."""
        scores: list[Score] = []
        for name, paths in files.items():
            scores += self._test(name, paths)
        write_json(self.work.path(SCORES), scores)
        return ", ".join(f"{s.test} {s.metric} {s.score:.2f}" for s in scores)

    def _test(self, name: str, paths: list[str]) -> list[Score]:
        rows = list(read_parallel(paths))
        if not rows:
            raise InputError("no sentences to score", path=paths[0])
        source, *references = map(list, zip(*rows, strict=True))
        systems = {
            what: self._translated(self.work.path(folder), name, what, source)
            for what, folder in self.models.items()
        }
        *_, best = systems.values()
        with open_write(self.work.path(translations(name))) as out:
            out.writelines(f"{line}\n".encode() for line in best)
        metrics: list[Metric] = [Bleu(tokenize="none" if self.tokens else "13a"), Chrf()]
        self.work.watch.report(f"scoring {name}", 0, 0)
        found = []
        for row in evaluate(metrics, systems, references):
            *before, last = (verdict.score for verdict in row.systems.values())
            untuned = before[0] if before else None
            found.append(
                Score(test=name, metric=row.metric, score=last, untuned=untuned,
                      signature=row.signature)
            )  # fmt: skip
        return found

    def _translated(self, model: Path, name: str, what: str, source: list[str]) -> list[str]:
        translator = Translator(model)
        found: list[str] = []
        domains = self.domains.get(name)
        if domains is not None and len(domains) != len(source):
            raise InputError(
                f"{len(domains):,} lines of domains for the {len(source):,} sentences of {name}"
            )
        while len(found) < len(source):
            part = slice(len(found), len(found) + BATCH)
            found += translator.translate(
                source[part], threads=self.threads, tokens=self.tokens,
                domains=domains and domains[part],
            )  # fmt: skip
            self.work.watch.report(f"translating {name}, {what}", len(found), len(source))
        return found
