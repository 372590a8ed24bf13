"""What `compile` runs is `gs-to-llvm`: printed after each pass, from any level, as text."""

import sys
from pathlib import Path

import numpy as np
import pytest
from mlir_gs import compile, dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.compilation import lower
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import run_pipeline

sys.path.insert(0, str(Path(__file__).parent))
import printed_again

ADD = """
func.func @add(%x: tensor<?x8xf32>, %ids: tensor<?x1xi64>, %dest: tensor<?x8xf32>)
    -> (tensor<?x8xf32>, index) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %r = gs.scatter %x into %dest[%ids] scatter_dims([0]) mode(error)
      : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x1xi64>) -> tensor<?x8xf32> {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    gs.yield %sum : f32
  }
  return %r, %n : tensor<?x8xf32>, index
}
"""
KEEP = """
func.func @keep(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %count = scf.for %i = %c0 to %n step %n iter_args(%m = %c0) -> index {
    %e = tensor.extract %x[%i] : tensor<?xf32>
    %is = arith.cmpf ogt, %e, %zero : f32
    %next = arith.select %is, %n, %m : index
    scf.yield %next : index
  }
  %r = tensor.generate %count {
  ^bb0(%i: index):
    %e = tensor.extract %x[%i] : tensor<?xf32>
    tensor.yield %e : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
X = np.arange(40, dtype=np.float32).reshape(5, 8)
IDS = np.array([[1], [0], [1], [2], [1]])
DEST = np.ones((3, 8), np.float32)
CALLS = {"add": (ADD, (X, IDS, DEST)), "keep": (KEEP, (np.arange(1, 7, dtype=np.float32),))}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", CALLS)
def test_what_a_pass_prints_is_all_that_it_knows(name: str, threads: int) -> None:
    assert printed_again.is_equal(CALLS[name][0], name, threads)


@pytest.mark.parametrize("place", [7, 121, 260, 433, 581, 700, 822, 940])
def test_lit_inputs(place: int) -> None:
    inputs = list(printed_again.inputs())
    _, text, name = inputs[place % len(inputs)]
    assert printed_again.is_equal(text, name, 2) is not False


def prints(text: str, name: str, threads: int) -> dict[str, str]:
    """What each pass that changes the module prints, by its name and how often it ran."""
    found: dict[str, str] = {}

    def note(module: ir.Operation, pass_name: str) -> None:
        shown = str(module)
        if not found or shown != list(found.values())[-1]:
            found[f"{len(found)} {pass_name}"] = shown

    with dialect.context(), ir.Location.unknown():
        module = parse(text)
        run_pipeline(module, printed_again.options(name, threads), after_each=note)
    return found


@pytest.mark.usefixtures("openmp_runtime")
@pytest.mark.parametrize("name", CALLS)
def test_any_prefix_can_be_compiled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same results and the same errors."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    text, arguments = CALLS[name]
    expected = compile(text, threads=2)(*arguments)
    found = prints(text, name, 2)
    assert len(found) > 15
    for place, printed in list(found.items())[::4]:
        kernel = compile(printed, threads=2)
        for one, wanted in zip(_tuple(kernel(*arguments)), _tuple(expected), strict=True):
            np.testing.assert_array_equal(one, wanted, err_msg=place, strict=True)
        if name == "add":
            with pytest.raises(IndexError, match="coordinate 9 at position"):
                kernel(X, IDS + 8, DEST)


def _tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("threads", [1, 2])
def test_compile_runs_this_text(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The function that compile puts its calls around is the one that the text makes."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    seen: list[tuple[str, str]] = []
    real = lower._finish

    def finish(module: ir.Module, *given: object) -> object:
        seen.append((texts[-1], str(module)))
        return real(module, *given)

    texts: list[str] = []
    run = lower.run_kept
    monkeypatch.setattr(lower, "run_kept", lambda m, text: [texts.append(text), run(m, text)])
    monkeypatch.setattr(lower, "_finish", finish)
    compile(ADD, threads=threads, target="generic")
    [(text, made)] = seen
    with dialect.context(), ir.Location.unknown():
        module = parse(ADD)
        run_pipeline(module, text)
        assert str(module) == made
