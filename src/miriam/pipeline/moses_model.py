"""Moses models as model directories: text tables, ARPA files, and the weights of `moses.ini`.

The values of our features are those of Moses', but for the unknown-word penalty, which Moses counts
as -100 a word and we as -1: its weight becomes a hundred times as large.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from miriam import config
from miriam.errors import InputError
from miriam.features.weights import write_weights
from miriam.lexicon.vocabulary import Vocabulary, encode
from miriam.lm.arpa import read_arpa
from miriam.lm.model import write_model
from miriam.model.directory import new_model, refuse_other
from miriam.model.weights import fit_weights
from miriam.pipeline.moses_ini import MosesFeature, MosesIni, read_moses_ini
from miriam.pipeline.settings import TranslatorSettings
from miriam.pipeline.translator import CONFIG, WEIGHTS, Translator, lm_file, table_file
from miriam.progress import Report, silent
from miriam.rules.moses_import import import_moses
from miriam.rules.table import TABLE_NAME, RuleTable
from miriam.search.settings import SearchSettings
from miriam.text.files import read_lines

__all__ = ["import_moses_model"]

TABLES = ("PhraseDictionaryMemory",)
MODELS = ("KENLM", "SRILM", "IRSTLM")
REORDERING = "LexicalReordering"
OWN = {
    "Distortion": ("LinearDistortion", 1.0),
    "WordPenalty": ("WordPenalty", 1.0),
    "PhrasePenalty": ("PhrasePenalty", 1.0),
    "UnknownWordPenalty": ("UnknownWord", 100.0),
}
FACTORS = ("input-factor", "output-factor", "factor")
MOSES_MAX_PHRASE, MOSES_DISTORTION, MOSES_TABLE_LIMIT = 20, 6, 20


def import_moses_model(
    ini_path: Path | str, out: Path | str, *, report: Report = silent
) -> Translator:
    """The translator of a Moses model, as a model directory.

    It takes and gives tokens as Moses does, escapes (`&apos;`) included.
    """
    out = Path(out)
    refuse_other(out)
    ini = read_moses_ini(ini_path)
    _refuse_unknown(ini)
    weights: dict[str, float] = {}
    with tempfile.TemporaryDirectory(dir=out.absolute().parent, prefix=".moses-") as name:
        folder = Path(name)
        tables = _import_tables(ini, folder, weights, report)
        tables.update(_import_models(ini, folder, weights, report))
        for feature in ini.of_kind(*OWN):
            ours, factor = OWN[feature.kind]
            if feature.kind == "UnknownWordPenalty" and feature.name not in ini.weights:
                ini.weights[feature.name] = [1.0]
            weights[ours] = factor * ini.weights_of(feature, 1)[0]
        settings = _settings(ini)
        with new_model(out, tables) as inside:
            (inside / CONFIG).write_text(config.dump(settings), encoding="utf-8")
            features = Translator.features_of(inside, settings)
            # A feature that Moses' model lacks, such as a penalty, weighs nothing.
            fitted = fit_weights(weights, features, path=ini.path, allow_missing=True)
            write_weights(inside / WEIGHTS, fitted)
    return Translator(out)


def _refuse_unknown(ini: MosesIni) -> None:
    known = {*TABLES, *MODELS, *OWN, REORDERING}
    for feature in ini.features:
        if feature.kind not in known:
            cure = ""
            if feature.kind.startswith("PhraseDictionary"):
                cure = "; give the text table, as a PhraseDictionaryMemory"
            raise InputError(
                f"features of the kind {feature.kind} cannot be imported{cure}",
                path=ini.path, line=feature.line,
            )  # fmt: skip
        factors = {feature.arguments.get(key, "0") for key in FACTORS}
        if factors != {"0"}:
            raise InputError(
                f"{feature.name} has factors; only words (factor 0) can be imported",
                path=ini.path, line=feature.line,
            )  # fmt: skip
    if not ini.of_kind(*TABLES):
        raise InputError("the model has no phrase table", path=ini.path)


def _import_tables(
    ini: MosesIni, folder: Path, weights: dict[str, float], report: Report
) -> dict[str, Path]:
    """The rule tables by their names in the model; each gets the scores of all orientations."""
    reordering = [_named_by_type(ini, feature, folder) for feature in ini.of_kind(REORDERING)]
    features = ini.of_kind(*TABLES)
    words = _common_words([ini.file(feature) for feature in features])
    tables = {}
    for feature in features:
        inside = folder / feature.name
        table = import_moses(
            ini.file(feature), inside, reordering=reordering, words=words, report=report
        )
        _weigh_table(ini, feature, table, weights)
        tables[table_file(feature.name)] = inside / TABLE_NAME
    return tables


def _weigh_table(
    ini: MosesIni, feature: MosesFeature, table: RuleTable, weights: dict[str, float]
) -> None:
    """Weights of a table's scores, and of the orientations that were joined to it."""
    columns = [f"{feature.name}:{name}" for name in table.score_names]
    orientations = [c for c in columns if "." in c]
    own = columns[: len(columns) - len(orientations)]
    weights.update(zip(own, ini.weights_of(feature, len(own)), strict=True))
    begin = 0
    for reordering in ini.of_kind(REORDERING):
        kind = orientations[begin].partition(":")[2].partition(".")[0]
        width = sum(c.partition(":")[2].partition(".")[0] == kind for c in orientations[begin:])
        values = ini.weights_of(reordering, width)
        weights.update(zip(orientations[begin : begin + width], values, strict=True))
        begin += width


