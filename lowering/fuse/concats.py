"""A concatenation that loops read in order: loops over each of its parts instead."""

from dataclasses import replace
from math import prod

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Structure, dims_in
from mlir_gs.lowering.fuse.loops import Loops, build
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.affine_rewrites import Exprs
from mlir_gs.lowering.ir.builders import producer, replace_op
from mlir_gs.lowering.ir.emit import Ix, size_of, slice_operands, sliced
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.passes.explain import note

tensor = dialect("tensor")

_MOST_PARTS = 4
# Rows of less are read and written in pieces of a cache line.
_LINE = 64


def split_concats(block: ir.Block) -> bool:
    """Split each gs.generic in `block` that alone reads a concatenation, element by element, into
    one for each part. Each writes its slice of the outputs. Whether there was one.

    before: `%c = tensor.concat dim(k) %a, %b`, `gs.generic ins(%c[d], ...) outs(%y[d])`
    after:  two ops that read %a[d] and %b[d], and what else there is at d and d + the size of %a
    """
    found = False
    for op in [op.operation for op in block.operations if op.operation.name == "gs.generic"]:
        place = _place(op)
        if place is not None:
            note(op, "rewrote", "it runs over the parts of a concatenation, one after the other")
            _split(op, *place)
            found = True
    return found


def _place(op: ir.Operation) -> tuple[int, int, int] | None:
    """The number of an input that is a concatenation, its dim, and the iteration dim that walks it,
    where the op may be split along that."""
    if len(op.results) == 0 or Loops.of(op) is None:
        return None
    structure = Structure.of(op.opview)
    for number, access in enumerate(structure.inputs):
        concat = producer(access.value, "tensor.concat")
        if concat is None or len(list(concat.results[0].uses)) != 1:
            continue
        position = concat.attributes["dim"].value
        dim = plain_dim(access.map.results[position])
        sizes = [part.type.shape[position] for part in concat.operands]
        if dim is None or DYNAMIC in sizes or len(sizes) > _MOST_PARTS:
            continue
        if _may_split(op, structure, dim, sum(sizes)) and _is_wide(structure, dim, min(sizes)):
            return number, position, dim
    return None


def _may_split(op: ir.Operation, structure: Structure, dim: int, size: int) -> bool:
    """Each output is walked by `dim` over its whole length, and no coordinate is checked that
    depends on it or lies in a window along it."""
    if structure.static_extent(dim) != size or not structure.plain_in_outputs(dim):
        return False
    for output in structure.outputs:
        exprs = list(output.map.results)
        if any(symbols_of(expr) for expr in exprs):
            return False
        walked = [n for n, expr in enumerate(exprs) if dim in dims_in(expr)]
        if len(walked) != 1 or output.value.type.shape[walked[0]] != size:
            return False
    for symbol, mode in enumerate(structure.modes):
        if mode == "error" and dim in structure.dims_of_symbol(symbol):
            return False
        windows = (use.access.map.results[use.position] for use in structure.uses(symbol))
        if any(dim in dims_in(expr) for expr in windows):
            return False
    return True


def _is_wide(structure: Structure, dim: int, least: int) -> bool:
    """A part of `least` places along `dim` is a cache line of each output, or more."""
    for output in structure.outputs:
        place = [plain_dim(expr) for expr in output.map.results].index(dim)
        inner = [n for n in list(output.value.type.shape)[place + 1 :] if n != DYNAMIC]
        if least * prod(inner) * bytes_of(output.value.type.element_type) < _LINE:
            return False
    return True


def _split(op: ir.Operation, number: int, position: int, dim: int) -> None:
    """The ops over the parts of input `number`, in the place of `op`."""
    concat = producer(Structure.of(op.opview).inputs[number].value, "tensor.concat")
    assert concat is not None
    outputs = [access.value for access in Structure.of(op.opview).outputs]
    start = 0
    for part in concat.operands:
        size = part.type.shape[position]
        if size == 0:
            continue
        with op.location, ir.InsertionPoint(op):
            copy = op.clone()
        loops = Loops.of(copy)
        assert loops is not None
        dims = list(affine_rewrites.identity(loops.rank))
        dims[dim] = affine_rewrites.add(dims[dim], start)
        symbols = [affine_rewrites.symbol(k) for k in range(len(loops.symbols))]

        def moved(exprs: Exprs, dims: list[ir.AffineExpr] = dims, symbols=symbols) -> Exprs:
            return tuple(affine_rewrites.replace(expr, dims, symbols) for expr in exprs)

        places = [
            next(n for n, expr in enumerate(write.exprs) if plain_dim(expr) == dim)
            for write in loops.writes
        ]
        with op.location, ir.InsertionPoint(copy):
            windows = [
                sliced(output, *_window(output, place, start, size))
                for output, place in zip(outputs, places, strict=True)
            ]
        loops = replace(
            loops,
            reads=tuple(
                replace(read, value=part) if n == number else replace(read, exprs=moved(read.exprs))
                for n, read in enumerate(loops.reads)
            ),
            symbols=tuple(replace(s, exprs=moved(s.exprs)) for s in loops.symbols),
            writes=tuple(
                replace(write, value=window)
                for write, window in zip(loops.writes, windows, strict=True)
            ),
        )
        new = build(loops)
        copy.erase()
        with op.location, ir.InsertionPoint(op):
            outputs = [
                _put(result, output, place, start)
                for result, output, place in zip(new.results, outputs, places, strict=True)
            ]
        start += size
    replace_op(op, outputs)
    concat.erase()


def _put(part: ir.Value, whole: ir.Value, place: int, start: int) -> ir.Value:
    window = _window(whole, place, start, part.type.shape[place])
    return tensor.insert_slice(part, whole, *slice_operands(*window))


def _window(whole: ir.Value, place: int, start: int, size: int) -> tuple[list[int], list[Ix]]:
    """Offsets and sizes of the places from `start` along one dimension."""
    dims = range(whole.type.rank)
    sizes = [size if n == place else size_of(whole, n) for n in dims]
    return [start if n == place else 0 for n in dims], sizes
