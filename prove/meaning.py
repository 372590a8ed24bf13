"""A function as terms: its results, what may go wrong, and what is known of its folds."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import z3
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.scalar import scalar_type
from mlir_gs.dialect.reference.types import constant_value, is_shaped, site
from mlir_gs.prove import opaque, symbolic
from mlir_gs.prove.generic import by_nest, nest_of
from mlir_gs.prove.linalg import linalg_nest
from mlir_gs.prove.loops import Loops
from mlir_gs.prove.memory import Memory, View
from mlir_gs.prove.named import NAMED
from mlir_gs.prove.overlaps import shown
from mlir_gs.prove.poison import Flags
from mlir_gs.prove.runs import bits
from mlir_gs.prove.scalars import DIALECTS, apply, literal
from mlir_gs.prove.shapes import SHAPES, spelled_out
from mlir_gs.prove.symbolic import stands_for
from mlir_gs.prove.symbols import symbols_of
from mlir_gs.prove.terms import Element, Item, every, in_range, inside, is_integer
from mlir_gs.prove.values import Side, Tensor, Unsupported, Value, chosen_value, given
from mlir_gs.prove.vectors import VECTORS

_NESTS = {"gs.generic": by_nest(nest_of), "linalg.generic": by_nest(linalg_nest)}
_OPS = {**SHAPES, **NAMED, **VECTORS, **_NESTS}
_TERMINATORS = ("func.return", "gs.yield", "linalg.yield", "tensor.yield", "scf.yield")
# Ops whose operands are moved and not looked at; those of which the first one is.
_MOVED = ("tensor.from_elements", "linalg.generic", "gs.generic")
_MOVED_FIRST = dict.fromkeys(
    ("tensor.insert", "tensor.splat", "vector.broadcast", "vector.splat"), (0,)
)
# Ops that keep the bits of a NaN, or change its sign.
_BITWISE = ("arith.bitcast", "arith.negf", "arith.select", "math.absf", "math.copysign")
# Functions of ours that report an error and do not return.
_RAISES = "__gs_raise_"


def _is_given(value: Any) -> bool:
    """An argument of a function or a constant: its bits are known."""
    if isinstance(value.owner, ir.Block):
        return value.owner.owner.operation.name == "func.func"
    return value.owner.name == "arith.constant"


class Meaning:
    """What one function computes on the arguments `arg0`, `arg1`, ..."""

    def __init__(
        self, name: str, function: Any, flags: Flags = True, end: float = math.inf
    ) -> None:
        self.side, self.end = Side(name, flags=flags), end
        self.calls: list[str] = []
        self.bits: set[bool] = set()
        self.values: dict[Any, Value] = {}
        self.dims: tuple[z3.ArithRef, ...] = ()
        self.memory = Memory(self.side, self.values)
        self.side.facts += symbolic.known()
        block = function.regions[0].blocks[0]
        if len(function.regions[0].blocks) > 1:
            raise Unsupported("branches between blocks")
        for n, value in enumerate(block.arguments):
            held, known = given(f"arg{n}", value.type)
            self.values[value] = self.memory.new(held, f"arg{n}") if is_memref(value) else held
            self.side.facts += known
        given_ = [self.values[value] for value in block.arguments]
        found = self.run(block)
        self.memory.leave(found, 0)
        self.results = [self._held(value) for value in found]
        # Of results that are memory, the one that they share with others.
        self.shared = shown(self.memory, found, function)
        # What arguments hold in the end.
        self.arguments = [self._held(value) for value in given_]

    def _held(self, value: Any) -> Any:
        return self.memory.held(value) if isinstance(value, View) else value

    def run(self, block: Any) -> list[Any]:
        """The operands of the terminator."""
        for view in block.operations:
            op = view.operation
            if op.name in _TERMINATORS:
                return [self.values[operand] for operand in op.operands]
            self._run_op(op)
        return []

    def _run_op(self, op: Any) -> None:
        try:
            found = self._op(op)
        except Unsupported as problem:
            if problem.args[0].startswith("at "):
                raise
            raise Unsupported(f"at {site(op.location)}: {problem}") from None
        for result, value in zip(op.results, found, strict=True):
            self.values[result] = value
        if "gs.ascending" in op.attributes:
            self._ascends(op, found[0])

    def _ascends(self, op: Any, value: Any) -> None:
        """The promise that the result ascends along the dim of the op."""
        if "dim" not in op.attributes:
            raise Unsupported(f"'gs.ascending' on '{op.name}'")
        dim = op.attributes["dim"].value
        at = self.side.new_indices(len(value.shape))
        (other,) = self.side.new_indices(1)
        later = (*at[:dim], other, *at[dim + 1 :])
        box = [*inside(at, value.shape), *inside(later, value.shape)]
        with self.side.under([*at, other], box):
            descends = z3.And(at[dim] < other, value.at(later) < value.at(at))
            self.side.is_undefined(descends, "a result that descends under gs.ascending")

    def _run_inner(
        self, block: Any, arguments: Sequence[z3.ExprRef], dims: tuple[z3.ArithRef, ...] = ()
    ) -> list[z3.ExprRef]:
        for argument, value in zip(block.arguments, arguments, strict=True):
            self.values[argument] = value
        outer, self.dims = self.dims, dims or self.dims
        try:
            return self.run(block)
        finally:
            self.dims = outer

    def _op(self, op: Any) -> Sequence[Value]:
        if time.monotonic() > self.end:
            raise Unsupported("all of the function in the time limit")
        if op.name == "arith.constant" or op.name == "complex.constant":
            return [_constant(self.side, op)]
        if op.name == "linalg.index":
            return [self.dims[op.attributes["dim"].value]]
        if op.name == "cf.assert":
            holds = self.side.used(self.values[op.operands[0]], "an assertion")
            self.side.fails(z3.Not(holds), "an assertion does not hold")
            return []
        if op.name == "func.call":
            return self._call(op)
        if op.name in ("scf.if", "scf.index_switch"):
            return self.memory.branches(op, lambda block, _: self.run(block), chosen_value)
        if op.name in ("scf.for", "scf.forall"):
            loops = Loops(self.side, self.values, self.memory, self._run_op, self._run_inner)
            with self._used(op, range(3 if op.name == "scf.for" else len(op.operands))):
                return loops.results(op) if op.name == "scf.for" else loops.in_parallel(op)
        found = self.memory.run(op, self._run_inner)
        if found is not None:
            return found
        if any(map(is_memref, op.operands)) and not len(op.regions):
            raise Unsupported(f"what '{op.name}' does to memory is not stated here")
        handler = _OPS.get(op.name)
        if handler is not None and not any(is_memref(v) for v in op.operands):
            moved = range(len(op.operands)) if op.name in _MOVED else _MOVED_FIRST.get(op.name, ())
            with self._used(op, [n for n in range(len(op.operands)) if n not in moved]):
                return handler(self.side, op, self.values, self._run_inner)
        is_elementwise = op.name.startswith(DIALECTS) or _is_retyped(op)
        if is_elementwise and len(op.results) == 1 and not len(op.regions):
            return [self._elementwise(op)]
        found = opaque.results(self.side, op)
        if found is None:
            raise Unsupported(f"the meaning of '{op.name}' is not stated here")
        return found

    @contextmanager
    def _used(self, op: Any, numbers: Sequence[int]) -> Iterator[None]:
        """What `op` does hangs on these operands, where they are numbers."""
        before = {}
        for n in numbers:
            item = self.values.get(op.operands[n])
            if isinstance(item, Element):
                before[op.operands[n]] = item
                self.values[op.operands[n]] = self.side.used(item, f"an operand of '{op.name}'")
        try:
            yield
        finally:
            self.values.update(before)

    def _call(self, op: Any) -> list[Any]:
        name = op.attributes["callee"].value
        if name.startswith(_RAISES):
            self.side.fails(z3.BoolVal(True), "an error is raised")
            return []
        callee = symbols_of(op).get(name)
        blocks = list(callee.regions[0].blocks) if callee is not None else []
        if len(blocks) != 1 or name in self.calls:
            raise Unsupported(f"a call of @{name}, which is no function of one block")
        self.calls.append(name)
        outer, self.side.is_called = self.side.is_called, True
        arguments = [self.values[operand] for operand in op.operands]
        first = len(self.memory.contents)
        try:
            found = self._run_inner(blocks[0], arguments)
            self.memory.leave(found, first)
            return found
        finally:
            self.calls.pop()
            self.side.is_called = outer

    def _elementwise(self, op: Any) -> Value:
        # What floats compute is known up to the bits of a NaN, which a bitcast or a sign shows.
        is_number = is_integer(scalar_type(op.results[0].type))
        shows = op.name == "math.copysign" and not _is_given(op.operands[1])
        shows |= op.name == "arith.bitcast" and not is_integer(scalar_type(op.operands[0].type))
        self.bits |= {shows} if shows or not (is_number or op.name in _BITWISE) else set()
        if len(self.bits) > 1:
            raise Unsupported("which bits a NaN has")
        operands = [self.values[operand] for operand in op.operands]

        def record(condition: z3.BoolRef) -> None:
            self.side.is_undefined(condition, f"'{op.name}' without a result")

        tensors = [operand for operand in operands if isinstance(operand, Tensor)]
        if not tensors and is_shaped(op.results[0].type):
            raise Unsupported(f"'{op.name}' of all elements at once")
        if not tensors:
            return apply(op, operands, record, self.side.flags)
        shape = tensors[0].shape
        for other in tensors[1:]:
            for n, m in zip(shape, other.shape, strict=True):
                self.side.is_undefined(n != m, f"sizes of {op.name} that differ")

        def at(index: Sequence[z3.ArithRef]) -> Item:
            elements = [o.at(index) if isinstance(o, Tensor) else o for o in operands]
            return apply(op, elements, record, self.side.flags)

        return self.side.tensor(shape, op.results[0].type.element_type, at)


def _is_retyped(op: Any) -> bool:
    """From an integer type to one of the same bits."""
    types = [scalar_type(value.type) for value in (*op.operands, *op.results)]
    widths = [type_.width for type_ in types if isinstance(type_, ir.IntegerType)]
    is_one = len(types) == len(widths) == 2 and widths[0] == widths[1]
    return is_one and op.name == "builtin.unrealized_conversion_cast"


def is_memref(value: ir.Value) -> bool:
    return isinstance(value.type, (ir.MemRefType, ir.UnrankedMemRefType))


def _in_type(side: Side, term: z3.ArithRef, element: Any) -> z3.ArithRef:
    side.is_undefined(z3.Not(every(in_range(term, element))), "a constant beyond its type")
    return term


def _constant(side: Side, op: Any) -> Value:
    type_ = op.results[0].type
    if not is_shaped(type_):
        return literal(constant_value(op), type_)
    array, element = constant_value(op), type_.element_type
    shape = tuple(stands_for(n) for n in type_.shape)
    known = symbolic.elements(array)
    if known is not None:
        return side.tensor(shape, element, lambda index: _in_type(side, known(index), element))
    flat = array.reshape(-1)
    if flat.size and np.all(bits(flat) == bits(flat[:1])):
        return side.tensor(shape, element, lambda _: literal(flat[0], element))
    if flat.size == 0:
        value, _ = given(f"nothing of {type_}", type_)
        return value
    return spelled_out(side, array, type_)