def _common_words(paths: Iterable[Path]) -> tuple[Vocabulary, Vocabulary] | None:
    """The words of several tables; None for one table, which knows its own."""
    paths = list(paths)
    if len(paths) == 1:
        return None
    words = (Vocabulary(), Vocabulary())
    for path in paths:
        rows = (line.split("|||")[:2] for line in read_lines(path))
        encode(((" ".join(a.split()), " ".join(b.split())) for a, b in rows), words)
    return words


def _named_by_type(ini: MosesIni, feature: MosesFeature, folder: Path) -> Path:
    """The reordering table under a name that tells its type."""
    kind = feature.arguments.get("type")
    if not kind:
        raise InputError(f"{feature.name} has no type=", path=ini.path, line=feature.line)
    path = ini.file(feature)
    link = folder / f"{feature.name}.{kind}{path.suffix if path.suffix in ('.gz', '.zst') else ''}"
    link.symlink_to(path.absolute())
    return link


def _import_models(
    ini: MosesIni, folder: Path, weights: dict[str, float], report: Report
) -> dict[str, Path]:
    """The language models by their names in the model directory."""
    tables = {}
    for number, feature in enumerate(ini.of_kind(*MODELS), 1):
        path = folder / f"{feature.name}.lm"
        built, _ = read_arpa(ini.file(feature))
        write_model(path, built)
        weights[feature.name] = ini.weights_of(feature, 1)[0]
        tables[lm_file(feature.name)] = path
        report(f"reading {ini.file(feature).name}", number, number)
    return tables


def _settings(ini: MosesIni) -> TranslatorSettings:
    """How Moses searched, as far as our decoder has the same settings."""
    tables = ini.of_kind(*TABLES)
    limits = [int(t.arguments.get("table-limit", MOSES_TABLE_LIMIT)) for t in tables]
    jump = ini.number("distortion-limit")
    jump = MOSES_DISTORTION if jump is None else jump
    search = SearchSettings(
        pops=ini.number("cube-pruning-pop-limit") or SearchSettings().pops,
        stack=ini.number("stack") or 0,
        distortion_limit=None if jump < 0 else jump,
        max_phrase=ini.number("max-phrase-length") or MOSES_MAX_PHRASE,
        considered=0,
        rule_limit=max(limits) or SearchSettings().rule_limit,
        unknown="drop" if "drop-unknown" in ini.sections else "copy",
    )
    return TranslatorSettings(
        search=search,
        tables=tuple(feature.name for feature in tables),
        language_models=tuple(feature.name for feature in ini.of_kind(*MODELS)),
    )
