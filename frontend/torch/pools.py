"""Pools with the places of what they take, and pictures made larger by the nearest."""

import re
from collections.abc import Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import filled, nest, sizes_of
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.torch.numbers import Spelling
from mlir_gs.frontend.torch.op import TorchOp, as_index, constant_of, number
from mlir_gs.lowering.ir.builders import index, producer
from mlir_gs.lowering.ir.emit import add, ceil_div, compare, floor_div, generated, mul, sub, value

arith = dialect("arith")
linalg = dialect("linalg")
math = dialect("math")
tensor = dialect("tensor")

INTEGERS = Refusal("pools of integers in three dims", "is not supported: its elements are integers")

PLACED = re.compile(r"torch\.aten\.(?:adaptive_max_pool[23]d|max_pool[123]d_with_indices)")


def fill_lists(t: TorchOp, count: int) -> None:
    """Repeat the number of a list of one; a stride that is not given is the size of the window."""
    for at, given_list in enumerate(t.op.operands):
        made = producer(given_list, "torch.prim.ListConstruct")
        if made is None or str(given_list.type) != "!torch.list<int>" or len(made.operands) > 1:
            continue
        given = list(made.operands)
        if not given and "max_pool" in t.op.name and at == 2:
            window = producer(t.op.operands[1], "torch.prim.ListConstruct")
            given = list(window.operands) if window is not None else []
        if len(given) == 1:
            given *= count
        if len(given) == count:
            t.op.operands[at] = ir.Operation.create(
                made.name, results=[given_list.type], operands=given
            ).result


def place_maxima(t: TorchOp, count: int) -> bool:
    """Convert a pool of floats along the last `count` dims to the largest elements and their
    places: of equal ones the first, of NaNs the last. Says whether it did."""
    type_, is_placed = t.type(0), PLACED.fullmatch(t.op.name) is not None
    if not isinstance(type_.element, ir.FloatType) or not is_placed:
        return False
    fill_lists(t, count)
    source = t.tensor(0)
    outer = source.type.rank - count
    extents = sizes_of(source)[outer:]
    if 0 in source.type.shape or outer < 1:
        return False
    windows = _adaptive(t, extents) if "adaptive" in t.op.name else _windows(t, extents)
    sizes = [*sizes_of(source)[:outer], *(each.size for each in windows)]
    made = _maxima(source, windows, sizes, outer)
    t.replace(made)
    return True


class _Window:
    """Where a pool looks along one dim of size `extent`: at `size` places, up to `width` elements
    each."""

    def __init__(self, extent: Int, size: Int, width: Int) -> None:
        self.extent, self.size, self.width = extent, size, width

    def at(self, place: ir.Value, step: ir.Value) -> tuple[ir.Value, ir.Value]:
        """A position, and whether it is looked at."""
        raise NotImplementedError


class _Strided(_Window):
    def __init__(self, extent: Int, numbers: Sequence[int], is_ceil: bool) -> None:
        width, self.stride, self.pad, self.dilation = numbers
        rest = sub(add(extent, 2 * self.pad), self.dilation * (width - 1) + 1)
        size = add((ceil_div if is_ceil else floor_div)(rest, self.stride), 1)
        if is_ceil:
            # A window begins in the picture or before it.
            begin, end = mul(sub(size, 1), self.stride), add(extent, self.pad)
            if isinstance(size, int) and isinstance(begin, int) and isinstance(end, int):
                size = size - 1 if begin >= end else size
            else:
                size = arith.select(compare("sge", begin, end), value(sub(size, 1)), value(size))
        super().__init__(extent, size, width)

    def at(self, place: ir.Value, step: ir.Value) -> tuple[ir.Value, ir.Value]:
        begin = sub(mul(place, self.stride), self.pad)
        position = value(add(begin, mul(step, self.dilation)))
        return position, compare("ult", position, self.extent)


class _Part(_Window):
    def __init__(self, extent: Int, size: Int) -> None:
        super().__init__(extent, size, add(ceil_div(extent, size), 1))

    def at(self, place: ir.Value, step: ir.Value) -> tuple[ir.Value, ir.Value]:
        begin = floor_div(mul(place, self.extent), self.size)
        end = ceil_div(mul(add(place, 1), self.extent), self.size)
        position = value(add(begin, step))
        return position, compare("slt", position, end)


def _windows(t: TorchOp, extents: Sequence[Int]) -> list[_Window]:
    lists = [[constant_of(each, at) for each in t.list(at)] for at in (1, 2, 3, 4)]
    is_ceil = bool(t.constant(5))
    return [
        _Strided(extent, numbers, is_ceil) for extent, *numbers in zip(extents, *lists, strict=True)
    ]


