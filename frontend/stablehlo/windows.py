"""Dimension numbers of StableHLO's gather and scatter, and the maps and forms they stand for."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from mlir_gs._forks import cached_property
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import bindings


@dataclass(frozen=True)
class Slices:
    """The dims of a `gs.gather` or `gs.scatter`, which drops the addressed dims or keeps them."""

    dims: list[int]
    batch_dims: int
    keeps: bool


@dataclass(frozen=True)
class Windows:
    """How windows of an operand are addressed, in words that gather and scatter share.

    `moved` is the result of a gather and the updates of a scatter. Its `window_dims` run over the
    window, in the order of the operand dims that are neither `dropped` (collapsed, inserted) nor
    batching; its other dims run over the indices without `vector_dim`, which holds the
    coordinates of the operand dims `start_map` (and may be the rank: one coordinate each).
    """

    operand_rank: int
    indices_rank: int
    moved_rank: int
    window_dims: tuple[int, ...]
    dropped: tuple[int, ...]
    operand_batching: tuple[int, ...]
    indices_batching: tuple[int, ...]
    start_map: tuple[int, ...]
    vector_dim: int
    window_last: bool = False
    """Loops run over whole windows, one after the other, not over `moved` in its own order."""

    @classmethod
    def of_gather(cls, numbers: ir.Attribute, operand: Any, indices: Any, result: Any) -> "Windows":
        """From `#stablehlo.gather<...>` and the types of the op."""
        known = bindings().GatherDimensionNumbers(numbers)
        return cls(
            operand.rank,
            indices.rank,
            result.rank,
            tuple(known.offset_dims),
            tuple(known.collapsed_slice_dims),
            tuple(known.operand_batching_dims),
            tuple(known.start_indices_batching_dims),
            tuple(known.start_index_map),
            known.index_vector_dim,
        )

    @classmethod
    def of_scatter(
        cls, numbers: ir.Attribute, operand: Any, indices: Any, updates: Any
    ) -> "Windows":
        """From `#stablehlo.scatter<...>` and the types of the op."""
        known = bindings().ScatterDimensionNumbers(numbers)
        return cls(
            operand.rank,
            indices.rank,
            updates.rank,
            tuple(known.update_window_dims),
            tuple(known.inserted_window_dims),
            tuple(known.input_batching_dims),
            tuple(known.scatter_indices_batching_dims),
            tuple(known.scattered_dims_to_operand_dims),
            known.index_vector_dim,
        )

    @cached_property
    def index_dims(self) -> list[int]:
        """The dims of the indices but the one that holds the coordinates."""
        return [dim for dim in range(self.indices_rank) if dim != self.vector_dim]

    @cached_property
    def leading_dims(self) -> list[int]:
        """The dims of `moved` that run over the indices, in the order of `index_dims`."""
        return [dim for dim in range(self.moved_rank) if dim not in self.window_dims]

    @cached_property
    def window_of(self) -> dict[int, int]:
        """Operand dim to the dim of `moved` that runs over its window."""
        kept = [
            dim
            for dim in range(self.operand_rank)
            if dim not in self.dropped and dim not in self.operand_batching
        ]
        return dict(zip(kept, self.window_dims, strict=True))

    @cached_property
    def batch_of(self) -> dict[int, int]:
        """Operand batching dim to the dim of `moved` that it is shared with."""
        place = dict(zip(self.index_dims, self.leading_dims, strict=True))
        return {
            dim: place[shared]
            for dim, shared in zip(self.operand_batching, self.indices_batching, strict=True)
        }

    def loop(self, dim: int) -> ir.AffineExpr:
        """The iteration dim that runs over `dim` of `moved`."""
        if not self.window_last:
            return ir.AffineDimExpr.get(dim)
        return ir.AffineDimExpr.get([*self.leading_dims, *self.window_dims].index(dim))

    def addressed_map(self, symbols: Mapping[int, int]) -> ir.AffineMap:
        """Into the operand; `symbols` has the number of the symbol of each addressed dim."""
        exprs = []
        for dim in range(self.operand_rank):
            if dim in self.batch_of:
                exprs.append(self.loop(self.batch_of[dim]))
                continue
            offset = (
                self.loop(self.window_of[dim])
                if dim in self.window_of
                else ir.AffineConstantExpr.get(0)
            )
            if dim in symbols:
                exprs.append(ir.AffineSymbolExpr.get(symbols[dim]) + offset)
            else:
                exprs.append(offset)
        return ir.AffineMap.get(self.moved_rank, len(symbols), exprs)

    def moved_map(self, symbols: int) -> ir.AffineMap:
        """Into `moved`."""
        dims = [self.loop(dim) for dim in range(self.moved_rank)]
        return ir.AffineMap.get(self.moved_rank, symbols, dims)

    @property
    def is_sorted_alike(self) -> bool:
        """The order of sorted indices is that of `gs`: by batch, then by operand dim."""
        return list(self.start_map) == sorted(self.start_map)

    def slices(self, unit: Collection[int], whole: Collection[int]) -> Slices | None:
        """The form of gs.gather and gs.scatter, if there is one.

        `unit` and `whole` are the operand dims of which the window is one element, or all.
        """
        batch, leading = len(self.operand_batching), len(self.leading_dims)
        if not (
            self.operand_batching == tuple(range(batch)) == self.indices_batching
            and self.leading_dims == list(range(leading))
            and self.start_map
            and list(self.start_map) == sorted(self.start_map)
        ):
            return None
        keeps = not self.dropped
        if not keeps and set(self.dropped) != set(self.start_map):
            return None
        if any(dim not in (unit if dim in self.start_map else whole) for dim in self.window_of):
            return None
        return Slices(list(self.start_map), batch, keeps)

    def along(self) -> int | None:
        """The dim of gs.gather_elements and gs.scatter_elements, if all others are batching."""
        if self.window_of or not self.operand_batching or len(self.start_map) != 1:
            return None
        (dim,) = self.start_map
        if self.dropped != (dim,) or len(self.leading_dims) != self.operand_rank:
            return None
        return dim if all(d == place for d, place in self.batch_of.items()) else None
