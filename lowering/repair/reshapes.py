"""`tensor.reshape`, and reshapes to dynamic sizes: checked, and without rank 0.

Upstream does not check the sizes: a result of more elements than the operand has reads out of
bounds.
"""

import math
from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.asserts import require
from mlir_gs.lowering.ir.builders import arith, dense_constant, index, producer, tensor
from mlir_gs.lowering.ir.emit import (
    Ix,
    compare,
    dynamic_and_static,
    flat,
    floor_div,
    maximum,
    mul,
    product,
    size_of,
    value,
)
from mlir_gs.lowering.passes.registry import fail
from mlir_gs.lowering.repair.repairs import repairs


@repairs("tensor.reshape")
def reshape_by_sizes(op: ir.Operation) -> ir.Value:
    """A reshape by a tensor of sizes, which upstream makes a view without checking them.

    before: `tensor.reshape x(shape)`
    after:  `expand_shape(collapse_shape(x))`, under a `cf.assert` that the elements are as many

    Raises PassFailure for results without a rank.
    """
    operand, shape = op.operands
    result = op.results[0].type
    if not all(isinstance(each, ir.RankedTensorType) for each in (operand.type, result)):
        fail(op, f"'{op.name}' op operand and result must have a rank")
    sizes = [
        size if size != DYNAMIC else _element(shape, at) for at, size in enumerate(result.shape)
    ]
    return reshaped(op, operand, sizes, result)


def _has_nothing(op: ir.Operation) -> bool:
    return 0 in op.operands[0].type.shape


@repairs("tensor.collapse_shape", where=_has_nothing)
def collapse_of_nothing(op: ir.Operation) -> ir.Value:
    """before: `collapse_shape x : tensor<?x0xf32> into tensor<?xf32>`, which upstream refuses as a
    view of memory; after: `tensor.empty`, of the sizes that the dims have together."""
    (source,), result = op.operands, op.results[0].type
    groups = zip(op.attributes["reassociation"], result.shape, strict=True)
    sizes = [
        value(product(size_of(source, dim.value) for dim in group)) if size == DYNAMIC else size
        for group, size in groups
    ]
    return tensor.empty(sizes, result.element_type)


def _element(shape: ir.Value, at: int) -> Ix:
    constant = dense_constant(shape)
    if constant is not None:
        return int(ir.DenseIntElementsAttr(constant)[at])
    made = producer(shape, "tensor.from_elements")
    number = tensor.extract(shape, [index(at)]) if made is None else made.operands[at]
    if isinstance(number.type, ir.IndexType):
        return number
    return arith.index_cast(ir.IndexType.get(), number)


def reshaped(
    op: ir.Operation, operand: ir.Value, sizes: Sequence[Ix], result: ir.RankedTensorType
) -> ir.Value:
    """The elements of `operand` in their order, in a tensor of `sizes` and of the type `result`.

    Where the types leave open whether they are as many, a `cf.assert` checks it in the name of
    `op`. Raises PassFailure if they are known not to be.
    """
    _require_as_many(op, operand, sizes)
    return _expanded(flat(operand), sizes, result)


def _expanded(row: ir.Value, sizes: Sequence[Ix], result: ir.RankedTensorType) -> ir.Value:
    element = result.element_type
    if result.rank == 0:
        one = ir.RankedTensorType.get([1], element)
        row = row if row.type == one else tensor.cast(one, row)
        return tensor.collapse_shape(result, row, [])
    if row.type.shape == [0] or 0 in [size for size in sizes if isinstance(size, int)]:
        empty = tensor.empty(list(sizes), element)
        return empty if empty.type == result else tensor.cast(result, empty)
    if result.rank == 1:
        return row if row.type == result else tensor.cast(result, row)
    dynamic, static = dynamic_and_static(sizes)
    total = DYNAMIC if dynamic else math.prod(static)
    wanted = ir.RankedTensorType.get([total], element)
    row = row if row.type == wanted else tensor.cast(wanted, row)
    type_ = ir.RankedTensorType.get(static, element)
    made = tensor.expand_shape(type_, row, [list(range(result.rank))], dynamic, static)
    return made if made.type == result else tensor.cast(result, made)


def _require_as_many(op: ir.Operation, operand: ir.Value, sizes: Sequence[Ix]) -> None:
    count = product(size_of(operand, dim) for dim in range(operand.type.rank))
    whole: Ix = math.prod(size for size in sizes if isinstance(size, int))
    dynamic = [size for size in sizes if not isinstance(size, int)]
    message = "the result has not as many elements as the operand"
    if isinstance(count, int) and not dynamic:
        if count != whole:
            fail(op, f"'{op.name}' op {message}: {whole}, not {count}")
        return
    # Compare each size with the quotient that is left, so that no product overflows.
    holds, none = compare("eq", whole, 0), compare("eq", count, 0)
    fits = compare("sle", whole, maximum(count, 1))
    for size in dynamic:
        fits = arith.andi(fits, compare("sge", size, 0))
        holds = arith.ori(holds, compare("eq", size, 0))
        left = floor_div(value(maximum(count, 1)), value(maximum(whole, 1)))
        fits = arith.andi(fits, arith.ori(none, compare("sle", size, left)))
        whole = mul(whole, size)
    equal = arith.andi(fits, compare("eq", whole, count))
    right = arith.select(none, arith.andi(holds, _natural(dynamic)), equal)
    require(op, right, message)


def _natural(sizes: Sequence[Ix]) -> ir.Value:
    found = compare("sge", 0, 0)
    for size in sizes:
        found = arith.andi(found, compare("sge", size, 0))
    return found
