"""A `gs.generic` computed in a loop, slice by slice as the loop reads its result."""

from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.sizes import Origin, destination, origin
from mlir_gs.dialect.structure import Access, Structure, dims_in
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.builders import constant_of, is_inside, producer, replace_op, tensor
from mlir_gs.lowering.ir.emit import Ix, slice_operands
from mlir_gs.lowering.tile.cut import CannotCut, Window, check, cut, raise_before
from mlir_gs.lowering.tile.slices import Slice


def fuse_into(
    op: ir.Operation,
    loop: ir.Operation,
    sites: Sites,
    replace: Callable[[ir.Operation, Sequence[ir.Value]], None] = replace_op,
) -> list[ir.Operation]:
    """Compute each slice that `loop` reads of a result of `op`, a `gs.generic` on tensors, where it
    is read; returns the ops on slices.

    `op` is left, for what else reads it. `replace` takes away a slice op. Raises CannotCut.
    """
    structure = Structure.of(op.opview)
    free_sizes(op)
    found = []
    for number, result in enumerate(op.results):
        for use in result.uses:
            user = use.owner.operation
            if is_inside(user, loop):
                if user.name != "tensor.extract_slice" or use.operand_number != 0:
                    raise CannotCut(f"'{user.name}' reads all of its result {number} in the loop")
                windows = windows_of(structure.outputs[number], place_of(user), result)
                check(structure, {dim: window.step for dim, window in windows.items()})
                found.append((number, user, windows))
    if not found:
        raise CannotCut("nothing in the loop reads its result")
    raise_before(op, {dim for _, _, windows in found for dim in windows}, sites)
    made = []
    for number, user, windows in found:
        with op.location, ir.InsertionPoint(user):
            part = cut(op, windows).op
            made.append(part)
            shown = _shown(part.results[number], user)
        replace(user, [shown])
    return made


def free_sizes(op: ir.Operation) -> None:
    """Read sizes of the results of a destination-style op off what it writes to."""
    for result in op.results:
        root = destination(result)
        for use in list(result.uses):
            if use.owner.operation.name == "tensor.dim" and root is not None:
                use.owner.operation.operands[0] = root


def place_of(op: ir.Operation) -> Slice:
    """What a slice op with strides of 1 reads or writes. Raises CannotCut."""
    first = 1 if op.name == "tensor.extract_slice" else 2
    given = iter(list(op.operands)[first:])
    offsets, sizes, strides = (
        [next(given) if number == DYNAMIC else number for number in op.attributes[name]]
        for name in ("static_offsets", "static_sizes", "static_strides")
    )
    if any(stride != 1 for stride in strides):
        raise CannotCut(f"'{op.name}' in the loop has strides other than 1")
    return Slice(offsets, sizes)


def windows_of(access: Access, place: Slice, shaped: ir.Value) -> dict[int, Window]:
    """The windows of the iteration dims that a slice of an operand needs, whose sizes are those
    of `shaped`. Raises CannotCut."""
    windows: dict[int, Window] = {}
    exprs = access.map.results
    for position, (expr, offset, size) in enumerate(
        zip(exprs, place.offsets, place.sizes, strict=True)
    ):
        whole = origin(shaped, position)
        if isinstance(offset, int) and offset == 0 and size_is(size, whole):
            continue
        dim = plain_dim(expr)
        if dim is None:
            raise CannotCut(
                f"the loop takes slices of dimension {position} of '{access.name}', which the op "
                f"addresses by {expr}, no dim alone"
            )
        if any(dim in dims_in(other) for n, other in enumerate(exprs) if n != position):
            raise CannotCut(f"dim d{dim} addresses two dimensions of '{access.name}'")
        windows[dim] = Window(offset, size, multiple_of(offset), whole)
    return windows


def size_is(size: Ix, whole: Origin) -> bool:
    """Whether `size` is known to be the size of this origin."""
    if isinstance(size, int) or isinstance(whole, int):
        return not isinstance(whole, tuple) and size == whole
    if size == whole[0]:
        return True
    made = producer(size, "tensor.dim")
    number = None if made is None else constant_of(made.operands[1])
    return made is not None and number is not None and origin(made.operands[0], number) == whole


def multiple_of(offset: Ix) -> int:
    """A number of which an offset is known to be a multiple: the step of its loop, or 1."""
    if isinstance(offset, int):
        return max(offset, 1)
    block = offset.owner
    if not isinstance(block, ir.Block):
        return 1
    loop = block.owner.operation
    if loop.name == "scf.for" and offset == block.arguments[0]:
        lower, step = (constant_of(loop.operands[n]) for n in (0, 2))
        return step if lower == 0 and step is not None else 1
    if loop.name == "scf.forall":
        lowers, steps = (list(loop.attributes[f"static{name}"]) for name in ("LowerBound", "Step"))
        for argument, lower, step in zip(block.arguments, lowers, steps, strict=False):
            if argument == offset and lower == 0 and step > 0:
                return step
    return 1


def _shown(part: ir.Value, user: ir.Operation) -> ir.Value:
    """`part` in the type of the slice that it takes the place of."""
    wanted = user.results[0].type
    if part.type == wanted:
        return part
    if part.type.rank == wanted.rank:
        return tensor.cast(wanted, part)
    given = slice_operands([0] * part.type.rank, place_of(user).sizes)
    return tensor.extract_slice(wanted, part, *given)
