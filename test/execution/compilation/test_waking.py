"""LLVM is set up by a thread while the first kernel is lowered: once, and only where it can be."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mlir_gs.execution.disk import cached
from mlir_gs.execution.llvm import capi, engine_thread, waking
from sources import GATHER

if not cached._is_supported():
    pytest.skip("shared code is kept on the disk on x86-64 Linux", allow_module_level=True)

IN_NEW_PROCESS = """
import os, sys
from mlir_gs.execution.compilation import build
from mlir_gs.execution import compile
from mlir_gs.execution.llvm.engine_thread import EngineThread
from mlir_gs.execution import CompileError
from mlir_gs.execution.llvm import engine_thread
engine_thread.cpu_count = lambda: 2
ends = []
join = EngineThread.join
EngineThread.join = lambda thread: ends.append(join(thread) != 0)
if sys.argv[2] == "failing":
    try:
        compile("func.func @f() {")
    except CompileError:
        assert len(ends) == 1
for threads in (1, 2):
    compile(sys.argv[1], threads=threads)
child = os.fork()
if child == 0:
    compile(sys.argv[1], threads=3)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(ends)
"""


def _ends(place: Path, kind: str = "", text: str = GATHER) -> str:
    environment = {**os.environ, "MLIR_GS_CACHE": str(place)}
    command = [sys.executable, "-P", "-c", IN_NEW_PROCESS, text, kind]
    return subprocess.run(command, env=environment, text=True, check=True, stdout=-1).stdout.strip()


@pytest.mark.parametrize("kind", ["", "failing"])
def test_once_in_a_process_that_has_the_code_from_the_disk(tmp_path: Path, kind: str) -> None:
    assert _ends(tmp_path) == "[]", "nothing is on the disk"
    others = GATHER.replace("@", "@other_")
    assert _ends(tmp_path, kind, others) == "[True]"


def test_not_where_kernels_are_not_kept() -> None:
    assert _ends(Path("off")) == "[]"


@pytest.fixture
def forgotten() -> Iterator[None]:
    known = (capi.exports, engine_thread.called_functions)
    for one in known:
        one.cache_clear()
    yield
    for one in known:
        one.cache_clear()


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize(
    "signature",
    [
        "",
        "__init__(self, module: ir.Module, opt_level: int = 2) -> None",
        "__init__(self, module: ir.Module, opt_level: int = 2, shared_libs: Sequence[str] = [], "
        "enable_object_dump: bool = True, enable_pic: bool = False, more: bool = True) -> None",
    ],
)
def test_not_where_the_bindings_are_others(signature: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Engine:
        def __init__(self) -> None: ...

    Engine.__init__.__doc__ = signature

    class Bindings:
        ExecutionEngine = Engine
        __file__ = "unused"

    monkeypatch.setattr(capi, "provider_module", lambda name: Bindings)
    assert waking.start(0, 2) is None


@pytest.mark.usefixtures("forgotten")
def test_not_where_the_library_lacks_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine_thread._CALLED, "parse", "mlirModuleOfTomorrow")
    assert waking.start(0, 2) is None
