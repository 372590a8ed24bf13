"""An input is read whole, up to a limit, and takes no more memory than it has bytes."""

import io
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from mlir_gs.tools.common import parse_input
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.parse_input import read_input, read_path


def test_memory(tmp_path: Path) -> None:
    path = tmp_path / "small.mlir"
    path.write_bytes(b"module {}\n")
    tracemalloc.start()
    try:
        assert read_path(str(path)) == b"module {}\n"
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 16 << 20


@pytest.mark.parametrize("length", range(10))
def test_lengths_around_pieces_and_the_limit(length: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(parse_input, "_PIECE", 3)
    monkeypatch.setattr(parse_input, "MOST_BYTES", 6)
    file = io.BytesIO(bytes(range(length)))
    if length <= 6:
        assert read_input(file, "a") == bytes(range(length))
    else:
        with pytest.raises(UsageError, match="a: the input has more than 6 bytes"):
            read_input(file, "a")