def _adaptive(t: TorchOp, extents: Sequence[Int]) -> list[_Window]:
    sizes = [constant_of(each, 1) for each in t.list(1)]
    return [_Part(extent, size) for extent, size in zip(extents, sizes, strict=True)]


def _maxima(
    source: ir.Value, windows: Sequence[_Window], sizes: Sequence[Int], outer: int
) -> Sequence[ir.Value]:
    rank, element = len(sizes), source.type.element_type
    i64 = ir.IntegerType.get_signless(64)
    starts = [filled(sizes, number(float("-inf"), element)), filled(sizes, number(-1, i64))]
    # It only says how many elements a window has.
    shape = tensor.empty([each.width for each in windows], ir.IntegerType.get_signless(1))
    dims = [ir.AffineDimExpr.get(d) for d in range(rank + len(windows))]
    inner = ir.AffineMap.get(len(dims), 0, dims[rank:])
    out = ir.AffineMap.get(len(dims), 0, dims[:rank])
    kinds = ["parallel"] * rank + ["reduction"] * len(windows)

    def body(_: ir.Value, best: ir.Value, place: ir.Value) -> list[ir.Value]:
        at = [linalg.IndexOp(d).result for d in range(len(dims))]
        where, here, seen = at[:outer], index(0), None
        for number_, each in enumerate(windows):
            position, is_in = each.at(at[outer + number_], at[rank + number_])
            position = arith.select(is_in, position, index(0))
            where.append(position)
            here = value(add(mul(here, each.extent), position))
            seen = is_in if seen is None else arith.andi(seen, is_in)
        found = tensor.extract(source, where)
        is_larger = arith.ori(
            arith.cmpf(arith.CmpFPredicate.OGT, found, best),
            arith.cmpf(arith.CmpFPredicate.UNO, found, found),
        )
        is_first = arith.cmpi(arith.CmpIPredicate.slt, place, number(0, i64))
        wins = arith.andi(seen, arith.ori(is_first, is_larger))
        here = arith.index_cast(i64, here)
        return [arith.select(wins, found, best), arith.select(wins, here, place)]

    return nest([shape], starts, [inner, out, out], kinds, body)


def _nearest(t: TorchOp) -> ir.Value | None:
    """upsample_nearest1d to 3d(x, output_size, scales...), of which torch-mlir takes whole ones:
    the element at i * scale, rounded down, where scale is 1 / scales or in / out."""
    given = t.list(1)
    source, declared = t.tensor(0), t.of_result()
    outer = declared.rank - len(given)
    sizes: list[Int] = sizes_of(source)[:outer]
    for size, wanted in zip(declared.shape[outer:], given, strict=True):
        sizes.append(as_index(wanted) if size == DYNAMIC else size)
    if 0 in (*sizes, *source.type.shape):
        return None
    element = source.type.element_type
    f64 = element == ir.F64Type.get()
    float_ = ir.F64Type.get() if f64 else ir.F32Type.get()
    extents = sizes_of(source)
    scales = [
        _scale(t, 2 + n, extents[outer + n], sizes[outer + n], float_) for n in range(len(given))
    ]
    i64 = ir.IntegerType.get_signless(64)

    def body(*position: ir.Value) -> ir.Value:
        where = list(position)
        for at, scale in enumerate(scales, outer):
            here = arith.sitofp(float_, arith.index_cast(i64, where[at]))
            down = arith.fptosi(i64, math.floor(arith.mulf(here, scale)))
            last = value(sub(extents[at], 1))
            where[at] = arith.minsi(arith.index_cast(ir.IndexType.get(), down), last)
        return tensor.extract(source, where)

    return generated(sizes, element, body)


def _scale(t: TorchOp, operand: int, extent: Int, size: Int, float_: ir.Type) -> ir.Value:
    given = 0.0 if operand >= len(t.op.operands) or t.is_none(operand) else t.constant(operand)
    if given > 0:
        return number(1.0 / given, float_)
    i64 = ir.IntegerType.get_signless(64)
    whole, part = (
        arith.sitofp(float_, arith.index_cast(i64, value(each))) for each in (extent, size)
    )
    return arith.divf(whole, part)


POOLS: dict[str, Spelling] = {
    "upsample_nearest1d": _nearest,
    "upsample_nearest2d": _nearest,
    "upsample_nearest3d": _nearest,
}
