"""Views of tensors as loops that move elements."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.fuse.loops import Loops, Read, Write
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.affine_rewrites import Exprs
from mlir_gs.lowering.ir.builders import producer, replace_op
from mlir_gs.lowering.ir.emit import sliced


class ViewLoops(Loops):
    """Loops of a view: the body yields what it reads."""

    @property
    def yields(self) -> list[ir.Value]:
        return [self.op.results[0]]


def view(op: ir.Operation) -> Loops | None:
    """`result[d] = source[exprs(d)]`, where `op` is such a view; else None."""
    find = VIEWS.get(op.name)
    exprs = None if find is None else find(op)
    if exprs is None:
        return None
    result = op.results[0]
    rank = result.type.rank
    return ViewLoops(
        op,
        # The result stands for its element, as an argument does in a body.
        (Read(op.operands[0], exprs, None, (result,)),),
        (),
        (Write(result, affine_rewrites.identity(rank), None),),
        ("parallel",) * rank,
        location=op.location,
    )


def _cast(op: ir.Operation) -> Exprs | None:
    types = (op.operands[0].type, op.results[0].type)
    if not all(isinstance(type_, ir.RankedTensorType) for type_ in types):
        return None
    return affine_rewrites.identity(op.results[0].type.rank)


def _reassociation(op: ir.Operation) -> list[list[int]]:
    return [[int(d.value) for d in group] for group in op.attributes["reassociation"]]


def _expand(op: ir.Operation) -> Exprs | None:
    """Each dimension of the source lies in a group of dimensions of the result."""
    shape = list(op.results[0].type.shape)
    exprs = []
    for group in _reassociation(op):
        kept = [d for d in group if shape[d] != 1]
        if DYNAMIC in (shape[d] for d in kept[1:]):
            return None
        exprs.append(
            affine_rewrites.linearized(
                [affine_rewrites.dim(d) for d in kept], [shape[d] for d in kept]
            )
        )
    return tuple(exprs)


def _collapse(op: ir.Operation) -> Exprs | None:
    """Each dimension of the result is a group of dimensions of the source."""
    shape = list(op.operands[0].type.shape)
    exprs: list[ir.AffineExpr] = [affine_rewrites.constant(0)] * len(shape)
    for number, group in enumerate(_reassociation(op)):
        kept = [d for d in group if shape[d] != 1]
        sizes = [shape[d] for d in kept]
        if DYNAMIC in sizes[1:] or 0 in sizes:
            return None
        for d, expr in zip(
            kept, affine_rewrites.delinearized(affine_rewrites.dim(number), sizes), strict=True
        ):
            exprs[d] = expr
    return tuple(exprs)


def _extract_slice(op: ir.Operation) -> Exprs | None:
    offsets, sizes, strides = (
        list(op.attributes[f"static_{name}"]) for name in ("offsets", "sizes", "strides")
    )
    if DYNAMIC in offsets or DYNAMIC in strides:
        return None
    shape = list(op.results[0].type.shape)
    position, exprs = 0, []
    for offset, size, stride in zip(offsets, sizes, strides, strict=True):
        if position < len(shape) and size == shape[position]:
            moving = affine_rewrites.dim(position)
            position += 1
        elif size == 1:
            moving = affine_rewrites.constant(0)
        else:
            return None
        exprs.append(affine_rewrites.add(affine_rewrites.mul(moving, stride), offset))
    return tuple(exprs) if position == len(shape) else None


VIEWS = {
    "tensor.cast": _cast,
    "tensor.expand_shape": _expand,
    "tensor.collapse_shape": _collapse,
    "tensor.extract_slice": _extract_slice,
}


def show_slices(block: ir.Block) -> None:
    """before: `%s = gs.generic ins(%x[d0 + 1, d1]) { yield }`, which linalg.generics and pads read
    after:  `%s = tensor.extract_slice %x[1, 0]`

    Applies to windows of static sizes that were merged with nothing. Their readers then read %x
    itself, not a copy.
    """
    for op in list(block.operations):
        op = op.operation
        offsets = _window(op)
        if offsets is None:
            continue
        result = op.results[0]
        for use in result.uses:
            user = use.owner.operation
            reads = use.operand_number < len(user.operands) - len(user.results)
            is_pad = user.name == "tensor.pad"
            if user.block != block or not (is_pad or (reads and user.name == "linalg.generic")):
                break
        else:
            with op.location, ir.InsertionPoint(op):
                replace_op(op, [sliced(op.operands[0], offsets, list(result.type.shape))])


def _window(op: ir.Operation) -> list[int] | None:
    """Where what `op` moves lies in its source, dim by dim, if it moves a window alone, which is
    all of its result."""
    loops = Loops.of(op) if op.name == "gs.generic" and len(op.operands) == 2 else None
    if loops is None or len(loops.reads) != 1 or DYNAMIC in loops.reads[0].value.type.shape:
        return None
    (read,), (write,) = loops.reads, loops.writes
    if loops.yields != list(read.args) or write.exprs != affine_rewrites.identity(loops.rank):
        return None
    extents = [loops.structure.static_extent(d) for d in range(loops.rank)]
    if DYNAMIC in extents or extents != list(write.value.type.shape):
        return None
    forms = [linear(expr) for expr in read.exprs]
    dims = [None if form is None else form.dims for form in forms]
    if dims != [{n: 1} for n in range(loops.rank)]:
        return None
    return [form.constant for form in forms if form is not None]


# What holds no computation that could move elsewhere.
_GIVEN = ("arith.constant", "tensor.empty", "tensor.splat", "linalg.fill", "bufferization.")


def why_apart(op: ir.Operation) -> str | None:
    """Why `op`, neither loops nor a view that can be merged, stays; None if that is no loss."""
    if op.name.startswith(_GIVEN):
        return None
    if op.name in VIEWS:
        shown = producer(op.operands[0])
        lost = shown is not None and not shown.name.startswith(_GIVEN)
        return "where it lies is known at run time only" if lost else None
    if op.name in ("gs.generic", "linalg.generic"):
        return "its body is more than arithmetic on elements"
    return "it is no loop nest whose elements can be computed one by one"
