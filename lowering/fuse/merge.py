"""Merging a producer into the loops that read it: the algebra, and when it is allowed."""

from collections.abc import Iterable
from dataclasses import replace
from math import prod
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear, plain_dim, symbols_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.generic_verify import masked_symbols
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.fuse.equal_sizes import Sizes
from mlir_gs.lowering.fuse.functions import reads_few, reads_for_complex, scatters_functions
from mlir_gs.lowering.fuse.loops import Loops, Read, Scalar, Symbol, fits, renumbered, same_fill
from mlir_gs.lowering.fuse.simplify import simplified
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.affine_rewrites import Exprs
from mlir_gs.lowering.ir.builders import arith, dense_constant, producer

# Ops so cheap that computing them again costs less than storing and loading their result.
_FREE = ("arith.constant", "builtin.unrealized_conversion_cast")


class Refused(Exception):
    """A merge is not done; the text says why."""


class RefusedErrors(Refused):
    """What is refused is to look at coordinates under mode error at another place."""


def merge_input(consumer: Loops, number: int, made: Loops, result: int, sizes: Sizes) -> Loops:
    """`consumer` with its input `number` replaced by what makes it: output `result` of `made`.

    before: `v[m_P(d)] = p(x[...])`; `y[...] = c(v[m_C(e)], ...)`
    after:  `y[...] = c(p(x[...]), ...)` at the d with m_P(d) = m_C(e)

    Raises Refused.
    """
    read = consumer.reads[number]
    made = _readable(made, result, sizes)
    value = _yielded(made, result)
    moved = next((r for r in made.reads if value in r.args), None)
    _check_repeats(consumer, read.exprs, made, moved is not None)
    shift = len(consumer.symbols)
    dims = _dims_at(made, result, read.exprs)
    new_reads, new_symbols = _at(made, dims, shift)
    _check_divisions(consumer, read, (entry.exprs for entry in (*new_reads, *new_symbols)))
    fills = _masks(consumer, number)
    if moved is not None:
        entry = new_reads[made.reads.index(moved)]
        masked = bool(_masks(made, made.reads.index(moved)))
        entry = replace(entry, args=read.args, fill=_one_fill(read, fills, entry, masked))
        new_reads, bodies, bindings = (entry,), (), ()
    else:
        if fills:
            raise Refused("what is computed would be computed from fill values")
        if scatters_functions(consumer, made) and not reads_few(consumer, read):
            raise Refused("its functions are faster in vectors than where elements are scattered")
        bodies = made.bodies
        bindings = (*((arg, value) for arg in read.args), *made.bindings)
    reads = (*consumer.reads[:number], *new_reads, *consumer.reads[number + 1 :])
    merged = replace(
        consumer,
        reads=reads,
        symbols=(*consumer.symbols, *new_symbols),
        sorted=consumer.sorted and _writes_through(consumer),
        bodies=(*bodies, *consumer.bodies),
        bindings=(*consumer.bindings, *bindings),
        merged=(*consumer.merged, made.op),
    )
    if fills and fills - _masks(merged, number):
        raise Refused("what is read out of bounds would no longer be filled")
    if not any(map(symbols_of, read.exprs)) and reads_for_complex(consumer, made):
        raise Refused("complex functions are faster in vectors than where coordinates are read")
    return _checked(consumer, made, merged, dims, shift, sizes)


def merge_splat(consumer: Loops, number: int, made: ir.Operation, sizes: Sizes) -> Loops | None:
    """`consumer` with its input `number`, a tensor of equal elements, as a scalar in the body.

    None where `made` is no constant of this kind and no tensor.splat. Raises Refused.
    """
    read = consumer.reads[number]
    scalar = _repeated(made)
    if scalar is None:
        return None
    if _masks(consumer, number):
        raise Refused("what is read out of bounds would no longer be filled")
    reads = (*consumer.reads[:number], *consumer.reads[number + 1 :])
    bindings = (*consumer.bindings, *((arg, scalar) for arg in read.args))
    merged = replace(consumer, reads=reads, bindings=bindings)
    nothing = replace(consumer, symbols=(), reads=(), writes=())
    return _checked(consumer, nothing, merged, (), len(consumer.symbols), sizes)


