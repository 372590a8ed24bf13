"""Tensors put together of others, which loops read in order: loops over boxes of one piece each."""

from collections.abc import Container, Iterator
from dataclasses import replace
from itertools import accumulate, pairwise, product
from math import prod
from operator import add

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import Linear, linear, symbols_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.sizes import destination
from mlir_gs.dialect.structure import Structure, dims_in
from mlir_gs.lowering.fuse.loops import LOOPS, Loops, Read, build
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.affine_rewrites import Exprs
from mlir_gs.lowering.ir.builders import producer, replace_op
from mlir_gs.lowering.ir.emit import Ix, size_of, slice_operands, sliced
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.volume import LINE
from mlir_gs.lowering.passes.explain import note

tensor = dialect("tensor")

# The inside and the edges of two dims.
_MOST_BOXES = 9

_PUT = ("tensor.concat", "tensor.pad", "tensor.insert_slice")
Range = tuple[int, int]

# The parts, each with the offsets of its first element, and what holds the other elements:
# a tensor, a scalar, or None where the parts fill the whole.
_Whole = tuple[list[tuple[tuple[int, ...], ir.Value]], ir.Value | None]


def split_pieces(block: ir.Block) -> bool:
    """Split each loop nest in `block` that reads pads, concatenations or slices put into tensors
    into one for each box of points that read one piece of each. Whether there was one.

    before: `%c = tensor.concat dim(k) %a, %b`, `gs.generic ins(%c[d], ...) outs(%y[d])`
    after:  two ops that read %a[d] and %b[d], and what else there is at d and d + the size of %a

    Applies where loops alone read what is put together, at `d` plus a number along the dims in
    which the pieces differ. Does not apply where the boxes would be many or narrow, nor to copies,
    whose readers may read the pieces themselves.
    """
    ops = [op.operation for op in block.operations if op.operation.name in LOOPS]
    found = [(op, cuts) for op in ops if (cuts := _cuts(op))]
    for op, cuts in found:
        note(op, "rewrote", "it runs over the pieces of what it reads, one after the other")
        _split(op, cuts)
    return len(found) > 0


def put_together(value: ir.Value) -> _Whole | None:
    """The pieces of `value`, if it is a concatenation, a pad or a slice put into a tensor."""
    op = producer(value, *_PUT)
    if op is None:
        return None
    zeros, parts = (0,) * value.type.rank, list(op.operands)
    if op.name == "tensor.concat":
        along = op.attributes["dim"].value
        sizes = [part.type.shape[along] for part in parts]
        starts = ((*zeros[:along], n, *zeros[along + 1 :]) for n in accumulate(sizes, initial=0))
        return None if DYNAMIC in sizes else (list(zip(starts, parts, strict=False)), None)
    if op.name == "tensor.pad":
        body = op.regions[0].blocks[0]
        (*inner, end) = body.operations
        low = tuple(op.attributes["static_low"])
        known = len(parts) == 1 and DYNAMIC not in parts[0].type.shape and not inner
        outer = known and all(end.operands[0] != index for index in body.arguments)
        return ([(low, parts[0])], end.operands[0]) if outer else None
    offsets, sizes, strides = (
        tuple(op.attributes[f"static_{name}"]) for name in ("offsets", "sizes", "strides")
    )
    written = destination(parts[0])
    in_place = written is not None and producer(written, "tensor.extract_slice") is not None
    plain = tuple(parts[0].type.shape) == sizes and set(strides) <= {1}
    return None if in_place or not plain or len(parts) > 2 else ([(offsets, parts[0])], parts[1])


def _is_split(read: Read) -> bool:
    """Whether a read may be one of a piece. One at coordinates may not: it may be a fill value."""
    return not any(map(symbols_of, read.exprs)) and _only_loops_read(read.value)


def _only_loops_read(value: ir.Value) -> bool:
    users = [use.owner.operation for use in value.uses]
    return all(
        u.name in LOOPS or (u.name in _PUT and _only_loops_read(u.results[0])) for u in users
    )


