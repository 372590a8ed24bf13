"""The memrefs of a `gs.generic` as loops address them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mlir_gs._forks import cached_property
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear, symbols_of
from mlir_gs.dialect.structure import Access, dims_in
from mlir_gs.lowering.ir.builders import cast
from mlir_gs.lowering.ir.emit import affine, memref, value
from mlir_gs.lowering.op.coordinates import Coordinates, Point
from mlir_gs.lowering.op.shared_lanes import lane_offsets

_DYNAMIC = ir.ShapedType.get_dynamic_stride_or_offset()

_LANES = 16
"""Lanes by which is seen whether they share elements."""


@dataclass(frozen=True)
class Ref:
    """A memref, the expression per dimension that addresses it, and the body's type for it.

    The memref's element type may be an integer of the same width: see `storage_type`.
    """

    memref: ir.Value
    map: ir.AffineMap
    element: ir.Type

    @classmethod
    def of(cls, access: Access, moves_only: bool) -> "Ref":
        type_ = access.value.type
        storage = storage_type(type_.element_type, moves_only)
        ref = access.value
        if storage != type_.element_type:
            ref = cast(
                ref, ir.MemRefType.get(type_.shape, storage, type_.layout, type_.memory_space)
            )
        return cls(ref, access.map, type_.element_type)

    @property
    def storage(self) -> ir.Type:
        return self.memref.type.element_type

    def indices(self, point: Point) -> list[ir.Value]:
        return [value(affine(e, point.dims, point.symbols)) for e in self.map.results]

    def mentions(self, dim: int, coordinates: Coordinates) -> list[int]:
        """The dimensions whose address depends on the iteration dim `dim`."""
        return [
            position
            for position, (dims, symbols) in enumerate(self._addresses)
            if dim in dims or any(dim in coordinates.depends(symbol) for symbol in symbols)
        ]

    @cached_property
    def _addresses(self) -> list[tuple[set[int], set[int]]]:
        """For each dimension the dims and the symbols that address it."""
        return [(dims_in(expr), set(symbols_of(expr))) for expr in self.map.results]

    def steps_with(self, dim: int, coordinates: Coordinates) -> bool:
        """Points along `dim` address adjacent elements of the last dimension."""
        rank = len(self.map.results)
        if self.mentions(dim, coordinates) != [rank - 1]:
            return False
        last = self.map.results[rank - 1]
        if any(dim in coordinates.depends(symbol) for symbol in symbols_of(last)):
            return False
        form = linear(last)
        return form is not None and form.dims.get(dim, 0) == 1

    def lanes(
        self, dim: int, coordinates: Coordinates, width: int, multiple: int
    ) -> Sequence[int] | None:
        """How far apart the elements of `width` lanes along `dim` lie, the first of which is at a
        multiple of `multiple`: 0 for the first, then all numbers up to the greatest in some order,
        as offsets in the last dimension. None where lanes have places of their own."""
        found: Sequence[int] = [0] * width
        for position in self.mentions(dim, coordinates):
            expr = self.map.results[position]
            if any(dim in coordinates.depends(symbol) for symbol in symbols_of(expr)):
                return None
            offsets = lane_offsets(expr, dim, width, multiple)
            if offsets is None or (any(offsets) and position != len(self.map.results) - 1):
                return None
            found = offsets if any(offsets) else found
        # Each element from the first to the last; a last one may be near 2^62.
        is_whole = min(found) == 0 and max(found) == len(set(found)) - 1
        return found if is_whole else None

    def lies_along(self, dim: int, coordinates: Coordinates) -> bool:
        """Points along `dim` address elements side by side, or several of them share one."""
        if not self.mentions(dim, coordinates):
            return False
        return self.lanes(dim, coordinates, _LANES, _LANES) is not None

    @property
    def last_stride(self) -> int:
        """The stride of the last dimension, or `_DYNAMIC`; 0 where there is no dimension."""
        strides, _ = self.memref.type.get_strides_and_offset()
        return strides[-1] if strides else 0

    @property
    def may_step(self) -> bool:
        """The last stride is 1, or may be at run time."""
        return self.last_stride in (1, _DYNAMIC)

    def without_unit_tail(self) -> "Ref":
        """A view without trailing dimensions of static size 1."""
        shape, strides_offset = self.memref.type.shape, self.memref.type.get_strides_and_offset()
        rank = len(shape)
        # A coordinate stays: whether it is in bounds is read off the map.
        while rank and shape[rank - 1] == 1 and not symbols_of(self.map.results[rank - 1]):
            rank -= 1
        # A view of nothing is no valid subview.
        if rank in (0, len(shape)) or 0 in shape:
            return self
        strides, offset = strides_offset
        layout = ir.StridedLayoutAttr.get(offset, strides[:rank])
        type_ = self.memref.type
        result = ir.MemRefType.get(shape[:rank], type_.element_type, layout, type_.memory_space)
        view = self._leading(result)
        results = list(self.map.results)[:rank]
        map_ = ir.AffineMap.get(self.map.n_dims, self.map.n_symbols, results)
        return replace(self, memref=view, map=map_)

    def _leading(self, type_: ir.MemRefType) -> ir.Value:
        """The first dimensions of the memref, as `type_`; the others have size 1."""
        shape = list(self.memref.type.shape)
        rank = type_.rank
        given, _ = self.memref.type.get_strides_and_offset()
        if 1 not in shape[:rank] and all(stride == 1 for stride in given[rank:]):
            sizes = [memref.dim(self.memref, value(d)) if n == _DYNAMIC else n
                     for d, n in enumerate(shape)]  # fmt: skip
            rest = [1] * len(shape)
            return memref.subview(self.memref, [0] * len(shape), sizes, rest, result_type=type_)
        # A subview would not say which of the dimensions of size 1 are dropped, and upstream
        # folds it into vector loads although the last stride is then another one.
        _, offset, *numbers = memref.extract_strided_metadata(self.memref)
        strides, static_offset = type_.get_strides_and_offset()
        found = numbers[len(shape) :]
        return memref.reinterpret_cast(
            type_,
            self.memref,
            [offset] if static_offset == _DYNAMIC else [],
            [numbers[d] for d in range(rank) if shape[d] == _DYNAMIC],
            [found[d] for d in range(rank) if strides[d] == _DYNAMIC],
            [static_offset],
            shape[:rank],
            strides,
        )

    def with_unit_stride(self) -> "Ref":
        """A view whose last stride is static 1; the caller has checked that it is."""
        if self.last_stride == 1:
            return self
        type_ = self.memref.type
        rank = type_.rank
        metadata = memref.extract_strided_metadata(self.memref)
        _, offset, *rest = metadata
        layout = ir.StridedLayoutAttr.get(_DYNAMIC, [_DYNAMIC] * (rank - 1) + [1])
        result = ir.MemRefType.get(type_.shape, type_.element_type, layout, type_.memory_space)
        sizes = [size for d, size in enumerate(rest[:rank]) if type_.shape[d] == _DYNAMIC]
        made = memref.reinterpret_cast(
            result, self.memref, [offset], sizes, rest[rank : 2 * rank - 1],
            [_DYNAMIC], list(type_.shape), [_DYNAMIC] * (rank - 1) + [1],
        )  # fmt: skip
        return replace(self, memref=made)

    def runtime_last_stride(self) -> ir.Value:
        return memref.extract_strided_metadata(self.memref)[-1]


def storage_type(element: ir.Type, moves_only: bool) -> ir.Type:
    """The type as which elements are loaded and stored, of the same layout in memory.

    Signed and unsigned integers and floats of 8 bits and fewer become signless integers, which LLVM
    has. Elements that are only moved become integers that vectors can hold: i1 and other narrow
    ones are whole bytes in memory.
    """
    if isinstance(element, ir.IntegerType):
        if moves_only and element.width < 8:
            return ir.IntegerType.get_signless(8)
        return ir.IntegerType.get_signless(element.width)
    if isinstance(element, ir.FloatType) and element.width == 16 and moves_only:
        # Some CPUs flush denormals of bf16 where its vectors are merged.
        return ir.IntegerType.get_signless(16)
    if isinstance(element, ir.FloatType) and element.width <= 8:
        return ir.IntegerType.get_signless(8 if moves_only else element.width)
    if isinstance(element, ir.ComplexType) and moves_only:
        part = element.element_type
        width = 2 * (part.width if isinstance(part, (ir.IntegerType, ir.FloatType)) else 64)
        if width in (16, 32, 64):
            return ir.IntegerType.get_signless(width)
    return element
