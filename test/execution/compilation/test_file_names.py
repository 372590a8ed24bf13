"""`compile` wants text: the name of a file is told apart from it."""

from pathlib import Path

import pytest
from mlir_gs.execution import CompileError, compile


@pytest.mark.parametrize("name", ["rows.mlir", "model.onnx", Path("examples/rows.mlir")])
def test_the_name_of_a_file(name: str | Path) -> None:
    with pytest.raises(CompileError, match=f"'{name}' is the name of a file, and MLIR's text"):
        compile(name)
