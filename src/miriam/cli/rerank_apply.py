"""`miriam rerank apply`: the best candidates by weights."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING

import click

from miriam.cli.command import Command
from miriam.cli.nbest_columns import column_option, columns_of
from miriam.errors import InputError

if TYPE_CHECKING:
    from miriam.lexicon.vocabulary import Vocabulary
    from miriam.tune.lists import Candidates

SHOWN = 3  # names in a note


@click.command(cls=Command)
@click.option("--nbest", metavar="FILE", required=True, help="N-best lists to choose from.")
@click.option("--weights", metavar="FILE", required=True, help="Weights, `name value` a line.")
@column_option
@click.option(
    "--out", metavar="FILE", default="-", show_default=True, help="The best of each sentence."
)
@click.option("--nbest-out", metavar="FILE", help="The lists too, in their new order.")
def command(
    nbest: str, weights: str, columns: tuple[str, ...], out: str, nbest_out: str | None
) -> None:
    """Choose the best candidates by weights.

    Sentence i of the n-best lists becomes line i + 1; a sentence without candidates, an empty line.

    \b
    miriam rerank apply --nbest test.nbest --weights weights --out test.en
    """  # noqa: D301
    from miriam.features.weights import read_weights
    from miriam.lexicon.vocabulary import Vocabulary
    from miriam.text.files import open_write
    from miriam.tune.files import read_nbest, write_nbest
    from miriam.tune.rerank import apply

    by_name = read_weights(weights)
    names = Vocabulary()
    sentences = read_nbest(nbest, names, columns=columns_of(columns))
    reranked = apply(sentences, by_name, names)
    with ExitStack() as stack:
        best = stack.enter_context(open_write(out))
        lists = _write_best(reranked, best, nbest)
        lists = _with_strangers_told(lists, names, by_name, nbest, weights)
        if nbest_out:
            write_nbest(nbest_out, lists, names)
        for _ in lists:
            pass


def _write_best(sentences: Iterator[Candidates], out: IO[bytes], path: str) -> Iterator[Candidates]:
    """The lists, while the first candidate of each goes to its line of the output."""
    line = 0
    for candidates in sentences:
        if candidates.sentence < line:
            raise InputError(
                f"sentence {candidates.sentence} comes after sentence {line - 1}; "
                "sort the n-best file by sentence",
                path=path,
            )
        out.write(b"\n" * (candidates.sentence - line) + candidates.texts[0].encode() + b"\n")
        line = candidates.sentence + 1
        yield candidates


def _with_strangers_told(
    lists: Iterator[Candidates],
    names: Vocabulary,
    weights: Mapping[str, float],
    nbest: str,
    path: str,
) -> Iterator[Candidates]:
    """The lists; then features without weight and weights without feature, an error if all are."""
    yield from lists
    features = [names.word(i) for i in range(len(names))]
    unweighted = [name for name in features if name not in weights]
    unused = [name for name in weights if names.find(name) is None]
    if len(unweighted) == len(features):
        its = f"none of its weights ({_listed(unused)}) is" if unused else "there is no weight"
        raise InputError(f"{its} of a feature of {nbest} ({_listed(features)})", path=path)
    if unweighted:
        _note(f"features of {nbest} without a weight in {path}: {_listed(unweighted)}")
    if unused:
        _note(f"weights of {path} without a feature in {nbest}: {_listed(unused)}")


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _note(text: str) -> None:
    print(f"miriam: {text}", file=sys.stderr)
