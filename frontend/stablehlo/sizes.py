"""StableHLO's ops on sizes that are known at run time, where upstream has no legalization."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import computed, cut_to
from mlir_gs.frontend.stablehlo.common import UPSTREAM, arith, element, tensor
from mlir_gs.lowering.ir.asserts import require
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import Ix, compare, size_of, value
from mlir_gs.lowering.passes.diagnostics import location_text
from mlir_gs.lowering.repair.reshapes import reshaped

cf = dialect("cf")
BOUNDED = Refusal(
    "sizes that are below a static bound",
    "must have a result of dynamic size in the dimension that is set, found {found}",
)


@UPSTREAM.converts("stablehlo.get_dimension_size", {"every form": "`tensor.dim`"})
def convert_get_dimension_size(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.get_dimension_size` --> `tensor.dim`, as an integer of the result type."""
    type_ = op.results[0].type
    extent = dim_of(op.operands[0], ir.IntegerAttr(op.attributes["dimension"]).value)
    return [tensor.from_elements(type_, [arith.index_cast(type_.element_type, extent)])]


@UPSTREAM.converts(
    "stablehlo.dynamic_broadcast_in_dim",
    {
        "dims of the operand that are known to expand or not": "left to upstream",
        "others": "`linalg.generic` that compares each size with 1",
    },
)
def convert_dynamic_broadcast_in_dim(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.dynamic_broadcast_in_dim` with dims of which only the run shows if they expand."""
    operand, shape = op.operands
    result, dims = op.results[0].type, list(op.attributes["broadcast_dimensions"])
    expanding, plain = (
        list(op.attributes[name]) if name in op.attributes else []
        for name in ("known_expanding_dimensions", "known_nonexpanding_dimensions")
    )
    sizes = [
        element(shape, dim) if size == DYNAMIC else size for dim, size in enumerate(result.shape)
    ]

    def require_fit(dim: int, given: Ix, wanted: Ix) -> None:
        text = f"size of dimension {dim} of 'operand' must be 1, or that of the result"
        cf.AssertOp(
            compare("eq", given, wanted),
            f"{location_text(op.location)}: 'stablehlo.dynamic_broadcast_in_dim' op, {text}",
        )

    open_dims = []
    for dim, given in enumerate(operand.type.shape):
        wanted = sizes[dims[dim]]
        if given == DYNAMIC and dim not in (*expanding, *plain) and wanted != 1:
            open_dims.append(dim)
        elif given not in (1, wanted):
            require_fit(dim, size_of(operand, dim), 1 if dim in expanding else wanted)
    if not open_dims:
        clone = op.operation.clone()
        return list(clone.results)
    expands = {dim: compare("eq", dim_of(operand, dim), 1) for dim in open_dims}
    zero = index(0)
    for dim, expands_here in expands.items():
        wanted = value(sizes[dims[dim]])
        require_fit(dim, arith.select(expands_here, wanted, dim_of(operand, dim)), wanted)

    def read(where: Sequence[ir.Value]) -> ir.Value:
        at = []
        for dim, target in enumerate(dims):
            if dim in expands:
                at.append(arith.select(expands[dim], zero, where[target]))
            else:
                is_one = operand.type.shape[dim] == 1 or dim in expanding
                at.append(zero if is_one else where[target])
        return tensor.extract(operand, at)

    return [computed(sizes, result.element_type, read)]


@UPSTREAM.converts(
    "stablehlo.dynamic_reshape",
    {
        "every form": "`tensor.collapse_shape` to one dim, `tensor.expand_shape`, after a check "
        "that the sizes hold as many elements"
    },
)
def convert_dynamic_reshape(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.dynamic_reshape` --> all elements in a row, then the dims of the result."""
    operand, shape = op.operands
    result = op.results[0].type
    sizes = [
        element(shape, dim) if size == DYNAMIC else size for dim, size in enumerate(result.shape)
    ]
    return [reshaped(op.operation, operand, sizes, result)]


@UPSTREAM.converts(
    "stablehlo.set_dimension_size",
    {"a result whose size is known at run time": "`tensor.extract_slice`, after a check"},
    refuses=(BOUNDED,),
)
def convert_set_dimension_size(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.set_dimension_size` --> the first elements; upstream makes IR that does not verify
    of bounded sizes and of unsigned elements."""
    operand, wanted = op.operands
    result, dim = op.results[0].type, ir.IntegerAttr(op.attributes["dimension"]).value
    if result.shape[dim] != DYNAMIC:
        raise BOUNDED(found=result)
    extent, count = value(size_of(operand, dim)), value(element(wanted, 0))
    # A negative size is a large unsigned number.
    message = f"'size' must be at least 0 and at most that of dimension {dim} of 'operand'"
    require(op.operation, compare("ule", count, extent), message)
    sizes = [count if d == dim else size_of(operand, d) for d in range(operand.type.rank)]
    return [cut_to(operand, sizes)]


@UPSTREAM.converts(
    "stablehlo.reverse",
    {
        "dims of static sizes": "left to upstream",
        "others": "`linalg.generic` that reads from the end",
    },
)
def convert_reverse(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.reverse` of dims whose sizes are known at run time."""
    (operand,) = op.operands
    type_, dims = operand.type, list(op.attributes["dimensions"])
    if all(type_.shape[dim] != DYNAMIC for dim in dims):
        return list(op.operation.clone().results)
    last = {dim: arith.subi(dim_of(operand, dim), index(1)) for dim in dims}
    sizes = [
        dim_of(operand, dim) if size == DYNAMIC else size for dim, size in enumerate(type_.shape)
    ]

    def read(where: Sequence[ir.Value]) -> ir.Value:
        at = [
            arith.subi(last[dim], place) if dim in last else place
            for dim, place in enumerate(where)
        ]
        return tensor.extract(operand, at)

    return [computed(sizes, type_.element_type, read)]
