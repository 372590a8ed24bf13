"""`gs` in a host's context and pass manager, also when the host's package is called `mlir`."""

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from mlir_gs import add_passes, load
from mlir_gs.dialect._bindings import PassManager, ir
from mlir_gs.lowering import GsFuse, GsGeneralize, PipelineError

TEXT = """
func.func @rows(%t: tensor<8x4xf32>, %i: tensor<3x1xindex>) -> tensor<3x4xf32> {
  %0 = tensor.gather %t[%i] gather_dims([0])
      : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
"""


@pytest.fixture
def module() -> Iterator[Any]:
    """A module in a context that this project has not made."""
    with ir.Context() as context, ir.Location.unknown():
        load(context)
        load(context)
        yield ir.Module.parse(TEXT)


def test_texts_and_objects_among_passes_of_the_host(module: Any) -> None:
    # That registers the conversions.
    importlib.import_module("mlir_gs.frontend")
    manager = PassManager("builtin.module")
    manager.add("canonicalize")
    assert add_passes(manager, "convert-tensor-to-gs", GsGeneralize(), GsFuse()) is manager
    manager.add("func.func(cse)")
    add_passes(manager, "builtin.module(convert-gs-to-linalg,canonicalize)")
    manager.run(module.operation)
    assert "linalg.generic" in str(module)
    assert "gs." not in str(module)


def test_the_manager_prints_its_passes(module: Any) -> None:
    manager = add_passes(PassManager("builtin.module"), GsGeneralize(), "cse")
    assert str(manager).startswith("builtin.module(gs-generalize")


def test_an_error_of_a_pass_is_a_diagnostic(module: Any) -> None:
    @dataclass(frozen=True)
    class Broken:
        """Fails."""

        name: ClassVar[str] = "broken"

        def run(self, module: Any) -> None:
            raise KeyError("source")

    manager = add_passes(PassManager("builtin.module"), Broken())
    with pytest.raises(ir.MLIRError) as error:
        manager.run(module.operation)
    messages = [diagnostic.message for diagnostic in error.value.error_diagnostics]
    assert messages == ["'broken' failed: KeyError: 'source'"]


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ("gs-generalise", PipelineError, "did you mean 'gs-generalize'"),
        ("scf.for(gs-fuse)", PipelineError, "runs on the module"),
        (GsFuse, TypeError, "expected the text of a pipeline or a pass object"),
        (3, TypeError, "found 3"),
    ],
)
def test_what_is_no_pass(module: Any, given: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        add_passes(PassManager("builtin.module"), given)


def test_the_program_of_the_document() -> None:
    text = (Path(__file__).parents[3] / "docs" / "compilers.md").read_text(encoding="utf-8")
    program = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
    names: dict[str, Any] = {}
    exec(program, names)
    assert "linalg.generic" in str(names["module"])
    table = np.arange(5 * 64, dtype=np.float32).reshape(5, 64)
    rows = np.array([[0], [-1], [9]])
    np.testing.assert_array_equal(names["kernel"](table, rows), table[[0, 4, 4]])


FAKE = '''
"""Upstream's package by name: its modules are those of the wheel that is installed."""

import importlib
import importlib.machinery
import sys


class Same:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("mlir."):
            return importlib.machinery.ModuleSpec(name, self)

    def create_module(self, spec):
        module = importlib.import_module("torch_" + spec.name)
        self.spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.spec


sys.meta_path.insert(0, Same())
'''

PROGRAM = f'''
from mlir.ir import Context, Location, Module
from mlir.passmanager import PassManager
from mlir.dialects import arith, func

import mlir_gs, mlir_gs.frontend
from mlir_gs.dialect._bindings import PROVIDER
from mlir_gs.dialect import gather

with Context() as context, Location.unknown():
    mlir_gs.load(context)
    module = Module.parse("""{TEXT}""")
    manager = PassManager("builtin.module")
    mlir_gs.add_passes(manager, "convert-tensor-to-gs,gs-generalize").run(module.operation)
    assert "gs.generic" in str(module)
import numpy as np
table = np.arange(32, dtype=np.float32).reshape(8, 4)
found = mlir_gs.compile(module)(table, np.array([[3], [0], [7]]))
assert (found == table[[3, 0, 7]]).all()
print(PROVIDER)
'''


@pytest.mark.parametrize("chosen", ["", "mlir"])
def test_a_host_whose_package_is_upstreams(tmp_path: Path, chosen: str) -> None:
    package = tmp_path / "mlir"
    package.mkdir()
    (package / "__init__.py").write_text(FAKE)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "MLIR_GS_BINDINGS": chosen}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == "mlir\n"
