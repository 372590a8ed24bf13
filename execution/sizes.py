"""Sizes of results as expressions over the sizes and scalars of the arguments.

A size is followed back through the IR to the arguments. What is found is written twice: as Python,
to allocate a result before the call, and as LLVM dialect text, to check a given one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import ir


@dataclass(frozen=True)
class Size:
    """An integer expression: `op` is "constant", "size" (argument, dimension), "scalar" (argument)
    or an arithmetic operation over `operands`."""

    op: str
    values: tuple[int, ...] = ()
    operands: tuple["Size", ...] = ()


def constant(value: int) -> Size:
    """The expression for a number."""
    return Size("constant", (value,))


_ARITHMETIC = {
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.divsi": "div",
    "arith.maxsi": "max",
    "arith.minsi": "min",
    "arith.floordivsi": "floordiv",
    "arith.ceildivsi": "ceildiv",
    "index.add": "add",
    "index.sub": "sub",
    "index.mul": "mul",
    "index.divs": "div",
    "index.maxs": "max",
    "index.mins": "min",
    "index.floordivs": "floordiv",
    "index.ceildivs": "ceildiv",
}

_PREDICATES = {0: "eq", 1: "ne", 2: "slt", 3: "sle", 4: "sgt", 5: "sge"}

_SAME = ("arith.index_cast", "index.casts", "arith.extsi")


def size_of_value(value: Any) -> Size | None:
    """The expression for an SSA integer, or None if it depends on more than sizes and scalars."""
    if isinstance(value, ir.BlockArgument):
        if _is_entry_block(value.owner):
            return Size("scalar", (value.arg_number,))
        return None
    operation = value.owner
    name = operation.name
    if name in ("arith.constant", "index.constant"):
        attribute = operation.attributes["value"]
        return constant(attribute.value) if isinstance(attribute, ir.IntegerAttr) else None
    if name == "memref.dim":
        which = size_of_value(operation.operands[1])
        if which is None or which.op != "constant":
            return None
        return size_of_dim(operation.operands[0], which.values[0])
    if name in _SAME:
        return size_of_value(operation.operands[0])
    if name in ("affine.apply", "affine.min", "affine.max"):
        return _affine(operation)
    operands = [size_of_value(operand) for operand in operation.operands]
    known = tuple(operand for operand in operands if operand is not None)
    if len(known) != len(operands):
        return None
    if name in _ARITHMETIC:
        return Size(_ARITHMETIC[name], (), known)
    if name == "arith.select":
        return Size("select", (), known)
    if name == "arith.cmpi":
        predicate = operation.attributes["predicate"].value
        return Size(_PREDICATES[predicate], (), known) if predicate in _PREDICATES else None
    return None


def size_of_dim(value: Any, dim: int) -> Size | None:
    """The expression for a dimension of a memref, or None."""
    if not 0 <= dim < value.type.rank:
        return None
    if not value.type.is_dynamic_dim(dim):
        return constant(value.type.shape[dim])
    if isinstance(value, ir.BlockArgument):
        return Size("size", (value.arg_number, dim)) if _is_entry_block(value.owner) else None
    operation = value.owner
    if operation.name == "memref.cast":
        return size_of_dim(operation.operands[0], dim)
    if operation.name == "memref.alloc":
        dynamic = [d for d in range(value.type.rank) if value.type.is_dynamic_dim(d)]
        return size_of_value(operation.operands[dynamic.index(dim)])
    if operation.name == "memref.collapse_shape":
        group = operation.attributes["reassociation"][dim]
        product: Size | None = constant(1)
        for source_dim in group:
            factor = size_of_dim(operation.operands[0], source_dim.value)
            if product is None or factor is None:
                return None
            product = factor if product == constant(1) else Size("mul", (), (product, factor))
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
        found = Size(operation.name.removeprefix("affine."), (), (found, other))
    return found


def _affine_size(expr: Any, operands: Sequence[Size | None], dims: int) -> Size | None:
    if isinstance(expr, ir.AffineConstantExpr):
        return constant(expr.value)
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
            return Size(op, (), (left, right))
    return None


_AFFINE: dict[Any, str] = {
    ir.AffineAddExpr: "add",
    ir.AffineMulExpr: "mul",
    ir.AffineModExpr: "mod",
    ir.AffineFloorDivExpr: "floordiv",
    ir.AffineCeilDivExpr: "ceildiv",
}


def truncating_div(a: int, b: int) -> int:
    """`a / b` rounded toward zero, as `arith.divsi`."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_PYTHON = {
    "add": "({} + {})",
    "sub": "({} - {})",
    "mul": "({} * {})",
    "div": "truncating_div({}, {})",
    "floordiv": "({} // {})",
    "ceildiv": "(-(-{} // {}))",
    "mod": "({} % {})",
    "max": "max({}, {})",
    "min": "min({}, {})",
    "eq": "({} == {})",
    "ne": "({} != {})",
    "slt": "({} < {})",
    "sle": "({} <= {})",
    "sgt": "({} > {})",
    "sge": "({} >= {})",
}


