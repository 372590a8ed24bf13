"""tcp.gather of broadcast operands as one gather of what was broadcast.

The seed of TCP spells index_select, tf.gather and onnx.Gather as tcp.gather whose operands get
unit dims by tensor.expand_shape and are then repeated by tcp.broadcast_to. An element of such an
operand is an element of what stands at the start of the chain, at a place that reads off the
chain: each of its dims is a dim of the operand, or 0.
"""

from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.elementwise import cut_to, sizes_of
from mlir_gs.frontend.common.take import gather_by_maps
from mlir_gs.frontend.tcp.dialect import axes_of
from mlir_gs.lowering.ir.builders import constant_of, producer
from mlir_gs.lowering.ir.emit import Ix, size_of


@dataclass(frozen=True)
class Origin:
    """`value` is read at `dims`: its dim k at dim `dims[k]` of the operand, or at 0 for None.

    `sizes` has the operand's sizes in the dims along which it is repeated.
    """

    value: ir.Value
    dims: tuple[int | None, ...]
    sizes: dict[int, Ix]

    def exprs(self) -> list[ir.AffineExpr]:
        zero = ir.AffineConstantExpr.get(0)
        return [zero if dim is None else ir.AffineDimExpr.get(dim) for dim in self.dims]


def gather_of_broadcasts(input_: ir.Value, indices: ir.Value, dim: int) -> ir.Value | None:
    """`tcp.gather` of `input_` at `indices` along `dim`; None where neither is a broadcast.

    %i2 = expand_shape %i: [n] into [n, 1]; %i3 = tcp.broadcast_to %i2, %w {axes = [1]}
    tcp.gather %x, %i3 {dim = 0}   -->   gs.gather %x, %i {gather_dims = [0]}
    """
    source, coordinates = origin(input_), origin(indices)
    if not source.sizes and not coordinates.sizes:
        return None

    def size(d: int) -> Ix:
        if indices.type.shape[d] == DYNAMIC and d in coordinates.dims:
            return size_of(coordinates.value, coordinates.dims.index(d))
        is_repeated = indices.type.shape[d] == DYNAMIC and d in coordinates.sizes
        return coordinates.sizes[d] if is_repeated else size_of(indices, d)

    sizes = [size(d) for d in range(indices.type.rank)]
    value = source.value
    where = source.exprs()
    for position, d in enumerate(source.dims):
        if d == dim:
            where[position] = ir.AffineSymbolExpr.get(0)
        elif (
            d is not None and d not in coordinates.dims and not _covers(source, position, sizes[d])
        ):
            # The dim runs over what the coordinates are repeated to, which may be less.
            known = sizes_of(value)
            known[position] = sizes[d]
            value = cut_to(value, known)
    return gather_by_maps(value, where, coordinates.value, coordinates.exprs(), sizes)


def origin(value: ir.Value) -> Origin:
    """Where the elements of `value` come from, through broadcasts and reshapes of unit dims."""
    dims: list[int | None] = list(range(value.type.rank))
    sizes: dict[int, Ix] = {}
    while (op := producer(value)) is not None:
        if op.name == "tcp.broadcast_to":
            for axis, size in zip(axes_of(op) or [], list(op.operands)[1:], strict=True):
                d = dims[axis]
                if d is not None:
                    sizes[d] = size
                    dims[axis] = None
        elif op.name in ("tensor.expand_shape", "tensor.collapse_shape"):
            kept = _through_unit_dims(op, dims)
            if kept is None:
                break
            dims = kept
        elif op.name != "tensor.cast" or not isinstance(op.operands[0].type, ir.RankedTensorType):
            break
        value = op.operands[0]
    return Origin(value, tuple(dims), sizes)


def _through_unit_dims(op: ir.Operation, dims: list[int | None]) -> list[int | None] | None:
    """`dims` of a reshape's operand; None if the reshape does more than add or drop unit dims."""
    before, after = op.operands[0].type.shape, op.results[0].type.shape
    expands = op.name == "tensor.expand_shape"
    wide = after if expands else before
    found: list[int | None] = [None] * len(before)
    for narrow, attribute in enumerate(op.attributes["reassociation"]):
        group = [number.value for number in attribute]
        others = [dim for dim in group if wide[dim] != 1]
        if len(others) > 1:
            return None
        # Where all are 1, any of them is read at 0; one that is a dim keeps the maps simple.
        here = others or group[:1]
        if expands:
            here = others or [dim for dim in group if dims[dim] is not None] or here
            found[narrow] = dims[here[0]]
        else:
            found[here[0]] = dims[narrow]
    return found


def _covers(source: Origin, position: int, size: Ix) -> bool:
    """`size` is that of the source in the dim at `position`, by its type or by a tensor.dim."""
    if isinstance(size, int):
        return size == source.value.type.shape[position]
    op = producer(size, "tensor.dim")
    if op is None:
        return False
    measured, dim = op.operands
    found = origin(measured)
    return found.value == source.value and found.dims[position] == constant_of(dim)
