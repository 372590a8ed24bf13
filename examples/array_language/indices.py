"""NumPy's indices as the maps and coordinates of `gs.generic`."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from mlir_gs import dialect as gs
from mlir_gs.dialect._bindings import dialect, ir

arith, tensor = dialect("arith"), dialect("tensor")


class Access(NamedTuple):
    """`x[index]`: where each dim of x is read, by which coordinates, and the sizes it has."""

    where: list[Any]
    coordinates: list[tuple[Any, list[Any], str]]
    sizes: list[Any]

    def generic(self, source: Any, dest: Any, wheres: Sequence[Any], body: Any) -> Any:
        rank, symbols, whole = len(self.sizes), len(self.coordinates), dims(len(self.sizes))
        plain = [str(expr) for expr in wheres[1]]
        return gs.generic(
            [source],
            [value for value, _, _ in self.coordinates],
            [dest],
            indexing_maps=[ir.AffineMap.get(rank, symbols, where) for where in wheres],
            coordinate_maps=[[ir.AffineMap.get(rank, symbols, p)] for _, p, _ in self.coordinates],
            iterator_types=["parallel" if str(d) in plain else "reduction" for d in whole],
            modes=[mode for _, _, mode in self.coordinates],
            wrap_negative=[mode == "error" for _, _, mode in self.coordinates],
            body=body,
        ).results[0]


def match(items: Sequence[Any], x: Any) -> Access:
    """`items` are None, slices, numbers and arrays of integers. Raises TypeError or ValueError.

    A slice is the coordinate `start + step * d`, with `start` in an array of rank 0, and a number
    is a coordinate in one; arrays are coordinates as they are.
    """
    used = sum(item is not None for item in items)
    if used > x.type.rank:
        raise ValueError(f"{used} indices for an array of rank {x.type.rank}")
    kept: list[Any] = []
    found: list[tuple[Any, Any]] = []
    advanced: list[tuple[int, int]] = []
    for number, item in enumerate([*items, *[slice(None)] * (x.type.rank - used)]):
        if item is None:
            kept.append(1)
        elif isinstance(item, slice):
            start, step, size = bounds(item, size_of(x, len(found)))
            found.append((start, (len(kept), step)))
            kept.append(size)
        else:
            found.append((item if is_array(item) else scalar(index(item)), None))
            advanced.append((number, len(kept)))
    arrays = [value for value, window in found if window is None]
    rank = max((value.type.rank for value in arrays), default=0)
    # The dims of the arrays stand where the arrays stand together, else first.
    together = advanced and advanced[-1][0] - advanced[0][0] + 1 == len(advanced)
    place = advanced[0][1] if together else 0
    batch: list[Any] = [1] * rank
    for value in arrays:
        for dim, size in enumerate(value.type.shape, rank - value.type.rank):
            batch[dim] = size_of(value, dim - rank + value.type.rank) if size != 1 else batch[dim]
    sizes = [*kept[:place], *batch, *kept[place:]]
    every, where, coordinates = dims(len(sizes)), [], []
    for value, window in found:
        symbol = ir.AffineSymbolExpr.get(len(coordinates))
        if window is None:
            own = every[place + rank - value.type.rank : place + rank]
            at = [
                ir.AffineConstantExpr.get(0) if n == 1 else d
                for d, n in zip(own, value.type.shape, strict=True)
            ]
            coordinates.append((value, at, "error"))
            where.append(symbol)
            continue
        dim = every[window[0] + (rank if window[0] >= place else 0)]
        where.append(dim if value is None else symbol + dim * window[1])
        if value is not None:
            coordinates.append((value, [], "promise_in_bounds"))
    return Access(where, coordinates, sizes)


def bounds(item: slice, size: Any) -> tuple[Any, int, Any]:
    """Start, None where all is kept, step, and size of a slice of a dim."""
    step = 1 if item.step is None else int(item.step)
    if (item.start, item.stop, step) == (None, None, 1):
        return None, 1, size
    if step == 0:
        raise ValueError("the step of a slice must not be 0")
    size, zero = index(size), index(0)
    low, high = (zero, size) if step > 0 else (index(-1), arith.subi(size, index(1)))
    first, last = (low, high) if step > 0 else (high, low)

    def end(given: Any, default: Any) -> Any:
        if given is None:
            return default
        place = index(given) if given >= 0 else arith.addi(size, index(given))
        return arith.minsi(arith.maxsi(place, low), high)

    start, stop = end(item.start, first), end(item.stop, last)
    span = arith.subi(stop, start) if step > 0 else arith.subi(start, stop)
    count = arith.maxsi(arith.ceildivsi(span, index(abs(step))), zero)
    return scalar(start), step, count


def dims(count: int) -> list[Any]:
    return [ir.AffineDimExpr.get(number) for number in range(count)]


def is_array(value: Any) -> bool:
    return isinstance(getattr(value, "type", None), ir.RankedTensorType)


def size_of(x: Any, dim: int) -> Any:
    """A size as a number, or as an `index` where it is known at run time."""
    return tensor.dim(x, index(dim)) if x.type.is_dynamic_dim(dim) else x.type.shape[dim]


def index(value: Any) -> Any:
    return value if isinstance(value, ir.Value) else arith.constant(ir.IndexType.get(), value)


def scalar(value: Any) -> Any:
    """An array of rank 0."""
    return tensor.from_elements(ir.RankedTensorType.get([], value.type), [value])


def full(value: Any, element: Any, sizes: Sequence[Any]) -> Any:
    """An array of one number."""
    kind = ir.RankedTensorType.get([ir.ShapedType.get_dynamic_size()] * len(sizes), element)
    return tensor.splat(kind, constant(value, element), [index(size) for size in sizes])


def constant(value: Any, element: Any) -> Any:
    """A number or an `index` as an element."""
    floats = isinstance(element, ir.FloatType)
    if not isinstance(value, ir.Value):
        return arith.constant(element, float(value) if floats else value)
    whole = arith.index_cast(ir.IntegerType.get_signless(64) if floats else element, value)
    return arith.sitofp(element, whole) if floats else whole
