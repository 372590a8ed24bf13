"""Orders of points: what strategies may do, shown by the solver where it is about bits."""

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("z3")

import z3
from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.types import attribute_value, dtype_of
from mlir_gs.lowering.ir.combiners import EXACT, identity
from mlir_gs.lowering.scf.table import STRATEGIES
from mlir_gs.prove.scalars import REGROUPED
from mlir_gs.tools.docs.prove import ORDERS

# A float of few bits has the same laws as a wide one.
_FLOAT = z3.FPSort(3, 4)
_WIDTH = 8


def _least(a: Any, b: Any) -> Any:
    """minimumf: NaN where one is, -0 before 0."""
    zero = z3.And(z3.fpIsZero(a), z3.fpIsZero(b))
    smaller = z3.If(z3.Or(z3.fpLT(a, b), z3.And(zero, z3.fpIsNegative(a))), a, b)
    return z3.If(z3.Or(z3.fpIsNaN(a), z3.fpIsNaN(b)), z3.fpNaN(_FLOAT), smaller)


OPS: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.muli": lambda a, b: a * b,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.minsi": lambda a, b: z3.If(a < b, a, b),
    "arith.maxsi": lambda a, b: z3.If(a > b, a, b),
    "arith.minui": lambda a, b: z3.If(z3.ULT(a, b), a, b),
    "arith.maxui": lambda a, b: z3.If(z3.UGT(a, b), a, b),
    "arith.minimumf": _least,
    "arith.maximumf": lambda a, b: -_least(-a, -b),
}
ROUNDED: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addf": lambda a, b: z3.fpAdd(z3.RNE(), a, b),
    "arith.mulf": lambda a, b: z3.fpMul(z3.RNE(), a, b),
}


def _holds(law: Any) -> bool:
    solver = z3.Solver()
    solver.add(z3.Not(law))
    found = solver.check()
    assert found != z3.unknown
    return found == z3.unsat


def _values(name: str) -> list[Any]:
    make = (lambda n: z3.FP(n, _FLOAT)) if name.endswith("f") else (lambda n: z3.BitVec(n, _WIDTH))
    return [make(n) for n in "abc"]


def test_these_may_be_grouped() -> None:
    assert set(OPS) == EXACT == set(REGROUPED)


@pytest.mark.parametrize("name", OPS)
def test_any_order_and_grouping_gives_the_same_bits(name: str) -> None:
    (a, b, c), op = _values(name), OPS[name]
    assert _holds(op(a, b) == op(b, a))
    assert _holds(op(op(a, b), c) == op(a, op(b, c)))


@pytest.mark.parametrize("name", ROUNDED)
def test_rounded_sums_and_products_may_not(name: str) -> None:
    (a, b, c), op = _values(name), ROUNDED[name]
    assert not _holds(op(op(a, b), c) == op(a, op(b, c)))


@pytest.mark.parametrize("name", [*OPS, *ROUNDED])
def test_identity_changes_no_bits(name: str) -> None:
    a, *_ = _values(name)
    with context(), ir.Location.unknown():
        module = ir.Module.create()
        type_ = ir.F32Type.get() if name.endswith("f") else ir.IntegerType.get_signless(_WIDTH)
        with ir.InsertionPoint(module.body):
            found = identity(name, type_).owner.attributes["value"]
        number = attribute_value(found, dtype_of(type_)).item()
    one = z3.FPVal(number, _FLOAT) if name.endswith("f") else z3.BitVecVal(number, _WIDTH)
    assert _holds((OPS | ROUNDED)[name](a, one) == a)


def test_points_of_an_element_keep_their_order() -> None:
    """Sorted by anything that the element says, and by their order, points of one element stay."""
    part = z3.Function("part", z3.IntSort(), z3.IntSort())
    element, one, other = z3.Ints("element one other")
    before = z3.Or(
        part(element) < part(element), z3.And(part(element) == part(element), one < other)
    )
    assert _holds(before == (one < other))


def test_every_strategy_says_its_order() -> None:
    assert set(ORDERS) == set(STRATEGIES)
