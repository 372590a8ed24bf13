"""The sizes of the iteration space of a `gs.generic`."""

from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.emit import Ix, size_of


def extents_of(structure: Structure) -> dict[int, Ix]:
    """The extent of each iteration dim: a number, or a value at the insertion point."""
    result: dict[int, Ix] = {}
    for dim, extent in enumerate(structure.extents):
        assert extent is not None
        static = structure.static_extent(dim)
        result[dim] = (
            size_of(extent.access.value, extent.position) if static == DYNAMIC else static
        )
    return result
