"""Where sizes of results come from: followed back through the IR to the arguments."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC

Size = int | tuple[Any, ...]
"""A number, or an operation with its operands: ("size", argument, dim), ("scalar", argument),
("add", size, size); those of `select` are a condition and two sizes."""

_PREDICATES = {0: "eq", 1: "ne", 2: "slt", 3: "sle", 4: "sgt", 5: "sge"}
"""By the number that `arith.cmpi` has for it."""

_ARITHMETIC = {
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.divsi": "div",
    "arith.maxsi": "max",
    "arith.minsi": "min",
    "arith.floordivsi": "floordiv",
    "arith.ceildivsi": "ceildiv",
}

_SAME = ("arith.index_cast", "arith.extsi")


_GIVEN = {
    "memref.alloc": 0,
    "memref.expand_shape": 1,
    "memref.reinterpret_cast": 1,
    "memref.subview": 1,
}
"""Ops that are given sizes, and the operands before those."""


def size_of_value(value: Any) -> Size | None:
    """The expression for an SSA integer, or None if it depends on more than sizes and scalars."""
    if isinstance(value, ir.BlockArgument):
        if _is_entry_block(value.owner):
            return "scalar", value.arg_number
        return None
    operation = value.owner
    name = operation.name
    if name == "arith.constant":
        attribute = operation.attributes["value"]
        return attribute.value if isinstance(attribute, ir.IntegerAttr) else None
    if name == "memref.dim":
        which = size_of_value(operation.operands[1])
        if not isinstance(which, int):
            return None
        return size_of_dim(operation.operands[0], which)
    if name in _SAME:
        return size_of_value(operation.operands[0])
    if name in ("affine.apply", "affine.min", "affine.max"):
        return _affine(operation)
    operands = [size_of_value(operand) for operand in operation.operands]
    known = tuple(operand for operand in operands if operand is not None)
    if len(known) != len(operands):
        return None
    if name in _ARITHMETIC:
        return _ARITHMETIC[name], *known
    if name == "arith.select":
        return "select", *known
    if name == "arith.cmpi":
        predicate = operation.attributes["predicate"].value
        return (_PREDICATES[predicate], *known) if predicate in _PREDICATES else None
    return None


def size_of_dim(value: Any, dim: int) -> Size | None:
    """The expression for a dimension of a memref, or None."""
    if not 0 <= dim < value.type.rank:
        return None
    if not value.type.is_dynamic_dim(dim):
        return value.type.shape[dim]
    if isinstance(value, ir.BlockArgument):
        return ("size", value.arg_number, dim) if _is_entry_block(value.owner) else None
    operation = value.owner
    if operation.name == "memref.cast":
        return size_of_dim(operation.operands[0], dim)
    if operation.name in _GIVEN:
        # Those that are dynamic are operands in this order, behind the source and offsets.
        first, sizes = _GIVEN[operation.name], list(value.type.shape)
        if "static_sizes" in operation.attributes:
            first += operation.attributes["operandSegmentSizes"][1]
            given = list(operation.attributes["static_sizes"])
            # One that drops dims has as many that are dynamic; the type of others may know less.
            sizes = given if len(given) == len(sizes) else sizes
        if sizes[dim] != DYNAMIC:
            return sizes[dim]
        return size_of_value(operation.operands[first + sizes[:dim].count(DYNAMIC)])
    if operation.name == "memref.collapse_shape":
        group = operation.attributes["reassociation"][dim]
        product: Size | None = 1
        for source_dim in group:
            factor = size_of_dim(operation.operands[0], source_dim.value)
            if product is None or factor is None:
                return None
            product = factor if product == 1 else ("mul", product, factor)
        return product
    return None


def _is_entry_block(block: Any) -> bool:
    function = block.owner
    return function.operation.name == "func.func" and block == function.regions[0].blocks[0]


def _affine(operation: Any) -> Size | None:
    affine_map = operation.attributes["map"].value
    operands = [size_of_value(operand) for operand in operation.operands]
    results = [_affine_size(e, operands, affine_map.n_dims) for e in affine_map.results]
    found = results[0]
    for other in results[1:]:
        if found is None or other is None:
            return None
        found = operation.name.removeprefix("affine."), found, other
    return found


def _affine_size(expr: Any, operands: Sequence[Size | None], dims: int) -> Size | None:
    if isinstance(expr, ir.AffineConstantExpr):
        return expr.value
    if isinstance(expr, ir.AffineDimExpr):
        return operands[expr.position]
    if isinstance(expr, ir.AffineSymbolExpr):
        return operands[dims + expr.position]
    left = _affine_size(expr.lhs, operands, dims)
    right = _affine_size(expr.rhs, operands, dims)
    if left is None or right is None:
        return None
    for kind, op in _AFFINE.items():
        if isinstance(expr, kind):
            return op, left, right
    return None


_AFFINE: dict[Any, str] = {
    ir.AffineAddExpr: "add",
    ir.AffineMulExpr: "mul",
    ir.AffineModExpr: "mod",
    ir.AffineFloorDivExpr: "floordiv",
    ir.AffineCeilDivExpr: "ceildiv",
}
