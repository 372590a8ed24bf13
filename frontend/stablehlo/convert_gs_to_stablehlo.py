"""`convert-gs-to-stablehlo`: the way out, for compilers that take StableHLO."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.frontend.stablehlo.common import register_dialects, stablehlo
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.ir.combiners import combiner_kind
from mlir_gs.lowering.passes.registry import fail, register_pass

_COMBINERS = {
    "arith.addf": "add", "arith.addi": "add", "arith.mulf": "multiply", "arith.muli": "multiply",
    "arith.minimumf": "minimum", "arith.maximumf": "maximum", "arith.minsi": "minimum",
    "arith.maxsi": "maximum", "arith.andi": "and", "arith.ori": "or", "arith.xori": "xor",
}  # fmt: skip
# On booleans, others mean something else there.
_LOGICAL = ("and", "or", "xor")
_WIDTHS = (2, 4, 8, 16, 32, 64)


@register_pass
@dataclass(frozen=True)
class ConvertGsToStablehlo:
    """Convert `gs.gather`, `gs.scatter` and `gs.strided_slice` to StableHLO, where it has the form.

    A gather keeps within bounds (`promise_in_bounds`, `clip`), a scatter drops what lies outside
    (`promise_in_bounds`, `drop`). StableHLO combines in any order: sums of floats may round
    otherwise, and a scatter without a combiner must be `unique`. Slices have static sizes. An op
    that StableHLO has no form for is an error. Run `gs-specialize` before: `gs.generic` has none.
    """

    name: ClassVar[str] = "convert-gs-to-stablehlo"

    def run(self, module: ir.Operation) -> None:
        register_dialects(module.context)
        for op in walk(module):
            if not op.name.startswith("gs.") or op.name == "gs.yield":
                continue
            convert = _CONVERSIONS.get(op.name)
            if convert is None:
                fail(op, f"'{op.name}' op has no form in StableHLO")
            with op.location, ir.InsertionPoint(op):
                result = convert(op)
            op.results[0].replace_all_uses_with(result)
            op.erase()


def _gather(op: ir.Operation) -> ir.Value:
    source, indices = op.operands
    _check(op, "source", source.type, "indices", indices.type, ("promise_in_bounds", "clip"))
    dims, batch = list(op.attributes["gather_dims"]), batch_dims(op.opview)
    sizes = [
        1 if dim < batch or dim in dims else size for dim, size in enumerate(source.type.shape)
    ]
    for dim, size in enumerate(sizes):
        if size == DYNAMIC or source.type.shape[dim] == 0:
            found = "?" if size == DYNAMIC else 0
            fail(op, f"'gs.gather' op has no form in StableHLO: 'source' has size {found} in {dim}")
    leading = indices.type.rank - 1
    offsets = range(leading, op.results[0].type.rank)
    numbers = _numbers(
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
        dimension_numbers=numbers,
        slice_sizes=ir.DenseI64ArrayAttr.get(sizes),
        indices_are_sorted=ir.BoolAttr.get("sorted" in op.attributes and not batch),
    )


def _scatter(op: ir.Operation) -> ir.Value:
    updates, dest, indices = op.operands
    _check(op, "dest", dest.type, "indices", indices.type, ("promise_in_bounds", "drop"))
    combine = _combiner(op, dest.type.element_type)
    dims, batch = list(op.attributes["scatter_dims"]), batch_dims(op.opview)
    leading = indices.type.rank - 1
    windows = range(leading, updates.type.rank)
    numbers = _numbers(
        "scatter",
        update_window_dims=windows,
        inserted_window_dims=dims if len(windows) + batch < dest.type.rank else (),
        input_batching_dims=range(batch),
        scatter_indices_batching_dims=range(batch),
        scatter_dims_to_operand_dims=dims,
        index_vector_dim=leading,
    )
    attributes = {
        "scatter_dimension_numbers": numbers,
        "indices_are_sorted": ir.BoolAttr.get("sorted" in op.attributes and not batch),
        "unique_indices": ir.BoolAttr.get("unique" in op.attributes),
    }
    made = ir.Operation.create(
        "stablehlo.scatter", [dest.type], [dest, indices, updates], attributes, regions=1
    )
    element = ir.RankedTensorType.get([], dest.type.element_type)
    block = made.regions[0].blocks.append(element, element, arg_locs=[op.location] * 2)
    with ir.InsertionPoint(block):
        current, update = block.arguments
        new = stablehlo(combine, element, current, update) if combine else update
        ir.Operation.create("stablehlo.return", [], [new])
    return made.result


def _combiner(op: ir.Operation, element: ir.Type) -> str:
    """StableHLO's op of the combiner; empty where the last update stays."""
    if not len(op.regions[0].blocks):
        if "unique" not in op.attributes:
            fail(
                op,
                "'gs.scatter' op has no form in StableHLO: without a combiner it must be unique, "
                "as updates come in any order there",
            )
        return ""
    kind = combiner_kind(op.regions[0]) or "a combiner of several ops"
    combine = _COMBINERS.get(kind)
    is_boolean = isinstance(element, ir.IntegerType) and element.width == 1
    if combine is None or (is_boolean and combine not in _LOGICAL):
        fail(op, f"'gs.scatter' op has no form in StableHLO: it combines by {kind} on {element}")
    return combine


def _strided_slice(op: ir.Operation) -> ir.Value:
    source, result = op.operands[0], op.results[0].type
    _check_elements(op, "source", source.type)
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
    arrays = {"start_indices": starts, "limit_indices": limits, "strides": strides}
    attributes = {name: ir.DenseI64ArrayAttr.get(array) for name, array in arrays.items()}
    found = stablehlo("slice", result, source, **attributes)
    if not backwards:
        return found
    return stablehlo("reverse", result, found, dimensions=ir.DenseI64ArrayAttr.get(backwards))


_CONVERSIONS = {
    "gs.gather": _gather,
    "gs.scatter": _scatter,
    "gs.strided_slice": _strided_slice,
}


def _numbers(kind: str, index_vector_dim: int, **dims: "list[int] | range | tuple") -> ir.Attribute:
    lists = ", ".join(f"{name} = [{', '.join(map(str, d))}]" for name, d in dims.items() if len(d))
    inner = f"{lists}, " if lists else ""
    return ir.Attribute.parse(f"#stablehlo.{kind}<{inner}index_vector_dim = {index_vector_dim}>")


def _check(
    op: ir.Operation,
    name: str,
    operand: ir.Type,
    indices_name: str,
    indices: ir.Type,
    modes: tuple[str, ...],
) -> None:
    bounds = Bounds.of(op.opview)
    if bounds.mode not in modes or bounds.wrap_negative:
        found = "wrap_negative" if bounds.wrap_negative else f"mode '{bounds.mode}'"
        listed = " or ".join(modes)
        fail(op, f"'{op.name}' op has no form in StableHLO: it must be {listed}, found {found}")
    _check_elements(op, name, operand)
    _check_elements(op, indices_name, indices, least=2)


def _check_elements(op: ir.Operation, name: str, type_: ir.Type, least: int = 1) -> None:
    element = type_.element_type
    is_one = not isinstance(element, ir.IndexType)
    if isinstance(element, ir.IntegerType):
        is_one = not element.is_signed and element.width in (*_WIDTHS, 1) and element.width >= least
    if not is_one:
        fail(op, f"'{op.name}' op has no form in StableHLO: '{name}' has elements of {element}")
