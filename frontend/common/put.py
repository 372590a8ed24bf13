"""The mirror of `take`: slices along an axis written at a tensor of coordinates."""

from mlir_gs.dialect import generic, scatter
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.scatter import Combiner
from mlir_gs.frontend.common.shapes import with_trailing_unit
from mlir_gs.frontend.common.take import OutOfBounds

CHECKED = OutOfBounds("error")
"""ONNX and Torch both call a coordinate out of bounds an error."""
WRAPPED = OutOfBounds("error", wrap_negative=True)
"""The same where negative coordinates count from the end."""


def put(
    updates: ir.Value,
    dest: ir.Value,
    indices: ir.Value,
    axis: int,
    combiner: Combiner | None = None,
    bounds: OutOfBounds = CHECKED,
) -> ir.Value:
    """`dest[a.., indices[i..], b..] = combiner(current, updates[a.., i.., b..])`.

    a.. are the dims before `axis`. Repeated coordinates apply in row-major order of the indices.
    """
    # Nothing is filled where nothing is read.
    assert bounds.mode != "fill"
    inner = indices.type.rank
    if axis == 0:
        return scatter(
            updates,
            dest,
            with_trailing_unit(indices),
            [0],
            combiner,
            mode=bounds.mode,
            wrap_negative=bounds.wrap_negative,
        )
    rank = dest.type.rank - 1 + inner
    plain = [ir.AffineDimExpr.get(d) for d in range(rank)]
    where = [*plain[:axis], ir.AffineSymbolExpr.get(0), *plain[axis + inner :]]
    slices, addressed, coordinates = (
        ir.AffineMap.get(rank, 1, each) for each in (plain, where, plain[axis : axis + inner])
    )
    return generic(
        [updates],
        [indices],
        [dest],
        indexing_maps=[slices, addressed],
        coordinate_maps=[[coordinates]],
        iterator_types=[
            "reduction" if axis <= d < axis + inner else "parallel" for d in range(rank)
        ],
        body=lambda update, current: combiner(current, update) if combiner else update,
        modes=[bounds.mode or "promise_in_bounds"],
        wrap_negative=[bounds.wrap_negative],
    ).result
