"""Where a dynamic size comes from: two dimensions of one origin have the same size."""

import re
from collections.abc import Iterator
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.base import NAMED, structure_of
from mlir_gs.dialect.checks import DYNAMIC

# Ops whose dynamic sizes are their first operands, one per `?`.
_ALLOCATING = ("tensor.empty", "tensor.generate", "memref.alloc")
# The same, after an operand of another kind.
_SIZED = ("tensor.splat", "tensor.expand_shape")
_WINDOWS = ("tensor.extract_slice", "memref.subview")
_CASTS = ("tensor.cast", "memref.cast", "bufferization.to_tensor", "bufferization.to_buffer")
# Ops whose operands that are tensors have the shape of the result.
_ELEMENTWISE = ("arith.", "math.", "complex.")
_MOST_STEPS = 64
_DIMS = ("tensor.dim", "memref.dim")
# Ops whose result has the sizes of their second operand.
_UPDATED = ("tensor.insert", "tensor.insert_slice")

# A number, a value of type index, or a dimension of a shaped value.
Origin = int | tuple[Any, int]


def origin(value: ir.Value, position: int) -> Origin:
    """The origin of the size of `value` in dimension `position`.

    A chain of more than 64 ops is not followed to its end, so that looking stays cheap.
    """
    for _ in range(_MOST_STEPS):
        found = step(value, position)
        if isinstance(found, int):
            return found
        if found is None or found == (value, position):
            break
        value, position = found
    return (value, position)


def step(value: ir.Value, position: int) -> Origin | None:
    """The origin of a size, one op further up; None where that is not known."""
    if not isinstance(value.type, ir.ShapedType) or not value.type.has_rank:
        return None
    size = value.type.shape[position]
    if size != DYNAMIC:
        return size
    owner = value.owner
    if not isinstance(owner, (ir.Operation, ir.OpView)):
        return None
    op = owner.operation
    if op.name in _CASTS:
        return (op.operands[0], position) if op.operands[0].type.has_rank else None
    if op.name in _ALLOCATING:
        number = sum(n == DYNAMIC for n in list(value.type.shape)[:position])
        given = op.operands[number]
        return _dim_source(given) or (given, 0)
    if op.name == "tensor.collapse_shape":
        group = [int(d.value) for d in op.attributes["reassociation"][position]]
        kept = [d for d in group if op.operands[0].type.shape[d] != 1]
        return (op.operands[0], kept[0]) if len(kept) == 1 else None
    if op.name in _SIZED:
        # Its first operand is the element, or the tensor.
        number = 1 + sum(n == DYNAMIC for n in list(value.type.shape)[:position])
        return _dim_source(op.operands[number]) or (op.operands[number], 0)
    if op.name in _WINDOWS:
        return _window_size(op, value, position)
    if op.name.startswith(_ELEMENTWISE):
        shaped = [x for x in op.operands if isinstance(x.type, ir.RankedTensorType)]
        return (shaped[0], position) if shaped else None
    if op.name == "gs.histogram":
        return _histogram_size(op, value, position)
    if op.name in NAMED:
        return _named_size(op, value, position)
    started = destination(value)
    return None if started is None else (started, position)


