"""`miriam evaluate`: scores of translations, with significance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast, get_args

import click

from miriam.cli.command import Command, ManyOption, json_option, on_bad_option
from miriam.config import nearest
from miriam.errors import ConfigError, InputError
from miriam.text.files import BadLines, read_parallel

if TYPE_CHECKING:
    from miriam.metrics import CorpusMetric, Evaluation, Significance, Tokenizer


@click.command(cls=Command)
@click.option(
    "--hypothesis",
    cls=ManyOption,
    required=True,
    help="Translations to score, one sentence a line; each file is a system.",
)
@click.option(
    "--references",
    cls=ManyOption,
    required=True,
    help="Reference translations, line by line; F stands for F.0, F.1, ... too.",
)
@click.option(
    "--baseline", metavar="FILE", help="A system to test the others against, for significance."
)
@click.option(
    "--metric",
    "names",
    cls=ManyOption,
    metavar="NAME",
    default=["bleu,chrf,ter"],
    help="bleu, chrf, ter, wer, cer (error rates of words and characters) or accuracy "
    "(whole lines); several by blanks or commas.  [default: bleu,chrf,ter]",
)
@click.option(
    "--source",
    metavar="F",
    help="Of words one a line: the words before, to score unchanged and changed ones apart.",
)
@click.option(
    "--pairs",
    metavar="F",
    help="With --source: the table of a normaliser's training, to score known and unknown apart.",
)
@click.option(
    "--tokenize",
    metavar="NAME",
    default="13a",
    show_default=True,
    help="SacreBLEU's tokeniser for bleu and wer: 13a, none, intl, zh, char, ...",
)
@click.option(
    "--tokens", is_flag=True, help="The text is tokenised already; the same as --tokenize none."
)
@click.option(
    "--lowercase/--cased",
    default=None,
    help="Ignore case in all metrics, or in none.  [default: in ter only, as sacreBLEU]",
)
@click.option(
    "--seed",
    type=click.IntRange(min=1),
    default=12345,
    show_default=True,
    help="Seed of the tests' random choices; the default is sacreBLEU's.",
)
@on_bad_option
@json_option
def command(
    hypothesis: tuple[str, ...],
    references: tuple[str, ...],
    baseline: str | None,
    names: tuple[str, ...],
    source: str | None,
    pairs: str | None,
    tokenize: str,
    tokens: bool,
    lowercase: bool | None,
    seed: int,
    on_bad: str,
    as_json: bool,
) -> None:
    """Score translations against references.

    With --baseline, each score comes with its 95% interval by bootstrap, and with the probability
    that a difference from the baseline this large is chance, by paired approximate randomisation
    and by paired bootstrap. Scores and probabilities are sacreBLEU's.

    \b
    miriam evaluate --hypothesis ours.en --baseline theirs.en --references dev.en.0 dev.en.1
    """  # noqa: D301
    from miriam.cli.evaluations import print_evaluations
    from miriam.corpus.references import reference_files
    from miriam.metrics import Significance, evaluate

    metrics = _metrics(names, "none" if tokens else tokenize, lowercase)
    systems = [*([baseline] if baseline else []), *(h for h in hypothesis if h != baseline)]
    if baseline and len(systems) == 1:
        raise ConfigError("--hypothesis names no system but the baseline")
    if len(systems) > len(set(systems)):
        raise ConfigError("--hypothesis names a file twice")
    if pairs and not source:
        raise ConfigError("--pairs needs --source, the words that were normalised")
    bad = BadLines(skip=on_bad == "skip")
    words = [source] if source else []
    columns = _read([*systems, *map(str, reference_files(references)), *words], bad)
    before = columns.pop() if source else ()
    tests = Significance(seed=seed) if baseline else None
    named = dict(zip(systems, columns, strict=False))
    evaluations = evaluate(metrics, named, columns[len(systems) :], tests=tests)
    if source:
        evaluations += _by_kind(before, pairs, (metrics, named, columns[len(systems) :], tests))
    if as_json:
        import msgspec

        result = {"lines": len(columns[0]), "bad_lines": bad.count, "metrics": evaluations}
        click.echo(msgspec.json.format(msgspec.json.encode(result)).decode())
    else:
        print_evaluations(evaluations, tests)


def _by_kind(
    words: Sequence[str], pairs: str | None,
    scored: tuple[list[CorpusMetric], dict[str, tuple[str, ...]], list[tuple[str, ...]],
                  Significance | None],
) -> list[Evaluation]:  # fmt: skip
    """Evaluations of the kinds of words there are."""
    from miriam.metrics.kinds import evaluate_kinds, kinds_of

    metrics, systems, references, tests = scored
    known = None
    if pairs:
        from miriam.pipeline.spelling.pairs import read_pairs, shown

        learnt = {word.lower() for word, _ in read_pairs(pairs)}

        def known(word: str) -> bool:
            return shown(word).lower() in learnt

    kinds = kinds_of(words, references[0], known)
    return evaluate_kinds(metrics, systems, references, kinds, tests=tests)


def _metrics(names: Sequence[str], tokenize: str, lowercase: bool | None) -> list[CorpusMetric]:
    """The metrics of these names, with the settings that apply to each."""
    from miriam.metrics import CorpusMetric

    known_tokenizer(tokenize)
    kinds = {str(k.__struct_config__.tag): k for k in get_args(CorpusMetric)}
    wanted = [name.strip() for listed in names for name in listed.split(",")]
    for name in wanted:
        if name not in kinds:
            raise ConfigError(f"--metric {name!r}: not known; {nearest(name, kinds)}")
    settings: dict[str, Any] = {"tokenize": tokenize}
    if lowercase is not None:
        settings["lowercase"] = lowercase
    metrics = []
    for name in dict.fromkeys(wanted):
        kind = kinds[name]
        metrics.append(kind(**{k: v for k, v in settings.items() if k in kind.__struct_fields__}))
    return metrics


def known_tokenizer(name: str) -> Tokenizer:
    """The tokeniser of this name, refused if there is none."""
    from miriam.metrics import Tokenizer

    if name not in (known := get_args(Tokenizer)):
        raise ConfigError(f"--tokenize {name!r}: not known; {nearest(name, known)}")
    return cast("Tokenizer", name)


def _read(files: Sequence[str], bad: BadLines) -> list[tuple[str, ...]]:
    """The lines of each file, all of them sound, before the work begins."""
    if files.count("-") > 1:
        raise ConfigError("standard input (-) can be only one of the files")
    rows = list(read_parallel(files, bad))
    if bad.count:
        click.echo(f"miriam: bad lines left out: {bad.count:,}", err=True)
    if not rows:
        raise InputError("no line is left" if bad.count else "the file is empty", path=files[0])
    return list(zip(*rows, strict=True))
