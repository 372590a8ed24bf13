"""Contiguous memrefs, and views of memrefs."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.emit import Ix, dynamic_and_static, memref, mul
from mlir_gs.lowering.op.volume import elements_in


def is_compact(type_: ir.MemRefType) -> bool:
    """Known to be contiguous in row-major order."""
    identity = ir.AffineMap.get_identity(type_.rank)
    if type_.layout == ir.AffineMapAttr.get(identity):
        return True
    strides, _ = type_.get_strides_and_offset()
    following = 1
    for size, stride in zip(reversed(type_.shape), reversed(strides), strict=True):
        if stride != following:
            return False
        # What is not known equals no stride.
        following = DYNAMIC - 1 if size == DYNAMIC else following * size
    return True


def compact_strides(sizes: Sequence[Ix]) -> list[Ix]:
    """The strides of a contiguous memref of these sizes."""
    steps: list[Ix] = [1]
    for size in reversed(sizes[1:]):
        steps.insert(0, mul(steps[0], size))
    return steps[: len(sizes)]


def lies_in_a_row(type_: ir.MemRefType) -> bool:
    """Known to be contiguous, at a static offset."""
    return is_compact(type_) and type_.get_strides_and_offset()[1] != DYNAMIC


def in_a_row(shaped: ir.Value) -> ir.Value:
    """A memref that `lies_in_a_row` as one of rank 1.

    A `memref.collapse_shape` would not do: upstream folds its loads, with a division for each
    dimension.
    """
    type_, total = shaped.type, elements_in(shaped)
    offset = type_.get_strides_and_offset()[1]
    layout = None if offset == 0 else ir.StridedLayoutAttr.get(offset, [1])
    dynamic = not isinstance(total, int)
    size = DYNAMIC if dynamic else total
    result = ir.MemRefType.get([size], type_.element_type, layout, type_.memory_space)
    sizes = [total] if dynamic else []
    return memref.reinterpret_cast(result, shaped, [], sizes, [], [offset], [size], [1])


def view(
    source: ir.Value,
    offsets: Sequence[Ix],
    sizes: Sequence[Ix],
    strides: Sequence[int] | None = None,
    kept: Sequence[int] | None = None,
) -> ir.Value:
    """A slice of a memref, whose type says what is known. The dims not in `kept`, which have size
    1, are dropped; by default none is."""
    steps = strides or [1] * len(sizes)
    type_, kept = source.type, range(len(sizes)) if kept is None else kept
    given, start = type_.get_strides_and_offset()
    for offset, stride in zip(offsets, given, strict=True):
        known = isinstance(offset, int) and DYNAMIC not in (start, stride)
        start = start + offset * stride if known else start if offset == 0 else DYNAMIC
    inner = [DYNAMIC if given[n] == DYNAMIC else given[n] * steps[n] for n in kept]
    shape = dynamic_and_static([sizes[n] for n in kept])[1]
    layout = ir.StridedLayoutAttr.get(start, inner)
    result = ir.MemRefType.get(shape, type_.element_type, layout, type_.memory_space)
    return memref.subview(source, offsets, sizes, steps, result_type=result)
