"""Named ops of a dialect outside the package go through every pass and every tool: what these need
to know comes from the ops' maps."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mlir_gs
import numpy as np
import pytest
import toy_ops
from mlir_gs import dialect
from mlir_gs.bindings import ir
from mlir_gs.dialect import base
from mlir_gs.dialect.reference.run import run
from mlir_gs.execution import compile
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import PassFailure, registered_passes, run_pipeline

PICK = """
func.func @pick(%t: tensor<?x?xf32>, %i: tensor<?xi64>) -> tensor<?x?xf32> {
  %0 = "toy.pick"(%t, %i) ATTRIBUTES : (tensor<?x?xf32>, tensor<?xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
PUT = """
func.func @put(%u: tensor<?xf32>, %d: tensor<?x?xf32>, %i: tensor<?xi64>) -> tensor<?x?xf32> {
  %0 = "toy.put"(%u, %d, %i) ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    gs.yield %s : f32
  }) ATTRIBUTES : (tensor<?xf32>, tensor<?x?xf32>, tensor<?xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.fixture(autouse=True)
def _only_here() -> Iterator[None]:
    """The dialect is loaded in these tests alone."""
    ops = (toy_ops.PickOp, toy_ops.PutOp)
    base.NAMED.update({op.OPERATION_NAME: op for op in ops})
    if toy_ops.Toy not in base._loaded_by_load:
        base._loaded_by_load.append(toy_ops.Toy)
    yield
    for op in ops:
        del base.NAMED[op.OPERATION_NAME]
    base._loaded_by_load.remove(toy_ops.Toy)


def pick(attributes: str = "") -> str:
    return PICK.replace("ATTRIBUTES", "{" + attributes + "}")


def put(attributes: str = "") -> str:
    return PUT.replace("ATTRIBUTES", "{" + attributes + "}")


def after(text: str, *passes: str) -> str:
    with dialect.context(), ir.Location.unknown():
        module = parse(text)
        run_pipeline(module, ",".join(passes))
        assert module.operation.verify()
        return str(module)


def test_compiled_and_by_the_reference() -> None:
    ids = np.array([3, -1, 9, 0])
    picked = pick('mode = "fill", wrap_negative, fill_value = 7.0 : f32')
    expected = np.where(ids == 9, np.float32(7), TABLE[np.where(ids == 9, 0, ids)].T)
    np.testing.assert_array_equal(compile(picked)(TABLE, ids), expected)
    updates, dest = np.arange(5, dtype=np.float32), np.ones((3, 3), np.float32)
    where = np.array([2, 0, 2, 5, 2])
    added = dest.copy()
    for u, i in zip(updates, where, strict=True):
        if i < 3:
            added[i, i] += u
    summed = put('mode = "drop"')
    np.testing.assert_array_equal(compile(summed)(updates, dest, where), added)
    with dialect.context():
        by_maps = run(parse(picked), args=[TABLE, ids])
        np.testing.assert_array_equal(by_maps[0], expected)
        by_maps = run(parse(summed), args=[updates, dest, where])
        np.testing.assert_array_equal(by_maps[0], added)


PASSES = sorted(
    name
    for name, each in registered_passes().items()
    if each.__module__.startswith("mlir_gs.lowering.")
)


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_takes_them(name: str) -> None:
    refused = {
        "convert-gs-to-linalg": "must become gs.generic before linalg: gs-generalize",
        "convert-gs-to-scf": "must become gs.generic before loops: gs-generalize",
        "gs-enter-bufferization": "must become gs.generic before bufferization: gs-generalize",
        "gs-tile": "must become gs.generic before it is tiled: gs-generalize",
        "gs-schedule": "must become gs.generic before loops: gs-generalize",
    }
    spelled = {"gs-tile": "gs-tile{sizes=2,2}", "gs-if": "gs-if{lacks=func.call}(gs-canonicalize)"}
    for text in (pick(), put("unique"), pick('mode = "clip"')):
        if name in refused:
            with pytest.raises(PassFailure, match=r"'toy\.\w+' op " + refused[name]):
                after(text, spelled.get(name, name))
        elif name == "gs-check-llvm":
            with pytest.raises(PassFailure, match=r"has no lowering to LLVM"):
                after(text, name)
        else:
            after(text, spelled.get(name, name))


def test_errors_name_the_op_and_its_operand() -> None:
    place = r"-:\d+:\d+: 'toy.pick' op, into dimension 0 of 'table': coordinate 9 at position \[0\]"
    with pytest.raises(IndexError, match=place):
        compile(pick('mode = "error"'))(TABLE, np.array([9]))


def test_promises_are_checked() -> None:
    checked = compile(pick("unique"), sanitize=True)
    with pytest.raises(IndexError, match=r"'toy.pick' op, into .* of 'table': coordinate 4"):
        checked(TABLE, np.array([1, 4]))
    with pytest.raises(IndexError, match=r"'toy.pick' op: coordinates \[1\] .* does not hold"):
        checked(TABLE, np.array([1, 2, 1]))
    ordered = compile(put("sorted"), sanitize=True)
    with pytest.raises(IndexError, match=r"'toy.put' op: coordinates \[0\] at position \[1\] come"):
        ordered(np.ones(2, np.float32), np.ones((3, 3), np.float32), np.array([1, 0]))


def test_a_sorted_diagonal() -> None:
    """Each coordinate addresses two dims: what is between two rows is no run of elements."""
    text = put("sorted").replace(
        "%0 =", "%c = arith.constant 5.0 : f32\n%e = linalg.fill ins(%c : f32) "
        "outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>\n%0 ="
    ).replace('"toy.put"(%u, %d', '"toy.put"(%u, %e')  # fmt: skip
    expected = np.full((3, 3), 5, np.float32)
    expected[0, 0], expected[2, 2] = 7, 6
    given = np.ones(3, np.float32), np.zeros((3, 3), np.float32), np.array([0, 0, 2])
    np.testing.assert_array_equal(compile(text)(*given), expected)


def test_sizes_are_checked() -> None:
    wrong = "'toy.put' op, size of dimension 0 of 'updates' must be that of dimension 0 of 'ids'"
    with pytest.raises(ValueError, match=wrong):
        compile(put())(np.ones(2, np.float32), np.ones((3, 3), np.float32), np.array([1]))


def test_patterns_and_facts_know_them() -> None:
    shown = after(
        """func.func @f(%t: tensor<4x3xf32>, %u: tensor<2xf32>, %n: index)
    -> (tensor<?x?xf32>, index, tensor<?x?xf32>) {
  %i = arith.constant dense<[1, 3]> : tensor<2xi64>
  %c1 = arith.constant 1 : index
  %d = tensor.cast %t : tensor<4x3xf32> to tensor<?x?xf32>
  %ids = tensor.cast %i : tensor<2xi64> to tensor<?xi64>
  %x = "toy.pick"(%d, %ids) {mode = "clip"}
      : (tensor<?x?xf32>, tensor<?xi64>) -> tensor<?x?xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?xf32>
  %j = arith.constant dense<[1, 0]> : tensor<2xi64>
  %y = "toy.put"(%u, %x, %j) ({}) {mode = "error"}
      : (tensor<2xf32>, tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %x, %s, %y : tensor<?x?xf32>, index, tensor<?x?xf32>
}""",
        "gs-canonicalize",
        "canonicalize",
        "gs-infer",
    )
    assert re.search(
        r'"toy.pick"\(%\w+, %\w+\) : \(tensor<4x3xf32>, tensor<2xi64>\) '
        r"-> tensor<3x2xf32>",
        shown,
    ), shown
    assert '"error"' not in shown
    assert "tensor.dim" not in shown


def test_facts_go_through_them() -> None:
    """The elements of a table of coordinates that was picked from stay in bounds."""
    shown = after(
        """func.func @f(%t: tensor<9xf32>, %i: tensor<?xi64>) -> tensor<2x?xf32> {
  %ids = arith.constant dense<[[1, 3], [5, 8]]> : tensor<2x2xi64>
  %x = "toy.pick"(%ids, %i) : (tensor<2x2xi64>, tensor<?xi64>) -> tensor<2x?xi64>
  %y = tensor.expand_shape %x [[0], [1, 2]] output_shape [2, %n, 1]
      : tensor<2x?xi64> into tensor<2x?x1xi64>
  %r = gs.gather %t[%y] gather_dims([0]) mode(clip)
      : (tensor<9xf32>, tensor<2x?x1xi64>) -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}""".replace("%i: tensor<?xi64>", "%i: tensor<?xi64>, %n: index"),
        "gs-infer",
    )
    assert "clip" not in shown


def test_builder() -> None:
    with dialect.context(allow_unregistered=True), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            table, ids = (
                ir.Operation.create("test.array", results=[ir.Type.parse(f"tensor<{t}>")]).result
                for t in ("4x3xf32", "?xf32")
            )
            with pytest.raises(dialect.InvalidOp, match="op operand 'ids' must have index"):
                toy_ops.pick(table, ids)


def tool(*arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", toy_ops.__file__, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_tool_takes_them(tmp_path: Path) -> None:
    path = tmp_path / "pick.mlir"
    path.write_text(pick('mode = "error"'))
    shown = tool("gs-opt", path, "--verify-roundtrip", "--gs-generalize")
    assert "gs.generic" in shown.stdout, shown.stderr
    run = tool("gs-run", path, "--shape", "0=4x3", "--shape", "1=2", "--check")
    assert "check: equal to the reference" in run.stdout, run.stderr
    made = tmp_path / "pick.h"
    assert tool("gs-compile", path, "-o", made, "-o", tmp_path / "pick.o").returncode == 0
    assert "pick" in made.read_text()
    script = tmp_path / "interesting.sh"
    script.write_text("#!/bin/sh\ngrep -q toy.pick $1 && exit 1\nexit 0\n")
    script.chmod(0o755)
    reduced = tool("gs-reduce", path, "--test", script)
    assert "toy.pick" in reduced.stdout, reduced.stderr
    assert "error" not in reduced.stdout


FORMS = """
func.func @f(%t: tensor<?x?xf32>, %i: tensor<?xi64>, %u: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = toy.pick %t, %i mode(fill) fill_value(2.0 : f32) {toy.note = "toy.put"}
      : (tensor<?x?xf32>, tensor<?xi64>) -> tensor<?x?xf32>
  %1 = toy.put %u, %0, %i mode(drop) combine(add)
      : (tensor<?xf32>, tensor<?x?xf32>, tensor<?xi64>) -> tensor<?x?xf32>
  %2 = toy.put %u, %1, %i unique
      : (tensor<?xf32>, tensor<?x?xf32>, tensor<?xi64>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
"""


def test_they_have_an_assembly_form() -> None:
    module = mlir_gs.parse(FORMS)
    printed = mlir_gs.print(module)
    assert "toy.pick %arg0, %arg1 mode(fill) fill_value(2.000000e+00 : f32) {toy.note" in printed
    assert "toy.put %arg2, %0, %arg1 mode(drop) combine(add) : " in printed
    assert "toy.put %arg2, %1, %arg1 unique : " in printed
    again = mlir_gs.print(mlir_gs.parse(printed), generic=True)
    assert again == mlir_gs.print(module, generic=True)
    assert '"toy.put"' in again


def test_what_is_wrong_in_it_is_told_at_its_place() -> None:
    with pytest.raises(mlir_gs.ParseError, match=r"a\.mlir:3:24: .*'toy.pick' op has no clause"):
        mlir_gs.parse(FORMS.replace("mode(fill) f", "mod(fill) f"), name="a.mlir")
    # Another op of the dialect is MLIR's to read.
    with pytest.raises(mlir_gs.ParseError):
        mlir_gs.parse(FORMS.replace("toy.put", "toy.other"))
