"""What an operand of a `gs.generic` is of a memref or tensor: all of it, a window, or its rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import cast
from mlir_gs.lowering.ir.emit import (
    Ix,
    dynamic_and_static,
    memref,
    size_of,
    slice_operands,
    tensor,
)
from mlir_gs.lowering.op.compact import view


@dataclass
class Part:
    """A part of `ref`, (offset, size, stride) of each dimension; `exprs` address all of them."""

    ref: ir.Value
    parts: list[tuple[Ix, Ix, int]]
    exprs: list[ir.AffineExpr]
    fits: bool = False
    unsigned: bool = False
    # Of memory of one dimension that has rows: where they start, and their width.
    rows: tuple[Ix, Ix] | None = None

    @property
    def is_whole(self) -> bool:
        return all(part == ALL for part in self.parts)

    @property
    def kept(self) -> tuple[ir.AffineExpr, ...]:
        """The expressions of the dimensions that are there."""
        pairs = zip(self.parts, self.exprs, strict=True)
        return tuple(expr for (_, size, _), expr in pairs if size != DROPPED)

    def view(self) -> ir.Value:
        """The part, made at the insertion point."""
        found = self.ref if self.is_whole else self._window()
        element = found.type.element_type
        if not self.unsigned or not isinstance(element, ir.IntegerType) or element.is_unsigned:
            return found
        element = ir.IntegerType.get_unsigned(element.width)
        return cast(found, _with(found.type, found.type.shape, element))

    def sizes(self) -> list[Ix]:
        """The size of each dimension of `ref` that it takes."""
        known: dict[Ix, Ix] = {DROPPED: 1}
        return [
            size_of(self.ref, n) if size == WHOLE else known.get(size, size)
            for n, (_, size, _) in enumerate(self.parts)
        ]

    def offsets(self) -> list[Ix]:
        """Where it starts in each dimension."""
        return [offset for offset, _, _ in self.parts]

    def _window(self) -> ir.Value:
        type_ = self.ref.type
        offsets = self.offsets()
        strides = [part[2] for part in self.parts]
        sizes = self.sizes()
        kept = [n for n, part in enumerate(self.parts) if part[1] != DROPPED]
        if isinstance(type_, ir.RankedTensorType):
            _, shape = dynamic_and_static([sizes[n] for n in kept])
            result = _with(type_, shape, type_.element_type)
            return tensor.extract_slice(result, self.ref, *slice_operands(offsets, sizes, strides))
        if self.rows is not None:
            offset, width = self.rows
            _, static = dynamic_and_static([offset, *sizes, width])
            layout = ir.StridedLayoutAttr.get(static[0], [static[3], 1])
            result = ir.MemRefType.get(static[1:3], type_.element_type, layout, type_.memory_space)
            given = [dynamic_and_static(part)[0] for part in ([offset], sizes, [width])]
            return memref.reinterpret_cast(
                result, self.ref, *given, static[:1], static[1:3], [static[3], 1]
            )
        return view(self.ref, offsets, sizes, strides, kept)


DROPPED, WHOLE = -2, -1
"""The sizes of a dimension that is left out, and of one that is there as it is."""

ALL = (0, WHOLE, 1)


def _with(type_: ir.ShapedType, shape: Sequence[int], element: ir.Type) -> ir.ShapedType:
    if isinstance(type_, ir.RankedTensorType):
        return ir.RankedTensorType.get(shape, element)
    return ir.MemRefType.get(shape, element, type_.layout, type_.memory_space)
