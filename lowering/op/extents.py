"""The sizes of the iteration space of a `gs.generic`."""

from functools import reduce

from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.ir.emit import Ix, minimum, size_of


def extents_of(structure: Structure) -> dict[int, Ix]:
    """The extent of each iteration dim: a number, or a value at the insertion point. Of a named op
    without its result, some dims have none."""
    result: dict[int, Ix] = {}
    for dim, extents in enumerate(structure.extents):
        if not extents:
            continue
        by_origin = {extent.origin: extent for extent in extents}
        sizes = [size_of(e.access.value, e.position) for e in by_origin.values()]
        result[dim] = reduce(minimum, sizes)
    return result
