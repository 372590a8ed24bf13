"""Upstream's tensor ops: which element of an operand each element of the result is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
import z3
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.reference.tensor import kept_dims
from mlir_gs.prove.generic import RunBlock
from mlir_gs.prove.scalars import literal
from mlir_gs.prove.symbolic import stands_for
from mlir_gs.prove.terms import Item, every, inside, pick, some, sort_of, term_of
from mlir_gs.prove.values import Side, Tensor, Unsupported, Value

# Of a constant, the most different elements that are spelled out.
_MOST_ELEMENTS = 128
Terms = tuple[z3.ArithRef, ...]
Values = dict[Any, Any]
Handler = Callable[[Side, Any, Values, RunBlock], list[Value]]


def mixed(static: Sequence[int], dynamic: Iterator[z3.ArithRef]) -> list[z3.ArithRef]:
    """Numbers of the IR, with the dynamic ones filled in."""
    return [next(dynamic) if n == DYNAMIC else stands_for(n) for n in static]


def shape_of(side: Side, type_: Any, dynamic: Sequence[z3.ArithRef]) -> Terms:
    """The sizes of a new tensor; a negative one has no meaning."""
    shape = tuple(mixed(list(type_.shape), iter(dynamic)))
    for size in dynamic:
        side.is_undefined(size < 0, "a negative size")
    return shape


def window_of(op: Any, dynamic: Sequence[Any]) -> tuple[list, list, list]:
    values = iter(dynamic)
    names = ("static_offsets", "static_sizes", "static_strides")
    offsets, sizes, strides = (mixed(list(op.attributes[n]), values) for n in names)
    if not all(z3.is_int_value(t) and t.as_long() >= 1 for t in strides):
        raise Unsupported("strides that are not known")
    return offsets, sizes, [t.as_long() for t in strides]


def check_window(side: Side, shape: Terms, window: tuple[list, list, list]) -> None:
    for size, offset, count, stride in zip(shape, *window, strict=True):
        side.is_undefined(z3.Or(offset < 0, count < 0), "a window of a negative size")
        last = offset + (count - 1) * stride
        side.is_undefined(z3.And(count > 0, last >= size), "a window that leaves the operand")
        side.is_undefined(z3.And(count == 0, offset > size), "a window that leaves the operand")


def spread(rank: int, kept: list[int], index: Sequence[z3.ArithRef]) -> list[z3.ArithRef]:
    """An index of the kept dims as one of all, 0 in the others."""
    at = [z3.IntVal(0)] * rank
    for d, i in zip(kept, index, strict=True):
        at[d] = i
    return at


def viewed(
    side: Side, op: Any, shape: Terms, dynamic: Sequence[Any]
) -> tuple[Terms, Callable[[Terms], Terms] | None]:
    """The sizes of a slice or other view of a value of `shape`, and where in that an element of it
    is; None where that is its own index."""
    return _VIEWED[op.name.split(".")[1]](side, op, shape, dynamic)


def _view(side: Side, op: Any, values: Values, _: RunBlock) -> list[Value]:
    source, *dynamic = (values[o] for o in op.operands)
    shape, place = viewed(side, op, source.shape, dynamic)
    if place is None:
        return [replace(source, shape=shape)]
    return [side.tensor(shape, source.element, lambda i: source.at(place(i)))]


def _slice(side: Side, op: Any, shape: Terms, dynamic: Sequence[Any]) -> Any:
    window = offsets, sizes, strides = window_of(op, dynamic)
    check_window(side, shape, window)
    type_ = op.results[0].type
    kept = kept_dims(op, type_)

    def place(index: Terms) -> Any:
        inner = spread(len(offsets), kept, index)
        return [o + i * t for o, i, t in zip(offsets, inner, strides, strict=True)]

    return side.typed([sizes[d] for d in kept], type_, "the slice"), place


def _insert_slice(side: Side, op: Any, values: Values, _: RunBlock) -> list[Value]:
    source, dest, *dynamic = (values[o] for o in op.operands)
    window = offsets, sizes, strides = window_of(op, dynamic)
    check_window(side, dest.shape, window)
    type_ = op.operands[0].type
    kept = kept_dims(op, type_)
    for d, size in zip(kept, source.shape, strict=True):
        side.is_undefined(size != sizes[d], "a slice of another size")

    def at(index: Terms) -> Item:
        inside_, inner = [], []
        for i, o, n, t in zip(index, offsets, sizes, strides, strict=True):
            step = (i - o) / t if t > 1 else i - o
            inner.append(step)
            inside_.append(z3.And(i >= o, step < n, *([(i - o) % t == 0] if t > 1 else [])))
        return pick(every(inside_), source.at([inner[d] for d in kept]), dest.at(index))

    return [side.tensor(dest.shape, dest.element, at)]


def groups_of(op: Any) -> list[list[int]]:
    """The dims that become one, of each."""
    return [[d.value for d in group] for group in op.attributes["reassociation"]]


def _is_one(size: z3.ArithRef) -> bool:
    size = z3.simplify(size)
    return z3.is_int_value(size) and size.as_long() == 1


def _number(index: Sequence[z3.ArithRef], sizes: Sequence[z3.ArithRef]) -> z3.ArithRef:
    """The position in row-major order."""
    total: z3.ArithRef = z3.IntVal(0)
    for i, size in zip(index, sizes, strict=True):
        if _is_one(size):
            continue
        total = total * size + i
    return z3.simplify(total)


def _split(number: z3.ArithRef, sizes: Sequence[z3.ArithRef]) -> list[z3.ArithRef]:
    """The index in row-major order at a position."""
    index: list[z3.ArithRef] = []
    sizes = [z3.simplify(size) for size in sizes]
    wide = [d for d, size in enumerate(sizes) if not _is_one(size)]
    if any(not z3.is_int_value(sizes[d]) for d in wide[1:]):
        return _split_from_last(number, sizes, wide)
    for d, size in enumerate(sizes):
        if d not in wide:
            index.append(z3.IntVal(0))
            continue
        inner = prod(sizes[e].as_long() for e in wide if e > d)
        step = number / inner if inner > 1 else number
        index.append(step if d == wide[0] else step % size)
    return index


def _split_from_last(
    number: z3.ArithRef, sizes: list[z3.ArithRef], wide: list[int]
) -> list[z3.ArithRef]:
    """The same where sizes are not known: each quotient is divided again."""
    index: list[z3.ArithRef] = [z3.IntVal(0)] * len(sizes)
    for d in reversed(wide[1:]):
        number, index[d] = _divided(number, sizes[d])
    index[wide[0]] = number
    return index


def _divided(number: z3.ArithRef, size: z3.ArithRef) -> tuple[z3.ArithRef, z3.ArithRef]:
    """Quotient and remainder; by the factors of a product one after the other, as they come where
    the dims that it is the size of are still apart."""
    factors = size.children() if z3.is_mul(size) else [size]
    factors = sorted(factors[::-1], key=lambda n: not z3.is_int_value(n))
    rest: z3.ArithRef = z3.IntVal(0)
    inner: z3.ArithRef = z3.IntVal(1)
    for factor in factors:
        number, rest, inner = number / factor, rest + inner * (number % factor), inner * factor
    return number, z3.simplify(rest)


def product(sizes: Sequence[z3.ArithRef]) -> z3.ArithRef:
    """The number of elements."""
    total: z3.ArithRef = z3.IntVal(1)
    for size in sizes:
        total = total if _is_one(size) else size if _is_one(total) else total * size
    return total


def split_index(groups: list[list[int]], index: Terms, shape: Terms) -> Terms:
    """An index of collapsed dims as one of a value of `shape`."""
    inner = [z3.IntVal(0)] * len(shape)
    for group, number in zip(groups, index, strict=True):
        for d, i in zip(group, _split(number, [shape[d] for d in group]), strict=True):
            inner[d] = i
    return tuple(inner)


def joined_index(groups: list[list[int]], index: Terms, shape: Terms) -> Terms:
    """The index of collapsed dims that one of a value of `shape` is."""
    return tuple(_number([index[d] for d in group], [shape[d] for d in group]) for group in groups)


def _collapse(side: Side, op: Any, shape: Terms, _: Sequence[Any]) -> Any:
    groups = groups_of(op)
    sizes = [product([shape[d] for d in group]) for group in groups]
    found = side.typed(sizes, op.results[0].type, "the collapsed value")
    return found, lambda index: split_index(groups, index, shape)


def _expand(side: Side, op: Any, sizes: Terms, dynamic: Sequence[Any]) -> Any:
    groups = groups_of(op)
    shape = tuple(mixed(list(op.attributes["static_output_shape"]), iter(dynamic)))
    for size in dynamic:
        side.is_undefined(size < 0, "a negative size")
    for group, size in zip(groups, sizes, strict=True):
        side.is_undefined(
            product([shape[d] for d in group]) != size, "an expanded value of another size"
        )
    return shape, lambda index: joined_index(groups, index, shape)


def _cast(side: Side, op: Any, shape: Terms, _: Sequence[Any]) -> Any:
    return side.typed(shape, op.results[0].type, "the cast value"), None


def dim_of(side: Side, shape: Terms, number: z3.ArithRef) -> z3.ArithRef:
    """The size of a dimension that is given by its number."""
    rank = len(shape)
    side.is_undefined(z3.Or(number < 0, number >= rank), "a dimension that does not exist")
    if not rank:
        return z3.IntVal(0)
    return z3.simplify(term_of(chosen(shape, (number,), (z3.IntVal(rank),))))


def _dim(side: Side, op: Any, values: Values, _: RunBlock) -> list[Value]:
    source, number = (values[o] for o in op.operands)
    return [dim_of(side, source.shape, number)]


def _empty(side: Side, op: Any, values: Values, _: RunBlock) -> list[Value]:
    """Any elements: those of two ops have nothing in common."""
    type_ = op.results[0].type
    shape = shape_of(side, type_, [values[o] for o in op.operands])
    variables = side.new_indices(type_.rank, "p")
    sort, name = sort_of(type_.element_type), side.new_name("empty")
    ints = [z3.IntSort()] * type_.rank
    term = z3.Function(name, *ints, sort)(*variables) if ints else z3.Const(name, sort)
    return [Tensor(shape, type_.element_type, variables, term)]


def _extract(side: Side, op: Any, values: Values, _: RunBlock) -> list[Value]:
    source, *index = (values[o] for o in op.operands)
    out = some([z3.Not(each) for each in inside(index, source.shape)])
    side.is_undefined(out, "tensor.extract out of bounds")
    return [source.at(index)]


def _insert(side: Side, op: Any, values: Values, _: RunBlock) -> list[Value]:
    scalar, dest, *index = (values[o] for o in op.operands)
    out = some([z3.Not(each) for each in inside(index, dest.shape)])
    side.is_undefined(out, "tensor.insert out of bounds")

    def at(i: Terms) -> Item:
        here = every([a == b for a, b in zip(i, index, strict=True)])
        return pick(here, scalar, dest.at(i))

    return [side.tensor(dest.shape, dest.element, at)]


def _splat(side: Side, op: Any, values: Values, _: RunBlock) -> list[Value]:
    scalar, *dynamic = (values[o] for o in op.operands)
    type_ = op.results[0].type
    shape = shape_of(side, type_, dynamic)
    return [side.tensor(shape, type_.element_type, lambda _: scalar)]


def _from_elements(side: Side, op: Any, values: Values, _: RunBlock) -> list[Value]:
    type_ = op.results[0].type
    shape = tuple(stands_for(n) for n in type_.shape)
    elements = [values[o] for o in op.operands]
    return [side.tensor(shape, type_.element_type, lambda i: chosen(elements, i, shape))]


def chosen(elements: Sequence[Item], index: Terms, shape: Terms) -> Item:
    """One of `elements`, given in row-major order, by its index."""
    if not elements:
        raise Unsupported("a tensor without elements")
    number = z3.simplify(_number(index, shape))
    item = elements[-1]
    for n in reversed(range(len(elements) - 1)):
        item = pick(number == n, elements[n], item)
    return item


def spelled_out(side: Side, array: np.ndarray, type_: Any) -> Tensor:
    """A constant, element by element."""
    if array.size > _MOST_ELEMENTS:
        raise Unsupported(f"a constant of {array.size} elements, more than {_MOST_ELEMENTS}")
    shape = tuple(stands_for(n) for n in type_.shape)
    elements = [literal(each, type_.element_type) for each in array.reshape(-1)]
    return side.tensor(shape, type_.element_type, lambda index: chosen(elements, index, shape))


def _generate(side: Side, op: Any, values: Values, run: RunBlock) -> list[Value]:
    type_ = op.results[0].type
    shape = shape_of(side, type_, [values[o] for o in op.operands])
    block = op.regions[0].blocks[0]
    return [side.tensor(shape, type_.element_type, lambda i: run(block, i)[0])]


def _pad(side: Side, op: Any, values: Values, run: RunBlock) -> list[Value]:
    source, *dynamic = (values[o] for o in op.operands)
    left = iter(dynamic)
    low, high = (mixed(list(op.attributes[n]), left) for n in ("static_low", "static_high"))
    sizes = [a + n + b for a, n, b in zip(low, source.shape, high, strict=True)]
    for size in sizes:
        side.is_undefined(size < 0, "a negative size")
    shape = side.typed([z3.simplify(n) for n in sizes], op.results[0].type, "the padded value")
    block = op.regions[0].blocks[0]

    def at(index: Terms) -> Item:
        inner = [i - a for i, a in zip(index, low, strict=True)]
        is_inside = every(inside(inner, source.shape))
        with side.under((), [z3.Not(is_inside)]):
            (padding,) = run(block, index)
        return pick(is_inside, source.at(inner), padding)

    return [side.tensor(shape, source.element, at)]


def _concat(side: Side, op: Any, values: Values, _: RunBlock) -> list[Value]:
    parts = [values[o] for o in op.operands]
    dim = op.attributes["dim"].value
    first = parts[0]
    for part in parts[1:]:
        for d, (n, m) in enumerate(zip(part.shape, first.shape, strict=True)):
            if d != dim:
                side.is_undefined(n != m, "parts of other sizes")
    ends, end = [], z3.IntVal(0)
    for part in parts:
        ends.append(end)
        end = z3.simplify(end + part.shape[dim])

    def at(index: Terms) -> Item:
        def of(part: Tensor, start: z3.ArithRef) -> Item:
            return part.at((*index[:dim], index[dim] - start, *index[dim + 1 :]))

        term = of(parts[-1], ends[-1])
        for part, start, stop in zip(parts[-2::-1], ends[-2::-1], ends[:0:-1], strict=True):
            term = pick(index[dim] < stop, of(part, start), term)
        return term

    sizes = (*first.shape[:dim], end, *first.shape[dim + 1 :])
    shape = side.typed(sizes, op.results[0].type, "the whole")
    return [side.tensor(shape, first.element, at)]


_VIEWED: dict[str, Callable[[Side, Any, Terms, Sequence[Any]], Any]] = {
    "cast": _cast,
    "collapse_shape": _collapse,
    "expand_shape": _expand,
    "extract_slice": _slice,
    "subview": _slice,
}
SHAPES: dict[str, Handler] = {
    "tensor.cast": _view,
    "tensor.collapse_shape": _view,
    "tensor.concat": _concat,
    "tensor.dim": _dim,
    "tensor.empty": _empty,
    "tensor.expand_shape": _view,
    "tensor.extract": _extract,
    "tensor.extract_slice": _view,
    "tensor.from_elements": _from_elements,
    "tensor.generate": _generate,
    "tensor.insert": _insert,
    "tensor.insert_slice": _insert_slice,
    "tensor.pad": _pad,
    "tensor.rank": lambda side, op, *_: [z3.IntVal(op.operands[0].type.rank)],
    "tensor.splat": _splat,
}