def python_source(size: Size) -> str:
    """The expression in Python; argument `k` is called `a<k>`."""
    if size.op == "constant":
        return str(size.values[0])
    if size.op == "scalar":
        return f"int(a{size.values[0]})"
    if size.op == "size":
        argument, dim = size.values
        return f"a{argument}.shape[{dim}]"
    operands = [python_source(operand) for operand in size.operands]
    if size.op == "select":
        condition, chosen, other = operands
        return f"({chosen} if {condition} else {other})"
    return _PYTHON[size.op].format(*operands)


_LLVM = {
    "add": "llvm.add {}, {} : i64",
    "sub": "llvm.sub {}, {} : i64",
    "mul": "llvm.mul {}, {} : i64",
    "div": "llvm.sdiv {}, {} : i64",
    "max": "llvm.intr.smax({}, {}) : (i64, i64) -> i64",
    "min": "llvm.intr.smin({}, {}) : (i64, i64) -> i64",
}


def llvm_value(size: Size, emit: Callable[[str], str], leaf: Callable[[Size], str]) -> str:
    """Emit the expression; `emit` takes an operation's text and returns the name of its result,
    `leaf` gives the i64 of a size or scalar of an argument."""
    if size.op == "constant":
        return emit(f"llvm.mlir.constant({size.values[0]} : i64) : i64")
    if size.op in ("size", "scalar"):
        return leaf(size)
    operands = [llvm_value(operand, emit, leaf) for operand in size.operands]
    if size.op in _LLVM:
        return emit(_LLVM[size.op].format(*operands))
    if size.op == "select":
        return emit("llvm.select {}, {}, {} : i1, i64".format(*operands))
    if size.op in _PREDICATES.values():
        return emit('llvm.icmp "{}" {}, {} : i64'.format(size.op, *operands))
    return _rounded(size.op, operands[0], operands[1], emit)


def _rounded(op: str, a: str, b: str, emit: Callable[[str], str]) -> str:
    """Floor and ceiling division and the floor remainder, for a positive divisor."""
    zero = emit("llvm.mlir.constant(0 : i64) : i64")
    if op == "ceildiv":
        negated = emit(f"llvm.sub {zero}, {a} : i64")
        return emit(f"llvm.sub {zero}, {_rounded('floordiv', negated, b, emit)} : i64")
    remainder = emit(f"llvm.srem {a}, {b} : i64")
    negative = emit(f'llvm.icmp "slt" {remainder}, {zero} : i64')
    if op == "mod":
        lifted = emit(f"llvm.add {remainder}, {b} : i64")
        return emit(f"llvm.select {negative}, {lifted}, {remainder} : i1, i64")
    borrow = emit(f"llvm.sext {negative} : i1 to i64")
    quotient = emit(f"llvm.sdiv {a}, {b} : i64")
    return emit(f"llvm.add {quotient}, {borrow} : i64")
