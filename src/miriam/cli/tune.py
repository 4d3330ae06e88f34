"""`miriam tune`: the weights of a model, learnt from sentences and their references."""

from __future__ import annotations

from contextlib import ExitStack

import click

from miriam.cli.command import Command, ManyOption, seed_option, threads_option
from miriam.cli.tuning import learner_options, list_option, log_to, tuning_settings
from miriam.errors import ConfigError, MiriamError

__all__ = ["command"]


@click.command(cls=Command)
@click.option("--model", metavar="DIR", required=True, help="The model to tune.")
@click.option("--source", metavar="F", required=True, help="Sentences to tune on.")
@click.option("--references", cls=ManyOption, required=True, help="Their translations.")
@click.option("--dev-source", metavar="F", help="Sentences that choose the best epoch.  "
              "[default: those to tune on]")  # fmt: skip
@click.option("--dev-references", cls=ManyOption, default=[], help="Their translations.")
@click.option("--out", metavar="DIR", help="Write the tuned model here.  [default: --model]")
@click.option("--tokens", is_flag=True, help="The text is tokens, as the model knows them.")
@click.option("--features", metavar="SET", help="The model's features from now on: dense, 2013, "
              "extended, extended+lexical or domains.  [default: those it has]")  # fmt: skip
@click.option("--model-set", "model_overrides", multiple=True, metavar="PATH=VALUE",
              help="Another setting of the model from now on, as in --model-set "
              "search.pops=1000.")  # fmt: skip
@click.option("--domains", metavar="F", help="The domain of each sentence to tune on, for features "
              "of domains.  [default: as the model classifies it]")  # fmt: skip
@click.option("--dev-domains", metavar="F", help="The same of the development sentences.")
@learner_options
@click.option("--log", metavar="FILE", help="Write progress as JSON lines.")
@list_option
@seed_option
@threads_option
def command(
    model: str, source: str, references: tuple[str, ...], dev_source: str | None,
    dev_references: tuple[str, ...], out: str | None, tokens: bool, features: str | None,
    model_overrides: tuple[str, ...], domains: str | None, dev_domains: str | None, algorithm: str,
    loss: str | None, updater: str | None, regulariser: str | None, config: str | None,
    overrides: tuple[str, ...], log: str | None, seed: int, threads: int,
) -> None:  # fmt: skip
    """Learn weights with which a model translates the sentences as their references do.

    The weights that it had stay beside the new ones, as weights.untuned.txt. An online run that is
    interrupted goes on where it was when the same call is given again.

    \b
    miriam tune --model de-en --source dev.de --references dev.en
    miriam tune --model de-en --source dev.de --references dev.en.0 dev.en.1 --out tuned \
      --loss expected --set learner.epochs=10
    """  # noqa: D301
    from miriam.cli.watching import watched
    from miriam.pipeline.tune import Texts, tune_model
    from miriam.tune.run import Run
    from miriam.tune.settings import DecoderTuning

    if bool(dev_source) != bool(dev_references):
        raise ConfigError("--dev-source and --dev-references belong together")
    if dev_domains and not dev_source:
        raise ConfigError("--dev-domains needs --dev-source, the sentences")
    pieces = {"loss": loss, "updater": updater, "regulariser": regulariser}
    settings = tuning_settings(DecoderTuning, config, algorithm, pieces, overrides)
    development = Texts(dev_source, dev_references, tokens, dev_domains) if dev_source else None
    with watched() as watch, ExitStack() as stack:
        watch.begin("tune")
        tuned = tune_model(
            model,
            Texts(source, references, tokens, domains),
            development=development,
            out=out,
            overrides=model_overrides,
            settings=settings,
            features=features,
            run=Run(seed, threads, log_to(log, stack, watch.log), report=watch.report),
        )
    kept = f"epoch {tuned.epoch} is the best" if tuned.epoch else "no epoch beat the first weights"
    score = "" if tuned.score is None else f", score {tuned.score:.2f}"
    click.echo(f"{out or model}: {kept}{score}", err=True)
    if tuned.stopped:
        click.echo(f"stopped early: {tuned.stopped}", err=True)
    if not tuned.weights:
        raise MiriamError("no weights are left")