def _repeated(made: ir.Operation) -> ir.Value | Scalar | None:
    """The element of a tensor of equal elements, or what makes it."""
    if made.name == "tensor.splat":
        return made.operands[0]
    value: Any = dense_constant(made.results[0])
    if value is None or not value.is_splat:
        return None
    element = value.get_splat_value()
    return lambda: arith.constant(value.type.element_type, element)


def merge_coordinate(consumer: Loops, number: int, made: Loops, result: int, sizes: Sizes) -> Loops:
    """`consumer` with the tensor that symbol `number` is read from replaced by what it moves.

    before: `v[m_P(d)] = x[...]`; `y[...] = c(z[v[m_C(e)]], ...)`
    after:  `y[...] = c(z[x[...]], ...)`

    Raises Refused, also where the producer computes anything: coordinates are loaded.
    """
    symbol = consumer.symbols[number]
    made = _readable(made, result, sizes)
    value = _before_widening(_yielded(made, result))
    moved = next((r for r in made.reads if value in r.args), None)
    if moved is None:
        raise Refused("coordinates are computed, not moved")
    if any(s.mode == "fill_or_drop" for s in made.symbols):
        raise Refused("coordinates may be fill values")
    if made.symbols and _in_segments(consumer, number):
        raise Refused("the ends of segments are looked for in coordinates as they are")
    # The coordinates of the producer come first: those of the consumer are read through them.
    count = len(made.symbols)
    order = [
        affine_rewrites.symbol(k if k < number else k + count) for k in range(len(consumer.symbols))
    ]
    before = renumbered(consumer, order, consumer.symbols)
    dims = _dims_at(made, result, before.symbols[number].exprs)
    new_reads, new_symbols = _at(made, dims, number)
    entry = new_reads[made.reads.index(moved)]
    loaded = replace(symbol, value=entry.value, exprs=entry.exprs)
    symbols = (
        *before.symbols[:number], *new_symbols, loaded, *before.symbols[number + 1 :],
    )  # fmt: skip
    merged = replace(
        before,
        symbols=symbols,
        sorted=consumer.sorted and _writes_through(before),
        merged=(*consumer.merged, made.op),
    )
    place = [k if k < number else k + count for k in range(len(consumer.symbols))]
    if [{place[k] for k in masks} for masks in _all_masks(consumer)] != _all_masks(merged):
        raise Refused("what is read out of bounds would no longer be filled")
    return _checked(consumer, made, merged, dims, number, sizes)


def _in_segments(loops: Loops, number: int) -> bool:
    """Symbol `number` says where sorted updates go, which repeat."""
    if not loops.sorted or loops.unique:
        return False
    return any(number in symbols_of(expr) for write in loops.writes for expr in write.exprs)


def _writes_through(loops: Loops) -> bool:
    """An output has coordinates: of those `sorted` speaks, whatever else is read through any."""
    return any(symbols_of(expr) for write in loops.writes for expr in write.exprs)


def _readable(made: Loops, result: int, sizes: Sizes) -> Loops:
    """`made` where each element of `result` is computed once, from inputs only."""
    write = made.writes[result]
    if write.arg is None:  # a view
        return made
    if "reduction" in made.iterators:
        raise Refused("it reduces or scatters")
    structure = made.structure
    seen = set()
    for position, expr in enumerate(write.exprs):
        dim = plain_dim(expr)
        size = sizes.key(write.value, position)
        if dim is None:
            if isinstance(expr, ir.AffineConstantExpr) and size == 1:
                continue
            raise Refused("it does not write each element of its result")
        if dim in seen or sizes.extent(structure, dim) != {size}:
            raise Refused("it does not write each element of its result")
        seen.add(dim)
    if seen != set(range(made.rank)):
        raise Refused("it writes elements of its result more than once")
    if any(other.arg and _is_used(other.arg) for other in made.writes if other is not write):
        raise Refused("it has several results that depend on each other")
    if not _is_used(write.arg):
        return made
    current = Read(write.value, write.exprs, None, (write.arg,))
    return replace(made, reads=(*made.reads, current))


