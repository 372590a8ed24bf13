"""StableHLO's cumulative sums and their kin: windows that reach back to the first element."""

from collections.abc import Sequence

from mlir_gs.dialect import generic, strided_slice
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.common.common import Left
from mlir_gs.frontend.stablehlo.body import BODY, scalar_bodies
from mlir_gs.frontend.stablehlo.common import STABLEHLO, tensor
from mlir_gs.frontend.stablehlo.filled import spread


@STABLEHLO.converts(
    "stablehlo.reduce_window",
    {
        "one operand, a window over all of one dim that ends or begins at each element": "a "
        "`gs.generic` that carries what it has combined along the dim",
        "other windows": "left to upstream",
    },
    refuses=BODY,
)
def convert_scan(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.reduce_window` over all before --> `y[.., k] = s[..] += x[.., k]`, in order."""
    if len(op.operands) != 2 or not op.operands[0].type.has_static_shape:
        raise Left
    (operand, init), type_ = op.operands, op.results[0].type
    shape, rank = list(type_.shape), type_.rank
    window = list(op.attributes["window_dimensions"])
    scanned = [d for d in range(rank) if window[d] != 1]
    others = ("window_strides", "base_dilations", "window_dilations")
    steps = [n for name in others if name in op.attributes for n in op.attributes[name]]
    if len(scanned) != 1 or set(steps) - {1} or operand.type != type_ or 0 in shape:
        raise Left
    (dim,) = scanned
    pads = [0] * 2 * rank
    if "padding" in op.attributes:
        pads = [int(n) for n in ir.DenseIntElementsAttr(op.attributes["padding"])]
    ends, begins = ([0] * 2 * rank for _ in range(2))
    ends[2 * dim] = begins[2 * dim + 1] = shape[dim] - 1
    if window[dim] != shape[dim] or pads not in (ends, begins):
        raise Left
    (combine,) = scalar_bodies(op.regions[0])
    if pads == begins:
        operand = _reversed(operand, dim)

    def body(new: ir.Value, _: ir.Value, kept: ir.Value) -> Sequence[ir.Value]:
        found = combine.build([(kept, new)[argument] for argument in combine.arguments])
        return [found, found]

    whole = ir.AffineMap.get_identity(rank)
    kept = [n for d, n in enumerate(shape) if d != dim]
    apart = [ir.AffineExpr.get_dim(d) for d in range(rank) if d != dim]
    result = generic(
        [operand],
        [],
        [tensor.empty(shape, type_.element_type), spread(init, kept, kept)],
        indexing_maps=[whole, whole, ir.AffineMap.get(rank, 0, apart)],
        iterator_types=["reduction" if d == dim else "parallel" for d in range(rank)],
        body=body,
    ).results[0]
    return [_reversed(result, dim) if pads == begins else result]


def _reversed(value: ir.Value, dim: int) -> ir.Value:
    shape = list(value.type.shape)
    strides = [-1 if d == dim else 1 for d in range(len(shape))]
    return strided_slice(value, [0] * len(shape), shape, strides)