def _ranges(offsets: tuple[int, ...], part: ir.Value, whole: ir.Value) -> dict[int, Range]:
    """Where a part lies along the dims that it does not fill."""
    sizes = zip(offsets, part.type.shape, whole.type.shape, strict=True)
    return {d: (k, k + n) for d, (k, n, all_) in enumerate(sizes) if k or n not in (all_, DYNAMIC)}


def _edges(value: ir.Value, at: tuple[int, ...]) -> Iterator[tuple[int, Range]]:
    """The ranges of the pieces of `value`, dim by dim, of which element 0 is `at`."""
    parts, rest = put_together(value) or ([], None)
    for offsets, part in parts:
        for d, (start, stop) in _ranges(offsets, part, value).items():
            yield d, (at[d] + start, at[d] + stop)
        yield from _edges(part, tuple(map(add, at, offsets)))
    yield from [] if rest is None else _edges(rest, at)


def _cuts(op: ir.Operation) -> dict[int, list[int]]:
    """By iteration dim, where its ranges begin and the last one ends; none where nothing is to be
    split."""
    loops = Loops.of(op) if any(map(put_together, op.operands)) else None
    if loops is None or any(set(loops.yields) <= set(read.args) for read in loops.reads):
        return {}
    structure, points = loops.structure, dict[int, set[int]]()
    for read in loops.reads:
        if not _is_split(read):
            continue
        for position, edges in _edges(read.value, (0,) * len(read.exprs)):
            form = linear(read.exprs[position])
            if form is None or list(form.dims.values()) not in ([], [1]):
                return {}
            for d in form.dims:
                places, n = points.setdefault(d, set()), structure.static_extent(d)
                places.update(k for edge in edges if 0 < (k := edge - form.constant) < n)
                if len(places) >= _MOST_BOXES:
                    return {}
    if not all(_may_split(structure, d) for d in points):
        return {}
    cuts = {d: [0, *sorted(points[d]), structure.static_extent(d)] for d in points}
    return cuts if cuts and _pays(structure, cuts) and _keep_extents(loops, cuts) else {}


def _keep_extents(loops: Loops, cuts: Container[int]) -> bool:
    """The dims that are not cut have the same extents without the reads that may become scalars."""
    staying = [r for r in loops.reads if not (_is_split(r) and _may_be_scalar(r.value))]
    old, new = loops.structure, replace(loops, reads=tuple(staying)).structure

    def is_kept(d: int) -> bool:
        before, after = ({each.origin for each in s.extents[d]} for s in (old, new))
        known = len(after) > 0 and new.static_extent(d) != DYNAMIC
        return before == after or (known and old.static_extent(d) == new.static_extent(d))

    return all(is_kept(d) for d in range(loops.rank) if d not in cuts)


def _may_be_scalar(value: ir.Value) -> bool:
    parts, rest = put_together(value) or ([], None)
    of_numbers = rest is not None and not isinstance(rest.type, ir.RankedTensorType)
    given = [part for _, part in parts] + ([] if rest is None or of_numbers else [rest])
    return of_numbers or any(map(_may_be_scalar, given))


def _may_split(structure: Structure, dim: int) -> bool:
    """Each output has elements and is walked by `dim` over its whole length, and no coordinate is
    checked that depends on it or lies in a window along it."""
    size = structure.static_extent(dim)
    if size == DYNAMIC or not structure.plain_in_outputs(dim):
        return False
    for output in structure.outputs:
        exprs = output.map.results
        sizes = [output.value.type.shape[n] for n, e in enumerate(exprs) if dim in dims_in(e)]
        empty = 0 in output.value.type.shape
        if any(map(symbols_of, exprs)) or sizes != [size] or empty:
            return False
    return not any(
        (mode == "error" and dim in structure.dims_of_symbol(symbol))
        or any(dim in dims_in(u.access.map.results[u.position]) for u in structure.uses(symbol))
        for symbol, mode in enumerate(structure.modes)
    )


