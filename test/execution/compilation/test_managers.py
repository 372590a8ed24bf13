"""Pass managers serve all modules of a context, and no longer than it lives."""

import gc
import weakref

import numpy as np
import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import CompileError, compile
from mlir_gs.execution.llvm import managers
from mlir_gs.frontend.parse import parse
from sources import GATHER

TABLE = np.arange(640, dtype=np.float32).reshape(10, 64)
IDS = np.array([3, 9, 3])


def built_for(texts: list[str], monkeypatch: pytest.MonkeyPatch, context: ir.Context) -> list[str]:
    """The pipelines that are built while modules of `texts` are compiled in `context`."""
    built: list[str] = []
    build = managers.build_pass_manager

    def watched(text: str, *arguments, **keywords):
        built.append(text)
        return build(text, *arguments, **keywords)

    monkeypatch.setattr(managers, "build_pass_manager", watched)
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    with context:
        for text in texts:
            kernel = compile(parse(text), threads=1)
            np.testing.assert_array_equal(kernel(TABLE, IDS), TABLE[IDS])
    return built


def test_a_second_module_needs_no_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    other = GATHER.replace("@", "@other_")
    built = built_for([GATHER, other, GATHER], monkeypatch, dialect.context())
    assert built
    assert len(built) == len(set(built))


def test_another_context_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    first = built_for([GATHER], monkeypatch, dialect.context())
    monkeypatch.undo()
    assert built_for([GATHER], monkeypatch, dialect.context()) == first


def test_they_end_with_their_context() -> None:
    context = dialect.context()
    with context:
        compile(parse(GATHER), threads=1)
    gone = weakref.ref(context)
    del context
    # The bindings' class of the dialect keeps the context that it was last loaded into.
    dialect.context()
    gc.collect()
    assert gone() is None


def test_after_a_failure() -> None:
    bad = """func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %r = "other.nonsense"(%x) : (tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }"""
    told = []
    with dialect.context(allow_unregistered=True):
        for _ in range(2):
            with pytest.raises(CompileError) as caught:
                compile(parse(bad), threads=1)
            told.append(str(caught.value))
        kernel = compile(parse(GATHER), threads=1)
    assert told[0] == told[1]
    np.testing.assert_array_equal(kernel(TABLE, IDS), TABLE[IDS])
