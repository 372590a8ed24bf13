"""Tensors of integers whose elements are known at compile time: constants, iotas, sums of those."""

from collections.abc import Callable
from math import prod

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC

# The most elements of a tensor that is evaluated.
MOST = 1 << 16
# The most ops of a chain that are followed at once.
_DEEPEST = 16


Elements = np.ndarray | None
Look = Callable[[ir.Value], Elements]


class Known:
    """The known elements of tensors, each looked for once; the IR must stay as it is.

    Looked up in program order, chains of any length are followed.
    """

    def __init__(self) -> None:
        self._found: dict[ir.Value, Elements] = {}
        self._depth = 0

    def __call__(self, value: ir.Value) -> Elements:
        """The elements of `value` as int64 in its shape, where they are known; else None."""
        if value not in self._found:
            if self._depth == _DEEPEST:
                return None
            self._depth += 1
            self._found[value] = self._evaluate(value)
            self._depth -= 1
        return self._found[value]

    def _evaluate(self, value: ir.Value) -> Elements:
        type_, owner = value.type, value.owner
        if not isinstance(owner, (ir.Operation, ir.OpView)):
            return None
        evaluate = _KNOWN.get(owner.operation.name)
        if evaluate is None or not isinstance(type_, ir.RankedTensorType):
            return None
        if DYNAMIC in type_.shape or prod(type_.shape) > MOST:
            return None
        found = evaluate(owner.operation, self) if _is_plain(type_.element_type) else None
        return None if found is None else _wrapped(found, type_.element_type).reshape(type_.shape)


def _is_plain(type_: ir.Type) -> bool:
    """index, or a signless integer that is read as a signed one and fits in 64 bits."""
    if isinstance(type_, ir.IndexType):
        return True
    return isinstance(type_, ir.IntegerType) and type_.is_signless and 1 < type_.width <= 64


def _wrapped(values: np.ndarray, type_: ir.Type) -> np.ndarray:
    if isinstance(type_, ir.IndexType) or type_.width == 64:
        return values
    half = 1 << (type_.width - 1)
    return ((values + half) & (2 * half - 1)) - half


def _constant(op: ir.Operation, _: Look) -> Elements:
    attribute = op.attributes["value"]
    if not isinstance(attribute, ir.DenseIntElementsAttr):
        return None
    shape = list(attribute.type.shape)
    if attribute.is_splat:
        return np.full(shape, _signed(attribute.get_splat_value().value), np.int64)
    return np.array([_signed(v) for v in attribute], np.int64).reshape(shape)


def _signed(number: int) -> int:
    """The bindings give elements of type index without a sign."""
    return number - (1 << 64) if number >= 1 << 63 else number


def _same_elements(op: ir.Operation, look: Look) -> Elements:
    return look(op.operands[0])


def _both(combine: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> "Evaluate":
    def evaluate(op: ir.Operation, look: Look) -> Elements:
        a, b = look(op.operands[0]), look(op.operands[1])
        if a is None or b is None:
            return None
        with np.errstate(over="ignore"):
            return combine(a, b)

    return evaluate


def _generate(op: ir.Operation, _: Look) -> Elements:
    """tensor.generate that yields one of its indices, cast or not."""
    block = op.regions[0].blocks[0]
    yielded = list(block.operations)[-1].operands[0]
    while not isinstance(yielded.owner, ir.Block):
        inner = yielded.owner.operation
        if inner.name not in ("arith.index_cast", "arith.extsi"):
            return None
        yielded = inner.operands[0]
    dims = [n for n, argument in enumerate(block.arguments) if argument == yielded]
    return np.indices(op.results[0].type.shape)[dims[0]] if dims else None


Evaluate = Callable[[ir.Operation, Look], Elements]
_KNOWN: dict[str, Evaluate] = {
    "arith.constant": _constant,
    "arith.extsi": _same_elements,
    "arith.index_cast": _same_elements,
    "arith.addi": _both(np.add),
    "arith.subi": _both(np.subtract),
    "arith.muli": _both(np.multiply),
    "tensor.cast": _same_elements,
    "tensor.collapse_shape": _same_elements,
    "tensor.expand_shape": _same_elements,
    "tensor.generate": _generate,
}
