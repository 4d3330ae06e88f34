"""The command line: one file a command, each imported only when it is called."""

from __future__ import annotations

import os
import signal
import sys

import click

# Before NumPy comes: threads of its own would cost more than they bring, and change last digits.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from miriam.cli.command import LazyGroup
from miriam.errors import MiriamError
from miriam.version import __version__

__all__ = ["main"]

# name: (module, what `miriam --help` says of it)
COMMANDS: dict[str, tuple[str, str]] = {
    "train": ("miriam.cli.train", "Train a translator from parallel text."),
    "tune": ("miriam.cli.tune", "Learn the weights of a model from sentences and references."),
    "translate": ("miriam.cli.translate", "Translate text, a sentence a line."),
    "normalise": ("miriam.cli.normalise", "Give old spellings their modern form."),
    "explain": ("miriam.cli.explain", "Show why a sentence is translated as it is."),
    "weights": ("miriam.cli.weights", "Show what weighs in a model, by template and by group."),
    "check": ("miriam.cli.check", "Verify that a model is whole."),
    "corpus": ("miriam.cli.corpus", "Look at a bitext, clean it, set parts of it aside."),
    "select": ("miriam.cli.select", "Choose the lines of a large text that are like a small one."),
    "cluster": ("miriam.cli.cluster", "Learn word classes from text, or read maps of other tools."),
    "align": ("miriam.cli.align", "Align the words of a bitext, or learn an aligner from it."),
    "extract": (
        "miriam.cli.extract",
        "Extract scored translation rules from an aligned corpus.",
    ),
    "rules": ("miriam.cli.rules", "Look into a rule table, or read one from a grammar."),
    "export": ("miriam.cli.export", "Write a rule table as text, for people and other tools."),
    "evaluate": (
        "miriam.cli.evaluate",
        "Score translations against references, with significance.",
    ),
    "lm": ("miriam.cli.lm", "Language models: estimate, query, convert."),
    "rerank": (
        "miriam.cli.rerank",
        "Choose among the translations that any system offers.",
    ),
    "report": ("miriam.cli.report", "Write a page on what a run has changed, and why."),
    "analyze": ("miriam.cli.analyze", "Ask what runs, references and systems have in common."),
    "runs": ("miriam.cli.runs", "List runs and compare them: settings, scores, times."),
    "plot": ("miriam.cli.plot", "Draw the charts of a report as PNG or SVG."),
    "import-moses": ("miriam.cli.import_moses", "Make a model of a Moses model."),
    "demo": ("miriam.cli.demo", "Show what Miriam does: early modern to modern English."),
}


@click.group(cls=LazyGroup, commands_by_module=COMMANDS)
@click.version_option(__version__, prog_name="miriam")
def miriam() -> None:
    """Statistical machine translation that is fast, small, exact and explains itself."""


def main() -> None:
    """Run a command; every failure is one sentence on standard error and status 1 or 2."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up as after Ctrl-C
    try:
        status = miriam.main(standalone_mode=False, prog_name="miriam")
        sys.stdout.flush()
    except Exception as error:
        if "--debug" in sys.argv[1:]:
            raise
        if isinstance(error, BrokenPipeError):
            # The reader of our output has gone; there is nobody to tell, and nothing to flush.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        message, status = _sentence(error)
        print(f"miriam: {message}", file=sys.stderr)
    except KeyboardInterrupt:
        print("miriam: interrupted; no output file was left half-written", file=sys.stderr)
        status = 1
    sys.exit(status)


def _sentence(error: Exception) -> tuple[str, int]:
    """What to tell a person of an error, and the exit status."""
    if isinstance(error, MiriamError):
        return str(error), error.exit_status
    if isinstance(error, click.Abort):
        return "interrupted; no output file was left half-written", 1
    if isinstance(error, click.UsageError):
        where = f"; see `{error.ctx.command_path} --help`" if error.ctx else ""
        return error.format_message().rstrip(".") + where, 2
    if isinstance(error, click.ClickException):
        return error.format_message(), error.exit_code
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror[:1].lower()}{error.strerror[1:]}", 1
    if isinstance(error, MemoryError):
        return "out of memory; a smaller --memory or fewer --threads may help", 1
    return f"an error in Miriam itself, {type(error).__name__}: {error}; --debug shows where", 1
