"""The index dialect in terms of arith: upstream folds it wrongly at the ends of 64 bits."""

import re
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.repair.repairs import repairs

_NAMES = (
    *("add", "sub", "mul", "and", "or", "xor", "shl"),
    *(f"{name}{sign}" for name in ("div", "rem", "ceildiv", "max", "min", "shr") for sign in "su"),
    "floordivs",
)
_CASTS = {"index.casts": "arith.index_cast", "index.castu": "arith.index_castui"}
_BITS = 64
"""Of an index on the machines that code is compiled for."""


@repairs(*(f"index.{name}" for name in _NAMES), *_CASTS, first=True)
def arithmetic(op: Any) -> ir.Value:
    """before: `index.ceildivs x, y`; after: `arith.ceildivsi x, y`."""
    name = _CASTS.get(op.name) or f"arith.{op.name.partition('.')[2]}i"
    return ir.Operation.create(name, [op.results[0].type], list(op.operands)).result


@repairs("index.cmp", first=True)
def comparison(op: Any) -> ir.Value:
    """before: `index.cmp slt(x, y)`, which folds as if `x - y` had no overflow; after:
    `arith.cmpi slt, x, y`."""
    (name,) = re.findall(r"\b[a-z]+(?=>)", str(op.attributes["pred"]))
    return arith.cmpi(getattr(arith.CmpIPredicate, name), *op.operands)


@repairs("index.constant", "index.bool.constant", "index.sizeof", first=True)
def number(op: Any) -> ir.Value:
    """before: `index.constant 3`; after: `arith.constant 3 : index`."""
    type_ = op.results[0].type
    held = _BITS if op.name == "index.sizeof" else op.attributes["value"].value
    return arith.constant(type_, ir.IntegerAttr.get(type_, held))
