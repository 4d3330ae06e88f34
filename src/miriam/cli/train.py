"""`miriam train`: from two files of text to a tuned translator, and how good it is."""

from __future__ import annotations

import click

from miriam.cli.command import Command, ManyOption, json_option, on_bad_option, threads_option

__all__ = ["command"]


@click.command(cls=Command)
@click.option("--source", metavar="F", help="Sentences to translate from.")
@click.option("--target", metavar="F", help="Their translations, line by line.")
@click.option("--out", required=True, metavar="DIR", help="The model directory to write.")
@click.option("--mono", cls=ManyOption, default=[],
              help="More text of the target language, for the language model.")  # fmt: skip
@click.option("--domains", metavar="F", help="The names of the domains of each pair, which become "
              "labels of rules: no rule is extracted or scored otherwise.")  # fmt: skip
@click.option("--tokens", is_flag=True, help="The text is tokenised, and its case is right.")
@click.option("--tune-source", metavar="F", help="Sentences to learn weights on.  [default: drawn "
              "from the corpus]")  # fmt: skip
@click.option("--tune-references", cls=ManyOption, default=[], help="Their translations.")
@click.option("--dev-source", metavar="F", help="Sentences that choose the best epoch.  "
              "[default: those to learn weights on]")  # fmt: skip
@click.option("--dev-references", cls=ManyOption, default=[], help="Their translations.")
@click.option("--test-source", metavar="F", help="Sentences to score the result on.  [default: "
              "drawn from the corpus]")  # fmt: skip
@click.option("--test-references", cls=ManyOption, default=[], help="Their translations.")
@click.option("--pairs", metavar="F", help="For --preset characters: a table of words and their "
              "modern forms, with a tab between.")  # fmt: skip
@click.option("--dev-pairs", metavar="F", help="More such pairs, to learn weights on only.")
@click.option("--modern", metavar="F", help="Modern words, or modern text.")
@click.option("--no-tune", is_flag=True, help="Do not learn weights; the corpus stays whole.")
@click.option("--work", metavar="DIR", help="Keep what each step makes in this folder, to train "
              "again with other settings.  [default: DIR.work, removed at the end]")  # fmt: skip
@click.option("--preset", metavar="NAME", default="words", show_default=True,
              help="Ready settings: words, hierarchical, or characters for spelling.")  # fmt: skip
@click.option("--config", "config_file", metavar="F", help="Settings, as TOML; they lie on the "
              "preset's.")  # fmt: skip
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE",
              help="Change one setting, as in --set lm.order=4.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), help="Seed of every random choice.  "
              "[default: 1]")  # fmt: skip
@on_bad_option
@threads_option
@json_option
def command(
    source: str | None, target: str | None, out: str, mono: tuple[str, ...],
    domains: str | None, tokens: bool,
    tune_source: str | None, tune_references: tuple[str, ...], dev_source: str | None,
    dev_references: tuple[str, ...], test_source: str | None, test_references: tuple[str, ...],
    pairs: str | None, dev_pairs: str | None, modern: str | None, no_tune: bool, work: str | None,
    preset: str, config_file: str | None,
    overrides: tuple[str, ...], seed: int | None, on_bad: str, threads: int, as_json: bool,
) -> None:  # fmt: skip
    """Train a translator from parallel text: one sentence a line, in two files.

    Raw text is tokenised by the language that ends the file's name (train.de), and truecased. Where
    no files are given to learn weights and to score the result on, pairs are drawn from the corpus
    and set aside. A training that was stopped goes on where it was when the same command is given
    again.

    \b
    miriam train --source train.de --target train.en --out de-en
    miriam translate --model de-en < new.de
    miriam train --preset characters --pairs pairs.tsv --modern words.txt --out german
    miriam normalise --model german < old.txt
    """  # noqa: D301
    if preset == "characters" or pairs:
        from miriam.cli.train_spelling import refuse_others, train_spelling

        refuse_others(preset, pairs, click.get_current_context().params)
        train_spelling(
            (str(pairs), dev_pairs, modern), out, config_file=config_file, overrides=overrides,
            seed=seed, work=work, skip=on_bad == "skip", threads=threads, as_json=as_json,
        )  # fmt: skip
        return
    from miriam.cli.summary import as_record, print_summary
    from miriam.cli.watching import watched
    from miriam.pipeline.resolve import data_overrides, resolve, set_overrides
    from miriam.pipeline.train import How, train_model

    files = [
        *data_overrides(source=source, target=target, domains=domains, mono=mono),
        *set_overrides("data.tuning", "tune", tune_source, tune_references),
        *set_overrides("data.development", "dev", dev_source, dev_references),
        *set_overrides("data.tests.test", "test", test_source, test_references),
    ]
    seeds = [] if seed is None else [f"seed={seed}", f"classes.seed={seed}"]
    with watched() as watch:
        plan = resolve(
            config_file, preset=preset, overrides=[*files, *seeds, *overrides],
            tokens=tokens, tune=not no_tune,
        )  # fmt: skip
        how = How(work=work, skip=on_bad == "skip", threads=threads, watch=watch)
        run = train_model(plan, out, how)
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(as_record(run))))
        return
    print_summary(run)
    click.echo(f"{out} is ready: miriam translate --model {out} < text")