def destination(value: ir.Value) -> ir.Value | None:
    """The destination of `value`, a result of a destination-style op: of the same sizes."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    op = owner.operation
    if op.name in _UPDATED:
        return op.operands[1]
    if op.name in NAMED:
        structure = structure_of(op)
        given = value if structure is None else _output_of(op, structure, value).value
        return None if given == value else given
    if op.name == "gs.generic":
        first, slots = sum(list(op.attributes["operandSegmentSizes"])[:16]), op.results
    elif op.name.startswith("linalg.") and "operandSegmentSizes" in op.attributes:
        first, slots = next(iter(op.attributes["operandSegmentSizes"])), op.results
    elif op.name.startswith("linalg.") and len(op.regions) == 1:
        # linalg.broadcast and its like: destinations are the last operands.
        first, slots = len(op.operands) - len(op.results), op.results
    else:
        return None
    number = next(n for n, result in enumerate(slots) if result == value)
    return op.operands[first + number]


def _window_size(op: ir.Operation, value: ir.Value, position: int) -> Origin | None:
    """The operand that is the size of a slice or subview, whose unit dims may be dropped."""
    dynamic = [size for size in op.attributes["static_sizes"] if size == DYNAMIC]
    shape = list(value.type.shape)
    if len(dynamic) != shape.count(DYNAMIC):
        return None
    parts = list(op.attributes["operandSegmentSizes"])
    given = op.operands[parts[0] + parts[1] + shape[:position].count(DYNAMIC)]
    return _dim_source(given) or (given, 0)


def addressed(structure: Any) -> list[Any]:
    """The accesses of inputs and outputs of a Structure that coordinates address."""
    accesses = (*structure.outputs, *structure.inputs)
    return [a for a in accesses if any(symbols_of(expr) for expr in a.map.results)]


def sizes_of(op: ir.Operation, structure: Any, dim: int) -> Iterator[tuple[ir.Value, int]]:
    """The dims of the operands of a named op that have the size of the iteration dim `dim`."""
    larger = addressed(structure) if getattr(NAMED[op.name], "LARGER", False) else []
    results = list(op.results)
    for access in structure.accesses:
        if access in larger or access.value in results:
            continue
        for position, expr in enumerate(access.map.results):
            if plain_dim(expr) == dim:
                yield access.value, position


def extents(op: ir.Operation) -> dict[int, int]:
    """The sizes of the iteration dims of a named op that no operand has."""
    return op.opview.extents() if hasattr(NAMED[op.name], "extents") else {}


def _named_size(op: ir.Operation, value: ir.Value, position: int) -> Origin | None:
    """The size of an operand, or a number, that a result of a named op has by its maps."""
    structure = structure_of(op)
    if structure is None:
        return None
    output = _output_of(op, structure, value)
    if output.value != value:
        return output.value, position
    dim = plain_dim(output.map.results[position])
    if dim is None:
        return None
    return extents(op).get(dim) or next(sizes_of(op, structure, dim), None)


def _output_of(op: ir.Operation, structure: Any, value: ir.Value) -> Any:
    """The access of the output that the result `value` comes from."""
    return structure.outputs[next(n for n, r in enumerate(op.results) if r == value)]


def _histogram_size(op: ir.Operation, value: ir.Value, position: int) -> Origin | None:
    """Both results have a row for each bin; that of `combined` is one of the updates."""
    combined, bins = op.results
    if value == bins:
        return combined, position
    leading = op.operands[1].type.rank - 1
    return (op.operands[0], leading + position - 1) if position > 0 else None


def _dim_source(size: ir.Value) -> tuple[ir.Value, int] | None:
    """(tensor or memref, dimension) where `size` is the dim op of it at a constant."""
    owner = size.owner
    if not isinstance(owner, (ir.Operation, ir.OpView)) or owner.operation.name not in _DIMS:
        return None
    shaped, number = owner.operation.operands
    constant = number.owner
    if not isinstance(constant, (ir.Operation, ir.OpView)):
        return None
    if constant.operation.name != "arith.constant":
        return None
    return shaped, constant.operation.attributes["value"].value


# An assertion on sizes, by its text.
_ON_SIZES = re.compile("'[a-z_.]+' op, .* must be ")


def compared_sizes(op: ir.Operation) -> tuple[ir.Value, ir.Value] | None:
    """The numbers that a cf.assert on sizes compares, (found, wanted); None of another one."""
    made = op.operands[0].owner
    if isinstance(made, ir.Block) or made.operation.name != "arith.cmpi":
        return None
    if _ON_SIZES.search(op.attributes["msg"].value) is None:
        return None
    found, wanted = made.operation.operands
    return (found, wanted) if isinstance(found.type, ir.IndexType) else None
