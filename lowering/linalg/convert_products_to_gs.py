"""`convert-products-to-gs`: products, reductions and transposes of linalg to `gs.generic`."""

from dataclasses import dataclass, field, replace
from math import ceil, prod
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.structure import Extent, dims_in
from mlir_gs.lowering.fuse.loops import (
    Loops,
    Read,
    are_map_results,
    build,
    fits,
    of_linalg,
    scalar_body,
)
from mlir_gs.lowering.fuse.views import VIEWS
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.affine_rewrites import Exprs
from mlir_gs.lowering.ir.builders import arith, has_named, producer, replace_op, tensor, walk
from mlir_gs.lowering.ir.emit import generated, size_of
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.targets import machine

linalg = dialect("linalg")

_POSITION = "linalg.index"
# Upstream's own loops over these are calls of memset and memcpy.
_MEMORY = ("linalg.fill", "linalg.copy")
_CASTS = (
    *("arith.ext", "arith.trunc", "arith.bitcast", "arith.index_cast"),
    *("arith.sitofp", "arith.uitofp"),
)


@register_pass
@dataclass(frozen=True)
class ConvertProductsToGs:
    """Turn products, reductions and transposes of linalg into `gs.generic` without coordinates.

    before: `linalg.matmul ins(%a, %b) outs(%c)`
    after:  `gs.generic (m, n, k) ins(%a[m, k], %b[k, n]) outs(%c[m, n])` with the same body

    A product is a linalg op, named or generic, of two inputs and one output that reduces, and of
    which an input is read again along a dim of the output: matrix products, batched, transposed and
    with a vector, contractions, convolutions. Of other linalg ops on tensors, named or generic,
    those are converted that reduce, that read an input along another dim than they write, and that
    compute f16. A reduction that asks for its place, as an argmax, reads that from a tensor. The
    rest stays. A sum whose last dims are too short for vectors, as those of three channels, has a
    long one last, and its result is transposed, where that saves ops on vectors of `target`.
    Each element is computed as before, in the same order.

    Front ends run it with `apart` before linalg-fuse-elementwise-ops: that merges what computes an
    input of a product into it, where a `tanh` is computed for each row and column. Moves and casts
    may go there. With `apart` it also converts what calls a function of `math` and is read by a
    broadcast, which would call it again for each element that it makes.
    """

    name: ClassVar[str] = "convert-products-to-gs"
    shared: bool = field(default=False, metadata={"help": "elementwise loops too, for threads"})
    apart: bool = field(default=False, metadata={"help": "only products of what computations give"})
    target: str = field(default="generic", metadata={"help": "the machine, for its vectors"})

    def __post_init__(self) -> None:
        machine(self.target)

    def run(self, module: ir.Operation) -> None:
        for op in [] if self.apart else walk(module):
            if op.name.startswith(("gs.generic", "linalg.")) and len(op.regions):
                _turn(op, machine(self.target).policy(1))
        found = [op for op in walk(module) if op.name.startswith("linalg.") and len(op.regions)]
        again = _read_again(module) if self.apart else set()
        for op in found:
            if self.apart and op.name != "linalg.generic":
                continue
            loops = _product(op)
            if self.apart and loops is not None and not _is_of_computed(op):
                continue
            if loops is None and (not self.apart or _calls_for(again, op)):
                loops = _loops(op, self.shared or self.apart)
            if loops is None:
                continue
            replace_op(op, build(loops).results)


def _turn(op: ir.Operation, policy: Policy) -> None:
    """Reduce with a long dim last, then transpose, where the last dims of the result are short.

    before: `%r[i, c] = sum over k of %a[k, i] * %b[k, c]`, three columns
    after:  `%t[c, i] = ...`, the same sums, and `%r` as the transpose of `%t`

    Applies to a result that starts as a fill, of static sizes.
    """
    loops = Loops.of(op)
    fill = loops and producer(loops.writes[0].value, "linalg.fill")
    if loops is None or fill is None or (last := _long_dim(loops, policy)) is None:
        return
    write, type_ = loops.writes[0], loops.writes[0].value.type
    order = sorted(range(type_.rank), key=lambda n: plain_dim(write.exprs[n]) == last)
    with op.location, ir.InsertionPoint(op):
        empty = tensor.empty([type_.shape[n] for n in order], type_.element_type)
        start = linalg.fill(fill.operands[0], outs=[empty])
        write = replace(write, value=start, exprs=tuple(write.exprs[n] for n in order))
        new = build(replace(loops, writes=(write,))).results[0]
        back = [order.index(n) for n in range(type_.rank)]
        empty = tensor.empty(type_.shape, type_.element_type)
        replace_op(op, linalg.transpose(new, outs=[empty], permutation=back).results)
    if not list(fill.results[0].uses):
        fill.erase()


