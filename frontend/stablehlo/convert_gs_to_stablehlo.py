"""`convert-gs-to-stablehlo`: the way out, for compilers that take StableHLO."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.frontend.stablehlo.combine import Combine
from mlir_gs.frontend.stablehlo.common import fill_combiner, register_dialects, stablehlo
from mlir_gs.frontend.stablehlo.constants import sliced
from mlir_gs.frontend.stablehlo.points import Points, numbers
from mlir_gs.lowering.ir.builders import replace_op, walk
from mlir_gs.lowering.passes.registry import fail, register_pass

_WIDTHS = (2, 4, 8, 16, 32, 64)


@register_pass
@dataclass(frozen=True)
class ConvertGsToStablehlo:
    """Convert `gs` ops to StableHLO.

    `gs.gather`, `gs.scatter` and `gs.strided_slice` become one op where one says the same. Others
    of static sizes, one input and one output become one gather or scatter by their maps, after
    arithmetic on the coordinates: bounds, negative ones, fill values. StableHLO combines in any
    order: sums of floats may round otherwise. Where the last of several updates stays, the scatter
    is one of numbers, the largest of which says which update it is. An op that has no form is an
    error: mode `error`, bodies of several ops, `gs.histogram`. Run `gs-specialize` before, which
    finds named ops.
    """

    name: ClassVar[str] = "convert-gs-to-stablehlo"

    def run(self, module: ir.Operation) -> None:
        register_dialects(module.context)
        for op in walk(module):
            if not op.name.startswith("gs.") or op.name == "gs.yield":
                continue
            if op.name == "gs.histogram":
                fail(op, f"'{op.name}' op has no form in StableHLO")
            for value in (*op.operands, *op.results):
                _check_elements(op, value.type)
            with op.location, ir.InsertionPoint(op):
                result = _DIRECT[op.name](op) if _is_direct(op) else Points(op).result()
            replace_op(op, [result])
        for op in reversed(walk(module)):
            if op.name.startswith("tensor."):
                _around(op)


def _around(op: ir.Operation) -> None:
    """What passes leave around ops of gs: reshapes, and tensors that nothing reads."""
    if not len(op.results):
        fail(op, f"'{op.name}' op has no form in StableHLO")
    result = op.results[0]
    if not list(result.uses):
        op.erase()
    elif op.name in _RESHAPES and result.type.has_static_shape:
        with op.location, ir.InsertionPoint(op):
            replace_op(op, [stablehlo("reshape", result.type, op.operands[0])])
    elif op.name == "tensor.extract_slice" and len(op.operands) == 1:
        with op.location, ir.InsertionPoint(op):
            replace_op(op, [_slice(op)])
    else:
        fail(op, f"'{op.name}' op has no form in StableHLO")


def _slice(op: ir.Operation) -> ir.Value:
    """A slice of constants, which may leave out dims of size 1."""
    starts, sizes, strides = (
        list(op.attributes[f"static_{name}"]) for name in ("offsets", "sizes", "strides")
    )
    ends = [a + (n - 1) * by + 1 for a, n, by in zip(starts, sizes, strides, strict=True)]
    result, found = op.results[0].type, sliced(op.operands[0], starts, ends, strides)
    return found if found.type == result else stablehlo("reshape", result, found)


def _is_direct(op: ir.Operation) -> bool:
    """Whether one op of StableHLO is all that it needs."""
    if op.name not in _MODES:
        return op.name in _DIRECT
    bounds = Bounds.of(op.opview)
    indices = op.operands[-1].type.element_type
    if bounds.mode not in _MODES[op.name] or bounds.wrap_negative or indices.width == 1:
        return False
    if op.name == "gs.gather":
        return 0 not in op.operands[0].type.shape
    return not Combine(op).keeps_update or "unique" in op.attributes


def _gather(op: ir.Operation) -> ir.Value:
    source, indices = op.operands
    dims, batch = list(op.attributes["gather_dims"]), batch_dims(op.opview)
    sizes = [
        1 if dim < batch or dim in dims else size for dim, size in enumerate(source.type.shape)
    ]
    for dim, size in enumerate(sizes):
        if size == DYNAMIC:
            fail(op, f"'gs.gather' op has no form in StableHLO: 'source' has size ? in {dim}")
    leading = indices.type.rank - 1
    offsets = range(leading, op.results[0].type.rank)
    found = numbers(
        "gather",
        offset_dims=offsets,
        collapsed_slice_dims=dims if len(offsets) + batch < source.type.rank else (),
        operand_batching_dims=range(batch),
        start_indices_batching_dims=range(batch),
        start_index_map=dims,
        index_vector_dim=leading,
    )
    return stablehlo(
        "gather",
        op.results[0].type,
        source,
        indices,
        dimension_numbers=found,
        slice_sizes=ir.DenseI64ArrayAttr.get(sizes),
        indices_are_sorted=ir.BoolAttr.get("sorted" in op.attributes and not batch),
    )


def _scatter(op: ir.Operation) -> ir.Value:
    updates, dest, indices = op.operands
    combine = Combine(op)
    dims, batch = list(op.attributes["scatter_dims"]), batch_dims(op.opview)
    leading = indices.type.rank - 1
    windows = range(leading, updates.type.rank)
    found = numbers(
        "scatter",
        update_window_dims=windows,
        inserted_window_dims=dims if len(windows) + batch < dest.type.rank else (),
        input_batching_dims=range(batch),
        scatter_indices_batching_dims=range(batch),
        scatter_dims_to_operand_dims=dims,
        index_vector_dim=leading,
    )
    attributes = {
        "scatter_dimension_numbers": found,
        "indices_are_sorted": ir.BoolAttr.get("sorted" in op.attributes and not batch),
        "unique_indices": ir.BoolAttr.get("unique" in op.attributes),
    }
    made = ir.Operation.create(
        "stablehlo.scatter", [dest.type], [dest, indices, updates], attributes, regions=1
    )
    fill_combiner(made, dest.type.element_type, combine.emit)
    return made.result


def _strided_slice(op: ir.Operation) -> ir.Value:
    source, result = op.operands[0], op.results[0].type
    if not (source.type.has_static_shape and result.has_static_shape):
        fail(op, "'gs.strided_slice' op has no form in StableHLO: its sizes must be static")
    starts, limits, strides, backwards = [], [], [], []
    where = op.opview.structure().inputs[0].map.results
    for dim, (expr, size) in enumerate(zip(where, result.shape, strict=True)):
        form = linear(expr)
        assert form is not None
        stride = form.dims.get(dim, 1)
        ends = sorted((form.constant, form.constant + stride * (size - 1)))
        starts.append(ends[0])
        limits.append(ends[1] + 1)
        strides.append(abs(stride))
        backwards += [dim] if stride < 0 else []
    found = sliced(source, starts, limits, strides)
    if not backwards:
        return found
    return stablehlo("reverse", result, found, dimensions=ir.DenseI64ArrayAttr.get(backwards))


_DIRECT = {
    "gs.gather": _gather,
    "gs.scatter": _scatter,
    "gs.strided_slice": _strided_slice,
}
_MODES = {
    "gs.gather": ("promise_in_bounds", "clip"),
    "gs.scatter": ("promise_in_bounds", "drop"),
}
_RESHAPES = ("tensor.expand_shape", "tensor.collapse_shape")


def _check_elements(op: ir.Operation, type_: ir.Type) -> None:
    if not isinstance(type_, ir.RankedTensorType):
        fail(op, f"'{op.name}' op has no form in StableHLO: it is on memrefs")
    element = type_.element_type
    is_one = not isinstance(element, ir.IndexType)
    if isinstance(element, ir.IntegerType):
        is_one = not element.is_signed and element.width in (*_WIDTHS, 1)
    if not is_one:
        fail(op, f"'{op.name}' op has no form in StableHLO: it has elements of {element}")
