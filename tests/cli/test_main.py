"""The command line as a whole: help, wrong calls, and how a failure is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from conftest import Miriam
from miriam import __version__
from miriam.cli import COMMANDS, _sentence
from miriam.cli.command import Command
from miriam.errors import ConfigError, InputError, ModelError


def leaves(command: click.Command) -> list[click.Command]:
    """The command itself, or the commands of a group and of its groups."""
    if not isinstance(command, click.Group):
        return [command]
    context = click.Context(command)
    subcommands = [command.get_command(context, name) for name in command.list_commands(context)]
    return [leaf for subcommand in subcommands if subcommand for leaf in leaves(subcommand)]


def test_help_lists_every_command(miriam: Miriam) -> None:
    for arguments in (["--help"], []):
        result = miriam(*arguments)
        assert (result.returncode, result.stderr) == (0, "")
        for name, (_, what) in COMMANDS.items():
            assert f"  {name} " in result.stdout
            assert what in " ".join(result.stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    commands = leaves(pytest.importorskip(COMMANDS[name][0]).command)
    assert commands
    for command in commands:
        assert isinstance(command, Command), "lacks --debug; use cls=Command"
        assert command.help
        assert "\\b" not in command.help, "click's mark for lines as they are is the character \\b"
        options = [param for param in command.params if isinstance(param, click.Option)]
        assert all(option.help for option in options), options


def test_version(miriam: Miriam) -> None:
    assert miriam("--version").stdout.split()[-1] == __version__


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["translat"], "No such command 'translat'"),
        (["--loud"], "No such option '--loud'"),
        (["corpus", "cleen"], "No such command 'cleen'"),
        (["corpus", "stats"], "Missing option '--source'; see `miriam corpus stats --help`"),
        (["corpus", "stats", "--sorce", "a"], "No such option '--sorce'"),
        (["corpus", "stats", "--on-bad", "cry"], "'cry' is not one of 'error', 'skip'"),
        (["corpus", "stats", "extra", "--source", "a", "--target", "b"], "unexpected extra"),
    ],
)
def test_a_wrong_call_is_one_sentence_and_status_2(
    miriam: Miriam, arguments: list[str], message: str
) -> None:
    assert message in miriam.fails(2, *arguments)


def test_a_missing_file_is_one_sentence(miriam: Miriam) -> None:
    call = ["corpus", "stats", "--source", "/no/such.de", "--target", "/no/such.en"]
    assert miriam.fails(1, *call) == "/no/such.de: no such file or directory"


def test_debug_shows_the_traceback(miriam: Miriam) -> None:
    call = ["corpus", "stats", "--source", "/no/such.de", "--target", "/no/such.en", "--debug"]
    result = miriam(*call)
    assert result.returncode == 1
    assert "Traceback" in result.stderr
    assert "FileNotFoundError" in result.stderr


def test_a_reader_that_goes_is_no_failure_to_tell(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("".join(f"sentence {i}\n" for i in range(200_000)))
    command: list[str | Path] = [
        sys.executable, "-m", "miriam", "corpus", "clean", "--source", tmp_path / "a",
        "--target", tmp_path / "a", "--out-source", "-", "--out-target", tmp_path / "out",
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"sentence 0\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_what_is_said_of_each_kind_of_error() -> None:
    for error, expected in [
        (
            InputError("not UTF-8 at byte 7", path="a", line=3),
            ("a, line 3: not UTF-8 at byte 7", 1),
        ),
        (ConfigError("epochs = 0: give 1 or more"), ("epochs = 0: give 1 or more", 2)),
        (ModelError("a: cut short"), ("a: cut short", 1)),
        (PermissionError(13, "Permission denied", "a"), ("a: permission denied", 1)),
        (OSError(28, "No space left on device"), ("no space left on device", 1)),
        (click.Abort(), ("interrupted; no output file was left half-written", 1)),
        (click.UsageError("Bad."), ("Bad", 2)),
    ]:
        assert _sentence(error) == expected
    message, status = _sentence(MemoryError())
    assert (message.startswith("out of memory"), status) == (True, 1)
    message, status = _sentence(RuntimeError("boom"))
    assert ("RuntimeError: boom; --debug shows where" in message, status) == (True, 1)
