"""Slices that drop dims of size 1, of which upstream's passes may take others to be dropped."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import dim_of, tensor
from mlir_gs.lowering.repair.repairs import repairs

memref = dialect("memref")


def _full(op: Any) -> list[int]:
    return list(op.attributes["static_sizes"])


def _reduced(op: Any) -> ir.ShapedType:
    """The type of the slice without the dims that it drops."""
    inserts = op.name in ("tensor.insert_slice", "tensor.parallel_insert_slice")
    return op.operands[0].type if inserts else op.results[0].type


def drops_unclear_dims(op: Any) -> bool:
    """Whether a slice drops dims, and others are 1 as well or may become 1 when sizes fold."""
    full, left = _full(op), _reduced(op)
    dropped = len(full) - left.rank
    return dropped > 0 and sum(size in (1, DYNAMIC) for size in full) > dropped


@repairs("tensor.extract_slice", where=drops_unclear_dims)
def slice_of_all_dims(op: Any) -> ir.Value:
    """before: `extract_slice %x[0, 0] [1, %n] : tensor<?x?xf32> to tensor<?xf32>`
    after:  `collapse_shape (extract_slice %x ... to tensor<1x?xf32>) [[0, 1]]`

    Which dims are dropped is in no attribute. After sizes have become static, One-Shot Bufferize
    finds the strides of other dims, and the process ends.
    """
    full, type_ = _full(op), op.results[0].type
    attributes = {name: op.attributes[name] for name in op.attributes}
    whole = ir.RankedTensorType.get(full, type_.element_type)
    made = ir.Operation.create(op.name, [whole], list(op.operands), attributes).result
    return tensor.collapse_shape(type_, made, _groups(full, list(type_.shape)))


@repairs("tensor.insert_slice", "tensor.parallel_insert_slice", where=drops_unclear_dims)
def insertion_of_all_dims(op: Any) -> None:
    """As `slice_of_all_dims` has it: inserts `expand_shape` of what is given."""
    full, given = _full(op), op.operands[0]
    type_ = ir.RankedTensorType.get(full, given.type.element_type)
    # The block of a parallel insertion takes nothing else.
    place = op.parent if op.name == "tensor.parallel_insert_slice" else op
    with ir.InsertionPoint(place):
        sizes = [dim_of(given, d) for d, size in enumerate(given.type.shape) if size == DYNAMIC]
        groups = _groups(full, list(given.type.shape))
        op.operands[0] = tensor.expand_shape(type_, given, groups, sizes, full)


def _kept(op: Any) -> Iterator[tuple[int, ...]]:
    """Which dims a memref.subview may keep, by the strides of its type, once sizes have folded."""
    full, strides = _full(op), _whole(op).get_strides_and_offset()[0]
    left = op.results[0].type
    for dims in combinations(range(len(full)), left.rank):
        may_drop = all(full[d] in (1, DYNAMIC) for d in range(len(full)) if d not in dims)
        if may_drop and [strides[d] for d in dims] == left.get_strides_and_offset()[0]:
            yield dims


def _whole(op: Any) -> ir.MemRefType:
    """The type of a memref.subview without dropped dims."""
    source = op.operands[0].type
    strides, offset = source.get_strides_and_offset()
    steps, starts = op.attributes["static_strides"], op.attributes["static_offsets"]
    for stride, start in zip(strides, starts, strict=True):
        offset = _plus(offset, _times(stride, start))
    taken = [_times(*pair) for pair in zip(strides, steps, strict=True)]
    layout = ir.StridedLayoutAttr.get(offset, taken)
    return ir.MemRefType.get(_full(op), source.element_type, layout, source.memory_space)


def _plus(a: int, b: int) -> int:
    return DYNAMIC if DYNAMIC in (a, b) else a + b


def _times(a: int, b: int) -> int:
    if 0 in (a, b):
        return 0
    return DYNAMIC if DYNAMIC in (a, b) else a * b


@repairs("memref.subview", where=lambda op: drops_unclear_dims(op) and len(list(_kept(op))) > 1)
def view_of_all_dims(op: Any) -> ir.Value:
    """As `slice_of_all_dims` has it, in memory. Does not apply where the strides in the type of the
    result say which dims are kept."""
    whole, left = _whole(op), op.results[0].type
    attributes = {name: op.attributes[name] for name in op.attributes}
    made = ir.Operation.create(op.name, [whole], list(op.operands), attributes).result
    shape, (strides, offset) = whole.shape, whole.get_strides_and_offset()
    kept = next(dims for dims in _kept(op) if [shape[d] for d in dims] == left.shape)
    groups = _groups(shape, left.shape, kept)
    taken = []
    for group in groups:
        # As MLIR infers it: dims of size 1 at the end say nothing.
        inner = list(group)
        while len(inner) > 1 and shape[inner[-1]] == 1:
            inner.pop()
        is_known = len(inner) == 1 or shape[inner[-1]] != DYNAMIC
        taken.append(strides[inner[-1]] if is_known else DYNAMIC)
    layout = ir.StridedLayoutAttr.get(offset, taken)
    type_ = ir.MemRefType.get(left.shape, left.element_type, layout, left.memory_space)
    made = memref.collapse_shape(type_, made, groups)
    return made if type_ == left else memref.cast(left, made)


def _groups(full: Sequence[int], left: Sequence[int], kept: Sequence[int] = ()) -> list[list[int]]:
    """The dims of a slice by the dims of what is left of it, which are `kept` or, as MLIR's
    verifiers pair them, the first of the same sizes."""
    groups: list[list[int]] = []
    before: list[int] = []
    for dim, size in enumerate(full):
        if len(groups) < len(left) and (dim in kept if kept else size == left[len(groups)]):
            groups.append([*before, dim])
            before = []
        elif groups:
            groups[-1].append(dim)
        else:
            before.append(dim)
    return groups
