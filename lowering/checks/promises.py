"""The named ops as the structures whose promises `gs-sanitize` checks."""

from collections.abc import Callable, Mapping

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.named_maps import ADDRESSING, addressing
from mlir_gs.dialect.shared import Bounds
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.lowering.ir.emit import Ix
from mlir_gs.lowering.op.extents import extents_of

Parts = tuple[Structure, Mapping[int, Ix]]


def _gather_or_scatter(op: ir.OpView) -> Parts:
    """A gather or scatter as the structure that it is sugar for, without gather's new result."""
    maps = addressing(op)
    *moved, indices = op.operands
    coordinates = [Access("indices #0", indices, map_) for map_ in maps.coordinates]
    inputs = [Access("inputs #0", moved[0], maps.addressed if len(moved) == 1 else maps.slices)]
    outputs = [Access("outputs #0", dest, maps.addressed) for dest in moved[1:]]
    bounds, count = Bounds.of(op), len(coordinates)
    mode = "fill_or_drop" if bounds.mode in ("fill", "drop") else bounds.mode
    structure = Structure(
        tuple(inputs),
        tuple(coordinates),
        tuple(outputs),
        ("parallel",) * maps.rank,
        (mode,) * count,
        (bounds.wrap_negative,) * count,
        (None,),
        "unique" in op.attributes,
        "sorted" in op.attributes,
    )
    return structure, extents_of(structure)


def _strided_slice(op: ir.OpView) -> Parts:
    """The window, from its last element to its first."""
    offsets, sizes = list(op.attributes["offsets"]), list(op.attributes["sizes"])
    exprs = [
        ir.AffineConstantExpr.get(offset + size - 1) - ir.AffineDimExpr.get(d)
        for d, (offset, size) in enumerate(zip(offsets, sizes, strict=True))
    ]
    window = Access("inputs #0", op.operands[0], ir.AffineMap.get(len(exprs), 0, exprs))
    kinds = ("parallel",) * len(exprs)
    extents: dict[int, Ix] = dict(enumerate(sizes))
    return Structure((window,), (), (), kinds, (), (), (None,), False, False), extents


NAMED: dict[str, Callable[[ir.OpView], Parts]] = {
    **dict.fromkeys(ADDRESSING, _gather_or_scatter),
    "gs.strided_slice": _strided_slice,
}
