"""The Python and the shell commands that README and the documentation show, run in order."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILES = ROOT / "tests" / "docs" / "files"


def blocks(page: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


COMMAND = re.compile(r"\$ ((?:\w+=\S+ |echo .* \| )*miriam (?:.*\\\n)*.*)\n")
NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")


@pytest.mark.parametrize(
    "page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT))
)
def test_what_a_page_shows_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python` blocks of a page share their names; `$ miriam …` lines of `console` blocks run.

    They find the small files of `tests/docs/files` in the current folder. What a block shows below
    a command are lines of its output, in order, but for the numbers.
    """
    for file in FILES.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for language, text in blocks(page):
        if language == "python":
            exec(compile(text, str(page), "exec"), names)  # noqa: S102  # our own documentation
        else:
            for part in re.split(r"^(?=\$ )", text, flags=re.MULTILINE):
                if command := COMMAND.match(part):
                    _compare(part[command.end() :], _run(command[1]))


def _run(line: str) -> str:
    command = line.replace("\\\n", " ").replace(
        "miriam ", f"{shlex.quote(sys.executable)} -m miriam ", 1
    )
    result = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False,
        env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip
    assert result.returncode == 0, f"{line}\n{result.stderr}"
    return result.stdout


def _compare(shown: str, output: str) -> None:
    """Each line that is shown comes in the output, after the one before it; … stands for some."""
    rest = iter([_without_numbers(line) for line in output.splitlines()])
    for line in shown.splitlines():
        if line != "…":
            assert _without_numbers(line) in rest, f"{line!r} is not there, or not here:\n{output}"


def _without_numbers(line: str) -> str:
    return " ".join(NUMBER.sub("#", line).split())
