"""Devices and pipes are written to, or refused, but never replaced by files."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from miriam.container import ContainerWriter
from miriam.errors import InputError
from miriam.text.files import open_write


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_text_is_written_into_a_pipe(pipe: Path) -> None:
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with open_write(pipe) as out:
            out.write(b"a dog\n")
        assert os.read(reader, 100) == b"a dog\n"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_table_is_not_written_into_a_pipe(pipe: Path) -> None:
    writer = ContainerWriter(pipe, kind="demo", version=1)
    writer.add("squares", np.arange(4))
    with pytest.raises(InputError, match="pipe: a device or a pipe"), writer:
        pass
    assert pipe.is_fifo()