def _is_used(arg: ir.Value) -> bool:
    return next(iter(arg.uses), None) is not None


def _yielded(made: Loops, result: int) -> ir.Value:
    """What the producer yields, seen through arguments that stand for something."""
    value = made.yields[result]
    bound = dict(made.bindings)
    while value in bound and isinstance(bound[value], ir.Value):
        value = bound[value]
    return value


def _before_widening(value: ir.Value) -> ir.Value:
    """The coordinate that was cast to a wider type of the same number, if it was."""
    op = producer(value)
    while op is not None and op.name in ("arith.extsi", "arith.index_cast"):
        given, wide = op.operands[0].type, value.type
        if isinstance(given, ir.IndexType):
            if wide.width < 64:
                break
        elif given.width == 1 or (isinstance(wide, ir.IndexType) and given.width > 64):
            # A coordinate of type i1 is 0 or 1, and what no index holds saturates.
            break
        value = op.operands[0]
        op = producer(value)
    return value


def _dims_at(made: Loops, result: int, exprs: Exprs) -> Exprs:
    """The point of `made`, dim by dim, that writes its result at `exprs`."""
    dims: list[ir.AffineExpr] = [affine_rewrites.constant(0)] * made.rank
    for expr, where in zip(made.writes[result].exprs, exprs, strict=True):
        dim = plain_dim(expr)
        if dim is not None:
            dims[dim] = where
    return tuple(dims)


def _at(made: Loops, dims: Exprs, first: int) -> tuple[tuple[Read, ...], tuple[Symbol, ...]]:
    """The inputs and coordinates of `made` at the point `dims`; symbols count from `first`."""
    symbols = [affine_rewrites.symbol(first + k) for k in range(len(made.symbols))]

    def moved(old: Exprs) -> Exprs:
        new = tuple(affine_rewrites.replace(expr, dims, symbols) for expr in old)
        if not all(affine_rewrites.is_map_result(expr) for expr in new):
            raise Refused("the composed map is not affine in one coordinate")
        return new

    return (
        tuple(replace(read, exprs=moved(read.exprs)) for read in made.reads),
        tuple(replace(symbol, exprs=moved(symbol.exprs)) for symbol in made.symbols),
    )


def _masks(loops: Loops, number: int) -> set[int]:
    structure = loops.structure
    return masked_symbols(structure, structure.inputs[number])


def _all_masks(loops: Loops) -> list[set[int]]:
    structure = loops.structure
    return [masked_symbols(structure, a) for a in (*structure.inputs, *structure.outputs)]


def _one_fill(read: Read, outer: set[int], inner: Read, masked: bool) -> ir.Attribute | None:
    """The fill of an input that is read out of bounds for the consumer's or producer's reasons."""
    if not outer:
        return inner.fill if masked else None
    if masked and not same_fill(read.fill, inner.fill):
        raise Refused("two different fill values meet")
    if read.value.type.element_type != inner.value.type.element_type:
        raise Refused("two different fill values meet")
    return read.fill


def _check_repeats(consumer: Loops, exprs: Exprs, made: Loops, moves: bool) -> None:
    """Nothing is computed more often than before, unless it is next to nothing."""
    if moves or all(
        op.operation.name in _FREE or op.operation.name == "gs.yield"
        for block in made.bodies
        for op in list(block.operations)[:-1]
    ):
        return
    structure = consumer.structure
    extents = [structure.static_extent(dim) for dim in range(consumer.rank)]
    plain = {plain_dim(expr) for expr in exprs}
    again = [d for d in range(consumer.rank) if d not in plain and extents[d] != 1]
    if not again:
        return
    inner = made.structure
    points = [inner.static_extent(dim) for dim in range(made.rank)]
    if DYNAMIC not in extents and DYNAMIC not in points and prod(extents) <= prod(points):
        return
    dims = ", ".join(f"d{d}" for d in again)
    raise Refused(f"it would be computed again for each point of {dims}")


