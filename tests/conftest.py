"""What all tests share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("MIRIAM_SHARED", ROOT.parent / "shared"))

# A background job of a shell ignores Ctrl-C, and so would the commands that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("miriam", deadline=None, derandomize=True)
settings.load_profile("miriam")


class Miriam:
    """Runs the command line in a process of its own, as a person would."""

    def __call__(
        self, *args: object, stdin: str | bytes = "", cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        result = subprocess.run(
            [sys.executable, "-m", "miriam", *map(str, args)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=cwd,
            check=False,
            env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        )
        return subprocess.CompletedProcess(
            result.args, result.returncode, result.stdout.decode(), result.stderr.decode()
        )

    def fails(self, status: int, *args: object, stdin: str | bytes = "") -> str:
        """The one sentence with which a call fails with this status."""
        result = self(*args, stdin=stdin)
        assert result.returncode == status, result.stderr
        assert result.stderr.count("\n") == 1, result.stderr
        assert "Traceback" not in result.stderr
        return result.stderr.removeprefix("miriam: ").strip()


@pytest.fixture
def miriam() -> Miriam:
    """The command line: `miriam("evaluate", …)` runs it, `miriam.fails(1, …)` expects an error."""
    return Miriam()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The open data sets beside the repository."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip(f"needs the open data sets in {folder}")
    return folder


@pytest.fixture(scope="session")
def shared_parity() -> Path:
    """Moses' models and outputs beside the repository."""
    folder = SHARED / "parity"
    if not folder.is_dir():
        pytest.skip(f"needs Moses' models and outputs in {folder}")
    return folder
