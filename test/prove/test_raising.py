"""What gs-raise makes of linalg and of loops is proved to be the same, for all sizes."""

import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("z3")

from mlir_gs import lowering
from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, walk_named
from mlir_gs.lowering.raising.accesses import STAYS
from mlir_gs.prove.prove import prove

sys.path.insert(0, str(Path(__file__).parents[1] / "lowering/raising"))
from corpus import LOOPS
from python_loops import module as loops_of
from test_vectors import source as vectors

_READ = """
func.func @f(%x: tensor<?xf32>, %c: tensor<?xindex>, %o: tensor<?xf32>) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %fill = arith.constant 7.0 : f32
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%c : tensor<?xindex>) outs(%o : tensor<?xf32>) {{
  ^bb0(%in: index, %out: f32):
    {}
    linalg.yield %e : f32
  }} -> tensor<?xf32>
  return %r : tensor<?xf32>
}}
"""
_LOOP = """
func.func @f(%x: tensor<?xi32>, %c: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %c, %c0 : tensor<?xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %y) -> tensor<?xi32> {{
    %a = tensor.extract %c[%i] : tensor<?xi32>
    %k = arith.index_cast %a : i32 to index
    {}
    scf.yield %w : tensor<?xi32>
  }}
  return %r : tensor<?xi32>
}}
"""
FORMS = {
    "read": _READ.format("%e = tensor.extract %x[%in] : tensor<?xf32>"),
    "clip": _READ.format(
        """%one = arith.constant 1 : index
    %last = arith.subi %n, %one : index
    %a = arith.minsi %in, %last : index
    %b = arith.maxsi %a, %c0 : index
    %e = tensor.extract %x[%b] : tensor<?xf32>"""
    ),
    "wrap": _READ.format(
        """%negative = arith.cmpi slt, %in, %c0 : index
    %more = arith.addi %in, %n : index
    %a = arith.select %negative, %more, %in : index
    %e = tensor.extract %x[%a] : tensor<?xf32>"""
    ),
    "fill": _READ.format(
        """%inside = arith.cmpi ult, %in, %n : index
    %e = scf.if %inside -> (f32) {
      %g = tensor.extract %x[%in] : tensor<?xf32>
      scf.yield %g : f32
    } else {
      scf.yield %fill : f32
    }"""
    ),
    "assert": _READ.format(
        """%below = arith.cmpi slt, %in, %n : index
    cf.assert %below, "too large"
    %above = arith.cmpi sge, %in, %c0 : index
    cf.assert %above, "negative"
    %e = tensor.extract %x[%in] : tensor<?xf32>"""
    ),
    "gather loop": _LOOP.format(
        """%e = tensor.extract %x[%k] : tensor<?xi32>
    %w = tensor.insert %e into %t[%i] : tensor<?xi32>"""
    ),
    "scatter loop": _LOOP.format(
        """%e = tensor.extract %x[%i] : tensor<?xi32>
    %o = tensor.extract %t[%k] : tensor<?xi32>
    %s = arith.addi %o, %e : i32
    %w = tensor.insert %s into %t[%k] : tensor<?xi32>"""
    ),
}


# Of the corpus, on memrefs.
ON_MEMREFS = ("gather", "gather_of_gather", "gather_from", "clamped", "masked_gather",
              "scatter_add", "histogram", "sum")  # fmt: skip


def apart(module: ir.Module) -> ir.Module:
    """The raised module for memory that is not shared, as different arguments of a proof are."""
    for choice in walk_named(module.operation, "scf.if"):
        others = [each for block in choice.regions[1].blocks for each in block.operations]
        if any(STAYS in each.attributes for each in others):
            with ir.InsertionPoint(choice):
                choice.operands[0] = arith.constant(ir.IntegerType.get_signless(1), 1)
    lowering.run_pipeline(module, "canonicalize,cse")
    return module


def raised(text: str) -> ir.Module:
    module = ir.Module.parse(text)
    lowering.run_pipeline(module, "gs-raise")
    assert "gs.generic" in str(module)
    return module


@pytest.mark.parametrize("form", FORMS)
def test_is_proved(form: str) -> None:
    with context(), ir.Location.unknown():
        answer = prove(ir.Module.parse(FORMS[form]), raised(FORMS[form]), "f", 20.0)
    assert answer.status == "proved", answer.reason


@pytest.mark.parametrize("form", ON_MEMREFS)
def test_is_proved_on_memrefs(form: str) -> None:
    text = loops_of(LOOPS[form].arguments, LOOPS[form].body)
    with context(), ir.Location.unknown():
        answer = prove(ir.Module.parse(text), apart(raised(text)), "f", 20.0)
    assert answer.status == "proved", answer.reason


@pytest.mark.parametrize("kernel", ["gather", "by a number from outside"])
def test_vectors_are_proved(kernel: str) -> None:
    with context(), ir.Location.unknown():
        before, after = ir.Module.parse(vectors(kernel)), apart(raised(vectors(kernel)))
        answer = prove(before, after, "f", 20.0)
        assert answer.status == "proved", answer.reason
        # Without what is gathered.
        other = ir.Module.parse(re.sub(r"store %\w+", "store %z", vectors(kernel)))
        assert prove(before, other, "f", 10.0).status == "refuted"


def test_another_order_is_refuted() -> None:
    overwrites = FORMS["scatter loop"].replace("insert %s into", "insert %e into")
    with context(), ir.Location.unknown():
        before, after = ir.Module.parse(FORMS["scatter loop"]), raised(overwrites)
        assert prove(before, after, "f", 10.0).status == "refuted"
