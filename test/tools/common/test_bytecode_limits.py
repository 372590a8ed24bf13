"""Bytecode is held to the limits of text: types of more dims or elements are refused."""

import subprocess
import sys
from pathlib import Path

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir

TYPES = {
    f"tensor<{'1x' * 65}f32>": "a tensor of 65 dims has more than 64",
    "tensor<9000000000000x9000000000000xf32>": "a tensor of 9000000000000x9000000000000 elements",
    "tensor<4xf32>": "",
}


@pytest.mark.parametrize("tool", ["gs_opt", "gs_run"])
@pytest.mark.parametrize("type_", TYPES, ids=["dims", "elements", "small"])
def test_types(tool: str, type_: str, tmp_path: Path) -> None:
    path = tmp_path / "x.mlirbc"
    text = f"func.func @main(%a: {type_}) -> {type_} {{ return %a : {type_} }}"
    with dialect.context() as context, ir.Location.unknown(), open(path, "wb") as file:
        ir.Module.parse(text, context).operation.write_bytecode(file)
    ran = subprocess.run(
        [sys.executable, "-m", f"mlir_gs.tools.{tool}", str(path)], capture_output=True, text=True
    )
    assert ran.returncode == bool(TYPES[type_]), ran.stderr
    assert TYPES[type_] in ran.stderr