def _check_divisions(consumer: Loops, read: Read, moved: Iterable[Exprs]) -> None:
    """Refuse to move a read into a loop of more points than its tensor has elements, if its places,
    `moved`, divide the innermost dim of that loop."""
    structure = consumer.structure
    points = [structure.static_extent(dim) for dim in range(consumer.rank)]
    sizes = list(read.value.type.shape)
    if DYNAMIC in (*points, *sizes) or prod(points) <= prod(sizes):
        return
    inner = consumer.rank - 1
    if any(_is_divided(expr, inner) for exprs in moved for expr in exprs):
        raise Refused("its places would be divided again for each point")


def _is_divided(expr: ir.AffineExpr, dim: int) -> bool:
    """`dim` is divided by another number than a power of two: by these, it is shifted."""
    if not isinstance(expr, ir.AffineBinaryExpr):
        return False
    if isinstance(expr, ir.AffineAddExpr | ir.AffineMulExpr):
        return _is_divided(expr.lhs, dim) or _is_divided(expr.rhs, dim)
    divisor = linear(expr.rhs)
    return dim in dims_in(expr.lhs) and divisor is not None and divisor.constant.bit_count() > 1


def _checked(
    consumer: Loops, made: Loops, merged: Loops, dims: Exprs, first: int, sizes: Sizes
) -> Loops:
    """`merged`, cleaned up, if it has the extents and bounds that its parts had.

    `dims` are the dims of the producer in those of the consumer, its symbols begin at `first`.
    """
    before, inner, after = consumer.structure, made.structure, merged.structure
    for dim in range(consumer.rank):
        if not after.extents[dim] or sizes.extent(before, dim) != sizes.extent(after, dim):
            raise Refused(f"the extent of d{dim} would not be known from what is left")
    count = len(made.symbols)
    for k, symbol in enumerate(merged.symbols):
        if not symbol.checked or (symbol.mode == "clip" and not merged.uses(k)):
            continue
        if first <= k < first + count:
            expected = sizes.bounds(inner, k - first)
        else:
            expected = sizes.bounds(before, k if k < first else k - count)
        if any(use.form is None for use in after.uses(k)) or sizes.bounds(after, k) != expected:
            raise Refused("a coordinate would be checked against other bounds")
    if any(symbol.mode == "error" for symbol in made.symbols):
        same = _check_errors(consumer, made, merged, dims, first, sizes)
        if not same:
            merged = replace(merged, location=made.location, origin=made.origin)
    merged = simplified(merged, sizes)
    if not fits(merged):
        raise Refused("a gs.generic has no slots for all operands")
    return merged


def _check_errors(
    consumer: Loops, made: Loops, merged: Loops, dims: Exprs, first: int, sizes: Sizes
) -> bool:
    """The same coordinates are looked at, and blamed on the op they belong to. Whether both look at
    them: in the same bounds one of the two reports all that the other would."""
    before, inner, after = consumer.structure, made.structure, merged.structure

    def reported(numbers: Iterable[int]) -> list[Any]:
        return [
            (merged.symbols[k], sizes.bounds(after, k))
            for k in numbers
            if merged.symbols[k].mode == "error"
        ]

    theirs = range(first, first + len(made.symbols))
    ours = reported(k for k in range(len(merged.symbols)) if k not in theirs)
    others = reported(theirs)
    if ours and not (all(one in others for one in ours) and all(one in ours for one in others)):
        raise RefusedErrors("both ops report coordinates that are out of bounds")
    for k, symbol in enumerate(made.symbols):
        if symbol.mode != "error":
            continue
        for dim in inner.dims_of_symbol(k):
            where = plain_dim(dims[dim])
            if where is None or sizes.extent(before, where) != sizes.extent(inner, dim):
                raise RefusedErrors("a coordinate that may be out of bounds might not be looked at")
    return bool(ours)
