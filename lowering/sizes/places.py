"""Constraints on places: of slices, views, vectors and single elements in what they are of."""

from collections.abc import Callable, Iterator, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear, plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.sizes.fit import Fit, Side, has
from mlir_gs.lowering.sizes.size_forms import (
    Form,
    index_form,
    linear_form,
    number,
    product_form,
    size_form,
    sizes_form,
)


def _window(op: ir.Operation) -> Iterator[Fit]:
    """A slice lies within what it is of."""
    number_ = 0 if op.name in ("tensor.extract_slice", "memref.subview") else 1
    whole = op.operands[number_]
    offsets, sizes, strides = _slice(op, 1 + number_)
    if number_:
        yield from _put(op.operands[0], sizes)
    for d, (offset, size, stride) in enumerate(zip(offsets, sizes, strides, strict=True)):
        yield Fit(f"offset {d}", offset, "sge", "0", number(0))
        yield Fit(f"size {d}", size, "sge", "0", number(0))
        step, limit = stride.constant, size_form(whole, d).minus(offset)
        if step == 1:
            yield Fit(f"size {d}", size, "sle", "what is behind its offset", limit)
        else:
            wanted = "what is behind its offset"
            # The last element, seen from the first one.
            end, last = f"the end of slice {d}", (size.minus(number(1)), stride)
            yield Fit(end, number(1), "sle", wanted, limit, [size], last)
            if step is None or step < 0:
                yield Fit(f"offset {d}", number(1), "sle", wanted, limit, [size])
                yield Fit(end, offset, "sge", "0", number(0), [size], last)


def _put(source: ir.Value, sizes: Sequence[Form]) -> Iterator[Fit]:
    """What is put into a slice has its sizes, of which some that are 1 may be left out."""
    left_out = len(sizes) - source.type.rank
    position = 0
    for size in sizes:
        if left_out and size.constant == 1 and source.type.shape[position : position + 1] != [1]:
            left_out -= 1
            continue
        if position < source.type.rank:
            yield has(Side("source", source, position), "the size of its place", size)
        position += 1


def _slice(op: ir.Operation, first: int) -> list[list[Form]]:
    """The offsets, sizes and strides of a slice, whose operands start from number `first`."""
    given = list(op.operands)[first:]
    found = []
    for name in ("static_offsets", "static_sizes", "static_strides"):
        static = list(op.attributes[name])
        count = static.count(DYNAMIC)
        found.append(sizes_form(static, given[:count]))
        given = given[count:]
    return found


def _element(op: ir.Operation) -> Iterator[Fit]:
    """The element, or each of a vector, is within the tensor or memref."""
    number_ = 1 if op.name.endswith(_WRITES) else 0
    whole, *given = list(op.operands)[number_:]
    if isinstance(whole.type.element_type, ir.VectorType):
        return
    rank, lanes = whole.type.rank, [1] * whole.type.rank
    forms: list[Form | None] = [*map(index_form, given[:rank])]
    if op.name.startswith("affine."):
        map_ = op.attributes["map"].value
        found, values = map(linear, map_.results), [*map(index_form, given)]
        forms = [place and linear_form(place, values, map_.n_dims) for place in found]
    moved = [v.type for v in (*op.operands[:number_], *op.results)]
    vector = next((type_ for type_ in moved if isinstance(type_, ir.VectorType)), None)
    if vector is not None and "permutation_map" in op.attributes:
        if list(op.attributes["operandSegmentSizes"])[-1]:
            return
        # Other dims are compared where they are read or written.
        dims = map(plain_dim, op.attributes["permutation_map"].value.results)
        held = zip(dims, op.attributes["in_bounds"], vector.shape, strict=True)
        sure = {dim: size for dim, flag, size in held if flag.value and dim is not None}
        forms = [form if d in sure else None for d, form in enumerate(forms)]
        lanes = [sure.get(d, 1) for d in range(rank)]
    elif vector is not None:
        lanes = [*lanes, *vector.shape][len(vector.shape) :]
    for d, (place, size) in enumerate(zip(forms, lanes, strict=True)):
        if place is None:
            continue
        last = size_form(whole, d).minus(number(size))
        yield Fit(f"index {d}", place, "sge", "0", number(0))
        wanted = "the last of its dimension" if size == 1 else f"the last place of {size} elements"
        yield Fit(f"index {d}", place, "sle", wanted, last)


def _view(op: ir.Operation) -> Iterator[Fit]:
    """The bytes of the view are within the buffer."""
    source, shift, *given = op.operands
    type_ = op.results[0].type
    sizes, start = sizes_form(list(type_.shape), given), index_form(shift)
    yield Fit("byte shift", start, "sge", "0", number(0))
    count = number(_bytes(type_.element_type))
    for d, size in enumerate(sizes):
        yield Fit(f"size {d}", size, "sge", "0", number(0))
        count = count.times(size)
    limit = ("sle", "the size of the buffer", size_form(source, 0))
    yield Fit("the end of the view", start, *limit, (), (count, number(1)))


def _bytes(type_: ir.Type) -> int:
    """The bytes of an element in memory, or fewer where that is not known."""
    if isinstance(type_, ir.ComplexType):
        return 2 * _bytes(type_.element_type)
    return 8 if isinstance(type_, ir.IndexType) else -(-getattr(type_, "width", 8) // 8)


def _reinterpreted(op: ir.Operation) -> Iterator[Fit]:
    """Where the source is a whole array, the view is within its elements."""
    source = op.operands[0]
    type_ = source.type
    if not (isinstance(type_, ir.MemRefType) and type_.rank and type_.affine_map.is_permutation):
        return
    (offset,), sizes, strides = _slice(op, 1)
    last = offset
    for d, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        yield Fit(f"size {d}", size, "sge", "0", number(0))
        if stride.constant is None or stride.constant < 0:
            return
        last = last.plus(size.minus(number(1)).times(stride))
    count = product_form(source, range(type_.rank)).minus(number(1))
    yield Fit("offset", offset, "sge", "0", number(0), sizes)
    yield Fit("the last place", last, "sle", "the last of the source", count, sizes)


PLACES: dict[str, Callable[[ir.Operation], Iterator[Fit]]] = {
    **dict.fromkeys(
        (
            *("tensor.extract", "tensor.insert", "memref.load", "memref.store", "affine.load"),
            *("affine.store", "affine.vector_load", "affine.vector_store", "memref.atomic_rmw"),
            *("memref.generic_atomic_rmw", "vector.load", "vector.store"),
            *("vector.transfer_read", "vector.transfer_write"),
        ),
        _element,
    ),
    **dict.fromkeys(
        (
            *("tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice"),
            "memref.subview",
        ),
        _window,
    ),
    "memref.view": _view,
    "memref.reinterpret_cast": _reinterpreted,
}
"""Ops that read, write or view elements at places."""
WINDOWS = tuple(name for name, find in PLACES.items() if find is not _element)
_WRITES = ("insert", "store", ".atomic_rmw", "transfer_write")
"""Ops whose first operand is put there."""