def _pays(structure: Structure, cuts: dict[int, list[int]]) -> bool:
    """The boxes are few, and their rows fill less than twice the lines of the whole ones."""
    if prod(len(points) - 1 for points in cuts.values()) > _MOST_BOXES:
        return False
    for output in structure.outputs:
        row, exprs = bytes_of(output.value.type.element_type), output.map.results
        for n, expr in reversed(list(zip(output.value.type.shape, exprs, strict=True))):
            ends = [cuts[d] for d in dims_in(expr) if d in cuts]
            lines = [-(-(b - a) * row // LINE) for a, b in pairwise(ends[0])] if ends else []
            if row < LINE and len(lines) > 1 and sum(lines) >= 2 * -(-n * row // LINE):
                return False
            row *= 1 if n == DYNAMIC else n
    return True


def _piece(read: Read, box: dict[int, Range]) -> Read | ir.Value | None:
    """What `read` reads in `box`, at the same places: another tensor, or a scalar."""
    whole = put_together(read.value) if _is_split(read) else None
    if whole is None:
        return read
    parts, rest = whole
    forms = [linear(e) or Linear() for e in read.exprs]
    first = [f.constant + sum(box[d][0] for d in f.dims if d in box) for f in forms]
    for offsets, part in parts:
        if all(a <= first[d] < b for d, (a, b) in _ranges(offsets, part, read.value).items()):
            exprs = (affine_rewrites.add(e, -n) for e, n in zip(read.exprs, offsets, strict=True))
            return _piece(replace(read, value=part, exprs=tuple(exprs)), box)
    if rest is None or not isinstance(rest.type, ir.RankedTensorType):
        return rest
    return _piece(replace(read, value=rest), box)


def _split(op: ir.Operation, cuts: dict[int, list[int]]) -> None:
    """The ops over the boxes between `cuts`, in the place of `op`."""
    results = list(op.operands)[len(op.operands) - len(op.results) :]
    for ranges in product(*(list(pairwise(points)) for points in cuts.values())):
        box = dict(zip(cuts, ranges, strict=True))
        with op.location, ir.InsertionPoint(op):
            copy = op.clone()
        with op.location, ir.InsertionPoint(copy):
            loops = Loops.of(copy)
            assert loops is not None
            windows = [_window(write.value, write.exprs, box) for write in loops.writes]
            outputs = [sliced(r, *window) for r, window in zip(results, windows, strict=True)]
        dims = list(affine_rewrites.identity(loops.rank))
        for d, (start, _) in box.items():
            dims[d] = affine_rewrites.add(dims[d], start)
        keep = list(map(affine_rewrites.symbol, range(len(loops.symbols))))

        def moved(exprs: Exprs, dims: list[ir.AffineExpr] = dims, keep=keep) -> Exprs:
            return tuple(affine_rewrites.replace(expr, dims, keep) for expr in exprs)

        found = [(read, _piece(read, box)) for read in loops.reads]
        reads = [replace(r, exprs=moved(r.exprs)) for _, r in found if isinstance(r, Read)]
        scalars = [(a, v) for read, v in found if isinstance(v, ir.Value) for a in read.args]
        new = build(
            replace(
                loops,
                reads=tuple(reads),
                symbols=tuple(replace(s, exprs=moved(s.exprs)) for s in loops.symbols),
                writes=tuple(map(lambda write, o: replace(write, value=o), loops.writes, outputs)),
                bindings=(*loops.bindings, *scalars),
            )
        )
        copy.erase()
        with op.location, ir.InsertionPoint(op):
            put = zip(new.results, results, map(lambda w: slice_operands(*w), windows), strict=True)
            results = [tensor.insert_slice(part, result, *window) for part, result, window in put]
    read = set(op.operands)
    replace_op(op, results)
    while read:
        made = producer(read.pop(), *_PUT)
        if made is not None and len(list(made.results[0].uses)) == 0:
            read.update(made.operands)
            made.erase()


def _window(whole: ir.Value, exprs: Exprs, box: dict[int, Range]) -> tuple[list[int], list[Ix]]:
    """Offsets and sizes of the places of an output that are written in `box`."""
    found = [[box[d] for d in dims_in(expr) if d in box] for expr in exprs]
    offsets = [ranges[0][0] if ranges else 0 for ranges in found]
    sizes = [r[0][1] - r[0][0] if r else size_of(whole, n) for n, r in enumerate(found)]
    return offsets, sizes
