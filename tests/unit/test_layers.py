"""The order of the rooms is checked: an import against the arrow fails the lint."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from conftest import ROOT

ARROW = "Data flows in one direction"
# file, import, the contract that it breaks
PLANTS = [
    ("text/files.py", "import miriam.cli", ARROW),
    ("corpus/__init__.py", "from miriam.lexicon import __doc__ as later", ARROW),
    ("errors.py", "import miriam.config", ARROW),
    ("align/__init__.py", "import miriam.lm", ARROW),
    ("metrics/__init__.py", "import miriam.rules", ARROW),
    ("lm/__init__.py", "import miriam.metrics", "do not know each other"),
]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Import-linter on the copy of the package in a folder.

    Without `site` (-S), which would put the editable install of the package before the copy.
    """
    program = "from importlinter.cli import lint_imports_command as run; run()"
    libraries = sysconfig.get_path("purelib")
    return subprocess.run(
        [sys.executable, "-S", "-c", program, "--config", ROOT / "pyproject.toml", "--no-cache"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{libraries}", "COLUMNS": "200"},
    )  # fmt: skip


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package."""
    shutil.copytree(
        ROOT / "src" / "miriam", tmp_path / "miriam", ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path / "miriam"


def test_the_package_as_it_is_keeps_the_order(package: Path) -> None:
    result = lint(package.parent)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "2 kept, 0 broken" in result.stdout


@pytest.mark.parametrize(("file", "statement", "contract"), PLANTS, ids=[p[0] for p in PLANTS])
def test_an_import_against_the_arrow_is_found(
    package: Path, file: str, statement: str, contract: str
) -> None:
    with (package / file).open("a", encoding="utf-8") as source:
        source.write(f"\n{statement}\n")
    result = lint(package.parent)
    assert result.returncode == 1, result.stdout + result.stderr
    broken = [line for line in result.stdout.splitlines() if line.endswith("BROKEN")]
    assert any(contract in line for line in broken), result.stdout
    module = "miriam." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert f"{module} -> {statement.split()[1]}" in result.stdout
