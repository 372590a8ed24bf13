"""Slices with starts, sizes and steps that are constants or known at run time only."""

from collections.abc import Mapping
from dataclasses import dataclass

from mlir_gs.dialect import generic, strided_slice
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import SLOTS
from mlir_gs.frontend.common.elementwise import coordinates
from mlir_gs.lowering.ir.builders import index
from mlir_gs.lowering.ir.emit import add, compare, mul, size_of, value

arith = dialect("arith")
cf = dialect("cf")
tensor = dialect("tensor")

Int = int | ir.Value
"""A constant, or a value of type index."""
_FAR = 1 << 31
"""Constant steps beyond it do not stand in maps, whose arithmetic has 64 bits."""


@dataclass(frozen=True)
class Window:
    """The elements `start + step * i` of a dimension for i in [0, size), all in bounds."""

    start: Int
    size: Int
    step: Int


def window(extent: Int, start: Int, end: Int, step: Int) -> Window:
    """What `[start:end:step]` reads of a dimension of size `extent`, as ONNX defines it.

    Negative starts and ends count from the end. Then a positive step clamps both to [0, extent],
    a negative one `start` to [0, extent - 1] and `end` to [-1, extent - 1]. The step is any number
    of 64 bits but 0.
    """
    if isinstance(step, int) and isinstance(extent, int):
        # Steps that leave the dimension at once are all the same.
        step = max(min(step, max(extent, 1)), -max(extent, 1))
    elif isinstance(step, int) and abs(step) > _FAR:
        step = index(step)
    if all(isinstance(each, int) for each in (extent, start, end, step)):
        return _static_window(extent, start, end, step)
    n, first, last = value(extent), value(start), value(end)
    zero, one, minus_one = index(0), index(1), index(-1)
    stride = value(step)
    if not isinstance(step, int):
        cf.AssertOp(compare("ne", stride, 0), "the step of a slice is 0")
    backwards = compare("slt", stride, 0)
    most = arith.select(backwards, arith.subi(n, one), n)
    first = arith.maxsi(arith.minsi(_from_end(first, n), most), zero)
    lowest = arith.select(backwards, minus_one, zero)
    last = arith.maxsi(arith.minsi(_from_end(last, n), most), lowest)
    ahead, back = arith.subi(last, first), arith.subi(first, last)
    span = arith.select(backwards, back, ahead)
    pace = arith.select(backwards, arith.subi(zero, stride), stride)
    # The pace of the least step, 2^63, is held as an unsigned number only.
    size = arith.ceildivui(arith.maxsi(span, zero), pace)
    # Nothing is read backwards from a dimension of size 0, whose `first` is not in bounds.
    return Window(first, arith.minsi(size, n), step)


def _static_window(extent: int, start: int, end: int, step: int) -> Window:
    most = extent - 1 if step < 0 else extent
    first = max(min(start + extent if start < 0 else start, most), 0)
    last = max(min(end + extent if end < 0 else end, most), -1 if step < 0 else 0)
    return Window(first, min(max(-((first - last) // step), 0), extent), step)


def _from_end(position: ir.Value, extent: ir.Value) -> ir.Value:
    return arith.select(compare("slt", position, 0), arith.addi(position, extent), position)


def take_windows(source: ir.Value, windows: Mapping[int, Window]) -> ir.Value:
    """The part of `source` in `windows`, by dim; whole dims elsewhere."""
    most = SLOTS[1][1]
    if len(windows) > most:
        parts = sorted(windows.items())
        source, windows = take_windows(source, dict(parts[:most])), dict(parts[most:])
        return take_windows(source, windows)
    type_ = source.type
    full = {d: windows.get(d, Window(0, size_of(source, d), 1)) for d in range(type_.rank)}
    if DYNAMIC not in type_.shape and all(
        isinstance(part, int)
        for each in full.values()
        for part in (each.start, each.size, each.step)
    ):
        return _static_slice(source, list(full.values()))
    return _slice(source, full)


def _static_slice(source: ir.Value, windows: list[Window]) -> ir.Value:
    if any(each.size == 0 for each in windows):
        return tensor.empty([each.size for each in windows], source.type.element_type)
    spans = [abs(each.step) * (each.size - 1) for each in windows]
    offsets = [
        each.start - span if each.step < 0 else each.start
        for each, span in zip(windows, spans, strict=True)
    ]
    sizes = [span + 1 for span in spans]
    return strided_slice(source, offsets, sizes, [each.step for each in windows])


def _slice(source: ir.Value, windows: Mapping[int, Window]) -> ir.Value:
    """A `gs.generic` that adds the start of each window, or looks up its elements."""
    rank = source.type.rank
    dims = [ir.AffineDimExpr.get(d) for d in range(rank)]
    lookups: list[tuple[ir.Value, list[int]]] = []
    where = []
    for d, each in windows.items():
        start: Int | ir.AffineExpr = each.start
        if not (isinstance(each.step, int) and isinstance(each.start, int)):
            start = ir.AffineSymbolExpr.get(len(lookups))
            lookups.append(_lookup(d, each))
        step = each.step if isinstance(each.step, int) else 0
        where.append(dims[d] * step + start)
    count = len(lookups)
    sizes = [each.size for each in windows.values()]
    return generic(
        [source],
        [held for held, _ in lookups],
        [tensor.empty(sizes, source.type.element_type)],
        indexing_maps=[ir.AffineMap.get(rank, count, each) for each in (where, dims)],
        coordinate_maps=[
            [ir.AffineMap.get(rank, count, [dims[d] for d in at])] for _, at in lookups
        ],
        body=lambda element, _current: element,
    ).results[0]


def _lookup(dim: int, each: Window) -> tuple[ir.Value, list[int]]:
    """Coordinates of a window and the dims that address them: its start, if the step is a
    constant, else one per element."""
    element = ir.IndexType.get()
    if isinstance(each.step, int):
        return tensor.from_elements(ir.RankedTensorType.get([], element), [value(each.start)]), []
    return coordinates([each.size], lambda i: value(add(each.start, mul(i, each.step)))), [dim]
