"""StableHLO's select_and_scatter: a loop over each window finds a place, gs.scatter combines."""

from collections.abc import Callable, Sequence

from mlir_gs.dialect import scatter
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.common.common import PLAIN, check_plain
from mlir_gs.frontend.common.elementwise import computed, filled, sizes_of
from mlir_gs.frontend.common.shapes import with_trailing_unit
from mlir_gs.frontend.stablehlo.body import BODY, ScalarBody, scalar_bodies
from mlir_gs.frontend.stablehlo.common import STABLEHLO, arith, tensor
from mlir_gs.lowering.ir.builders import index
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    both,
    choose_all,
    compare,
    flat,
    loop_carrying,
    mul,
    product,
    sub,
    value,
)
from mlir_gs.lowering.repair.reshapes import reshaped


@STABLEHLO.converts(
    "stablehlo.select_and_scatter",
    {
        "every form": "`linalg.generic` with a loop over each window, which keeps the first of "
        "equal elements as the selection says, and `gs.scatter`, drop, in the order of the source"
    },
    refuses=(*PLAIN, *BODY),
)
def convert_select_and_scatter(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.select_and_scatter` --> places of selected elements, and `gs.scatter` to them.

    The selection is asked `select(kept, next)` for the elements of a window in row-major order,
    without the padding; where it says no, the next one is kept. A window of padding alone selects
    nothing.
    """
    operand, source, init = op.operands
    check_plain(operand=operand, source=source)
    (select,), (combine,) = (scalar_bodies(region) for region in op.regions)
    rank = operand.type.rank
    window, strides = (
        list(op.attributes[name]) if name in op.attributes else [1] * rank
        for name in ("window_dimensions", "window_strides")
    )
    low = [0] * rank
    if "padding" in op.attributes:
        pads = list(ir.DenseIntElementsAttr(op.attributes["padding"]))
        low = [int(n) for n in pads[::2]]
    extents = sizes_of(operand)

    def place(at: Sequence[ir.Value]) -> ir.Value:
        """The number, in row-major order, of the element that the window at `at` selects, or -1."""
        starts = [sub(mul(p, s), n) for p, s, n in zip(at, strides, low, strict=True)]

        def visit(where: Sequence[Ix], kept: list[ir.Value]) -> list[ir.Value]:
            inside: ir.Value | None = None
            for p, n in zip(where, extents, strict=True):
                inside = both(inside, compare("sge", p, 0))
                inside = both(inside, compare("slt", p, n))
            types = [each.type for each in kept]
            return choose_all(inside, types, lambda: asked(where, kept), lambda: kept)

        def asked(where: Sequence[Ix], kept: list[ir.Value]) -> list[ir.Value]:
            found = tensor.extract(operand, [value(p) for p in where])
            number: Ix = 0
            for p, n in zip(where, extents, strict=True):
                number = add(mul(number, n), p)
            taken = (kept[0], found)
            stays = select.build([taken[argument] for argument in select.arguments])
            stays = arith.andi(stays, compare("sge", kept[1], 0))
            return [
                arith.select(stays, old, new)
                for old, new in zip(kept, (found, value(number)), strict=True)
            ]

        none = [tensor.extract(init, []), index(-1)]
        return _over(window, starts, [], none, visit)[1]

    places = computed(sizes_of(source), ir.IndexType.get(), place)
    into = _scattered(source, places, init, extents, combine)
    return [reshaped(op.operation, into, extents, op.results[0].type)]


def _over(
    window: Sequence[int],
    starts: Sequence[Ix],
    where: list[Ix],
    kept: list[ir.Value],
    visit: Callable[[Sequence[Ix], list[ir.Value]], list[ir.Value]],
) -> list[ir.Value]:
    """Visit the places of a window in row-major order."""
    if len(where) == len(window):
        return visit(where, kept)
    dim = len(where)
    return loop_carrying(
        0,
        window[dim],
        kept,
        lambda at, now: _over(window, starts, [*where, add(starts[dim], at)], now, visit),
    )


def _scattered(
    source: ir.Value,
    places: ir.Value,
    init: ir.Value,
    extents: Sequence[Ix],
    combine: ScalarBody,
) -> ir.Value:
    """The source, in a row, combined into a row of initial values at the places."""
    into = filled([product(extents)], tensor.extract(init, []))

    def body(current: ir.Value, update: ir.Value) -> ir.Value:
        both_ = (current, update)
        return combine.build([both_[argument] for argument in combine.arguments])

    return scatter(flat(source), into, with_trailing_unit(flat(places)), [0], body, mode="drop")