def _long_dim(loops: Loops, policy: Policy) -> int | None:
    """The dim of the result that saves most ops on vectors if it is last, if one does."""
    sizes = [loops.structure.static_extent(dim) for dim in range(loops.rank)]
    places = [[plain_dim(expr) for expr in read.exprs] for read in loops.reads]
    used = [{dim for expr in read.exprs for dim in dims_in(expr)} for read in loops.reads]
    outer = [dim for expr in loops.writes[0].exprs if (dim := plain_dim(expr)) is not None]
    reduced = [dim for dim in range(loops.rank) if dim not in outer]
    known = min([*sizes, *loops.writes[0].value.type.shape, 1]) == 1
    if loops.symbols or len(loops.writes) != 1 or not reduced or not outer or not known:
        return None
    # What all operands have together at their ends is one row.
    row, reads = outer, list(zip(used, places, strict=True))
    while not all(dims.isdisjoint(row) or place[-len(row) :] == row for dims, place in reads):
        row = row[1:]
    short = prod(sizes[dim] for dim in row)
    widths = [bytes_of(each.value.type.element_type) for each in (*loops.reads, *loops.writes)]
    most = max(policy.vector_bytes // max(widths), 1)

    def vectors(points: int) -> int:
        return ceil(points / min(most, 1 << points.bit_length() - 1))

    def saved(dim: int) -> float:
        found = [n for n, dims in enumerate(used) if dim in dims and not dims.isdisjoint(reduced)]
        if short < 2 or not found or any(dim in d and not d.isdisjoint(row) for d in used):
            return 0
        ops = sizes[dim] * vectors(short) - short * vectors(sizes[dim])
        # Elements of the result are transposed, and those of inputs that lie along another dim.
        for n in [n for n in found if places[n][-1] != dim]:
            if prod(sizes[d] for d in used[n]) * widths[n] > policy.cache_bytes // 2:
                return 0
            ops -= sizes[dim] * short / (2 * prod(sizes[d] for d in outer if d not in used[n]))
        return prod(sizes[d] for d in reduced) * ops - 4 * sizes[dim] * short

    best = max(outer, key=saved)
    return best if saved(best) > 0 else None


def _is_of_computed(op: ir.Operation) -> bool:
    """Whether loops that compute, and not only move and cast, give an input of `op`."""
    pending, seen = list(op.operands)[:2], set[ir.Operation]()
    while pending:
        made = producer(pending.pop())
        if made is None or made in seen:
            continue
        seen.add(made)
        if made.name in VIEWS:
            pending.append(made.operands[0])
        elif made.name == "linalg.generic" and "reduction" not in str(
            made.attributes["iterator_types"]
        ):
            *body, _ = made.regions[0].blocks[0].operations
            if not all(each.operation.name.startswith(_CASTS) for each in body):
                return True
            pending += list(made.operands)[: -len(made.results)]
    return False


def _read_again(module: ir.Operation) -> set[ir.Value]:
    """Tensors whose elements elementwise loops, or others after them, read at several points."""
    found: set[ir.Value] = set()
    for op in reversed(walk(module)):
        if op.name in VIEWS and op.results[0] in found:
            found.add(op.operands[0])
        if not op.name.startswith("linalg.") or len(op.results) != 1 or not len(op.regions):
            continue
        shape = op.results[0].type.shape
        for operand, attribute in zip(op.operands, linalg.get_indexing_maps(op), strict=True):
            if attribute.value.n_dims == len(shape):
                read = [dim for expr in attribute.value.results for dim in dims_in(expr)]
                again = any(size != 1 and dim not in read for dim, size in enumerate(shape))
                found.update([operand] if again or op.results[0] in found else [])
    return found


def _calls_for(results: set[ir.Value], op: ir.Operation) -> bool:
    """Whether `op` computes one of these results by a function of `math`."""
    body = op.regions[0].blocks[0].operations if results.intersection(op.results) else ()
    return any(each.operation.name.startswith("math.") for each in body)


def _product(op: ir.Operation) -> Loops | None:
    """The loops of `op`, if it is a product."""
    if len(op.regions) != 1 or not scalar_body(op):
        return None
    if list(op.attributes.get("operandSegmentSizes", ())) != [2, 1]:
        return None
    shaped = (ir.RankedTensorType, ir.MemRefType)
    if not all(isinstance(operand.type, shaped) for operand in op.operands):
        return None
    maps = [attribute.value for attribute in linalg.get_indexing_maps(op)]
    if not all(map(are_map_results, maps)):
        return None
    rank = maps[0].n_dims
    outer = [plain_dim(expr) for expr in maps[2].results]
    if None in outer or len(set(outer)) != len(outer) or len(outer) == rank:
        return None
    used = [{dim for expr in map_.results for dim in dims_in(expr)} for map_ in maps[:2]]
    inner = set(range(rank)) - set(outer)
    if not all(inner <= each for each in used) or all(set(outer) <= each for each in used):
        return None
    block = op.regions[0].blocks[0]
    # A pool has an input for the sizes of its window.
    if not all(list(argument.uses) for argument in block.arguments):
        return None
    return of_linalg(op, block)


def _loops(op: ir.Operation, shared: bool) -> Loops | None:
    """The loops of `op`, if it reduces, reads transposed or has elements of f16. `shared`: also if
    it reads in the order in which it writes, without broadcasts."""
    if op.name in _MEMORY or len(op.results) == 0 or len(op.regions) != 1:
        return None
    if has_named(op, _POSITION):
        return _numbered(op)
    if not scalar_body(op):
        return None
    loops = of_linalg(op, op.regions[0].blocks[0])
    if loops is None:
        return None
    if shared and all(_lies_in(read.exprs, loops.writes[0].exprs) for read in loops.reads):
        return loops
    if "reduction" in loops.iterators or _transposes(loops):
        return loops
    # LLVM makes no vectors of loops over them.
    halves = (isinstance(each.type.element_type, ir.F16Type) for each in op.results)
    return loops if any(halves) else None


def _lies_in(read: Exprs, written: Exprs) -> bool:
    """Whether an element lies as what is written does, or is repeated along some dims of that."""
    rest = iter(written)
    return all(isinstance(e, ir.AffineConstantExpr) or any(e == w for w in rest) for e in read)


def _numbered(op: ir.Operation) -> Loops | None:
    """The loops of a reduction whose body asks where it is, as that of an argmax: it reads that
    from a tensor of the numbers along the dim."""
    block = op.regions[0].blocks[0]
    loops = of_linalg(op, block, numbered=True) if scalar_body(op, _POSITION) else None
    if loops is None or "reduction" not in loops.iterators:
        return None
    structure, kinds = loops.structure, enumerate(loops.iterators)
    # Rows run in lanes, each in order: one row is no faster so.
    if all(structure.static_extent(dim) == 1 for dim, kind in kinds if kind == "parallel"):
        return None
    asks = [
        (each.attributes["dim"].value, user if user.name == "arith.index_cast" else each)
        for each in [nested.operation for nested in block.operations]
        if each.name == _POSITION
        for user in [use.owner.operation for use in each.results[0].uses]
    ]
    if not all(structure.extents[dim] for dim, _ in asks):
        return None
    found = dict.fromkeys((dim, made.results[0].type) for dim, made in asks)
    if not fits(replace(loops, reads=(*loops.reads, *loops.reads[:1] * len(found)))):
        return None
    args = {key: block.add_argument(key[1], op.location) for key in found}
    for dim, made in asks:
        made.results[0].replace_all_uses_with(args[dim, made.results[0].type])
    with op.location, ir.InsertionPoint(op):
        reads = tuple(
            Read(_numbers(structure.extents[d][0], type_), (affine_rewrites.dim(d),), None, (arg,))
            for (d, type_), arg in args.items()
        )
    for each in reversed([nested.operation for nested in block.operations]):
        if each.name in (_POSITION, "arith.index_cast") and not list(each.results[0].uses):
            each.erase()
    return replace(loops, reads=(*loops.reads, *reads))


def _numbers(extent: Extent, type_: ir.Type) -> ir.Value:
    """The numbers from 0 to an extent, as a tensor of `type_`."""
    size, index = size_of(extent.access.value, extent.position), ir.IndexType.get()
    return generated([size], type_, lambda n: n if type_ == index else arith.index_cast(type_, n))


def _transposes(loops: Loops) -> bool:
    """Whether an input lies along another dim than an output."""
    lasts = {plain_dim(write.exprs[-1]) for write in loops.writes if write.exprs}
    return any(
        read.exprs
        and plain_dim(read.exprs[-1]) not in (None, dim)
        and any(dim in dims_in(expr) for expr in read.exprs[:-1])
        for read in loops.reads
        for dim in lasts
    )
