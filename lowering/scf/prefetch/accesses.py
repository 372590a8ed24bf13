"""Where loads and stores are in memory: views are looked through."""

from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import producer, slice_numbers
from mlir_gs.lowering.ir.emit import Ix

READS = {"memref.load": 0, "vector.load": 0, "vector.maskedload": 0}
WRITES = {"memref.store": 1, "vector.store": 1, "vector.maskedstore": 0}
"""Number of the operand that is the memref, by op."""

Indices = list[list[Ix]]
"""By dimension, numbers whose sum is the index along it."""


class Place(NamedTuple):
    """`elements` elements side by side from `indices` of `memref` on, which is no view of a kind
    that can be looked through."""

    memref: ir.Value
    indices: Indices
    elements: int = 1


def place_of(op: ir.Operation) -> Place | None:
    """What an op reads or writes. None where that is not known to be elements of a few bytes in
    memory of the usual kind."""
    number = READS.get(op.name, WRITES.get(op.name))
    if number is None:
        return None
    shaped = op.operands[number]
    type_ = shaped.type
    if not isinstance(type_, ir.MemRefType) or type_.memory_space is not None:
        return None
    if not _is_plain(type_.element_type) or not _is_strided(type_):
        return None
    following = list(op.operands)[number + 1 : number + 1 + type_.rank]
    indices = [summands(index) for index in following]
    value = op.results[0] if op.name in READS else op.operands[-1 if "masked" in op.name else 0]
    elements = value.type.shape[-1] if isinstance(value.type, ir.VectorType) else 1
    shaped, indices = _looked_through(shaped, indices)
    return Place(shaped, indices, elements)


def is_written(op: ir.Operation) -> bool:
    """Whether it is a store."""
    return op.name in WRITES


def is_nontemporal(op: ir.Operation) -> bool:
    """Whether it bypasses the caches."""
    return "nontemporal" in op.attributes and op.attributes["nontemporal"].value


def summands(index: ir.Value, deep: int = 3) -> list[Ix]:
    """Numbers whose sum it is, of additions no deeper than that."""
    made = producer(index, "arith.addi", "arith.constant")
    if made is None or (made.name == "arith.addi" and not deep):
        return [index]
    if made.name == "arith.constant":
        return [made.attributes["value"].value]
    return [part for operand in made.operands for part in summands(operand, deep - 1)]


def _is_plain(type_: ir.Type) -> bool:
    if isinstance(type_, ir.ComplexType):
        type_ = type_.element_type
    return isinstance(type_, (ir.IntegerType, ir.IndexType, ir.FloatType))


def _is_strided(type_: ir.MemRefType) -> bool:
    identity = ir.AffineMapAttr.get(ir.AffineMap.get_identity(type_.rank))
    return isinstance(type_.layout, ir.StridedLayoutAttr) or type_.layout == identity


def _looked_through(shaped: ir.Value, indices: Indices) -> tuple[ir.Value, Indices]:
    """The memref that `shaped` is a view of, with steps of one element, and the indices there."""
    names = [f"memref.{n}" for n in ("cast", "subview", "expand_shape", "collapse_shape")]
    while (view := producer(shaped, *names)) is not None:
        source = view.operands[0]
        if view.name == "memref.subview":
            found = _in_whole(view, indices)
        elif view.name == "memref.cast":
            found = indices if isinstance(source.type, ir.MemRefType) else None
        elif view.name == "memref.expand_shape":
            found = _in_groups(view, shaped.type, indices)
        else:
            found = _in_members(view, source.type, indices)
        if found is None:
            break
        shaped, indices = source, found
    return shaped, indices


def _in_whole(view: ir.Operation, indices: Indices) -> Indices | None:
    offsets, sizes, strides = slice_numbers(view)
    ones = sum(size == 1 for size in sizes)
    left_out = len(sizes) - len(indices)
    if any(stride != 1 for stride in strides) or left_out not in (0, ones):
        return None
    rest = iter(indices)
    return [
        [*_known(offset), *([] if left_out and size == 1 else next(rest))]
        for offset, size in zip(offsets, sizes, strict=True)
    ]


def _known(offset: Ix) -> list[Ix]:
    if isinstance(offset, int):
        return [offset] if offset else []
    return summands(offset)


def _groups(view: ir.Operation) -> list[list[int]]:
    return [[number.value for number in group] for group in view.attributes["reassociation"]]


def _in_groups(view: ir.Operation, type_: ir.MemRefType, indices: Indices) -> Indices | None:
    """Of dimensions that one is expanded to, all but one have size 1."""
    found = []
    for group in _groups(view):
        wide = [number for number in group if type_.shape[number] != 1]
        if len(wide) > 1:
            return None
        found.append(indices[(wide or group)[0]])
    return found


def _in_members(view: ir.Operation, type_: ir.MemRefType, indices: Indices) -> Indices | None:
    """Of dimensions that are collapsed to one, all but one have size 1."""
    found: Indices = [[] for _ in type_.shape]
    for index, group in zip(indices, _groups(view), strict=True):
        wide = [number for number in group if type_.shape[number] != 1]
        if len(wide) > 1:
            return None
        found[(wide or group)[0]] = index
    return found
