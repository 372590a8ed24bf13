"""Torch's advanced indexing: which dims are indexed, and the dims of the result."""

from collections.abc import Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import sizes_of
from mlir_gs.frontend.common.masks import coordinates_of
from mlir_gs.frontend.common.put import CHECKED, WRAPPED
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.common.take import OutOfBounds
from mlir_gs.frontend.torch.op import INDICES, TorchOp, is_none
from mlir_gs.frontend.torch.vtensor import TensorType, to_builtin
from mlir_gs.lowering.ir.builders import index
from mlir_gs.lowering.ir.emit import size_of

arith = dialect("arith")
cf = dialect("cf")

NOTHING = Refusal("no index at all", "needs an index for some dim")


@dataclass(frozen=True)
class Index:
    """The coordinates for `dim`."""

    dim: int
    coordinates: ir.Value
    bounds: OutOfBounds


class Indexing:
    """`tensor[indices]`: the indexed dims are replaced by the broadcast dims of the indices.

    Those stand where the indexed dims stood if these are neighbours, else in front. A bool index
    of rank r stands for r coordinates, those of its true elements.
    """

    def __init__(self, t: TorchOp, indexed: ir.Value, entries: Sequence[ir.Value]) -> None:
        self.indexed = indexed
        self.indices: list[Index] = []
        dim = 0
        for entry in entries:
            dim += 1 if is_none(entry) else self._add(entry, dim)
        if not self.indices:
            raise NOTHING()
        self.rank = max(each.coordinates.type.rank for each in self.indices)
        dims = [each.dim for each in self.indices]
        neighbours = dims == list(range(dims[0], dims[0] + len(dims)))
        self.first = dims[0] if neighbours else 0
        self.kept = [d for d in range(indexed.type.rank) if d not in dims]
        self.broadcast = [self._size(k) for k in range(self.rank)]

    def _add(self, entry: ir.Value, dim: int) -> int:
        """Add the coordinates of one index; returns how many dims it takes."""
        type_ = TensorType.of(entry.type)
        if isinstance(type_.element, ir.IntegerType):
            if type_.element.width == 1:
                mask = to_builtin(entry)
                columns = coordinates_of(mask, sizes_of(mask))
                self.indices += [Index(dim + k, c, CHECKED) for k, c in enumerate(columns)]
                return len(columns)
            if type_.element.width in (32, 64) and not type_.is_unsigned:
                self.indices.append(Index(dim, to_builtin(entry), WRAPPED))
                return 1
        raise INDICES(found=type_.element)

    def _size(self, position: int) -> Int:
        """The size of a dim of the broadcast indices. Dynamic sizes are not broadcast."""
        sizes = [
            size_of(each.coordinates, place)
            for each in self.indices
            if (place := position - self.rank + each.coordinates.type.rank) >= 0
            and each.coordinates.type.shape[place] != 1
        ]
        known = next((size for size in sizes if isinstance(size, int)), None)
        chosen = known if known is not None else next(iter(sizes), 1)
        for size in sizes:
            expect_equal(size, chosen, "indices are of different sizes")
        return chosen

    @property
    def sizes(self) -> list[Int]:
        """The sizes of `tensor[indices]`."""
        kept = [size_of(self.indexed, d) for d in self.kept]
        before = self._before()
        return [*kept[:before], *self.broadcast, *kept[before:]]

    def _before(self) -> int:
        """How many kept dims stand before the broadcast ones."""
        return sum(d < self.first for d in self.kept)

    def exprs(self, drop_units: bool) -> tuple[int, list[ir.AffineExpr]]:
        """Iteration dims over the result: how many, and for each dim of the result which.

        `drop_units`: a broadcast dim of size 1 is no iteration dim but 0.
        """
        before, found, count = self._before(), [], 0
        for position in range(len(self.kept) + self.rank):
            own = position - before
            if drop_units and 0 <= own < self.rank and self.broadcast[own] == 1:
                found.append(ir.AffineConstantExpr.get(0))
            else:
                found.append(ir.AffineDimExpr.get(count))
                count += 1
        return count, found

    def is_broadcast(self, position: int) -> bool:
        """Whether dim `position` of the result is one of the indices."""
        return 0 <= position - self._before() < self.rank

    def addressed(self, exprs: Sequence[ir.AffineExpr]) -> list[ir.AffineExpr]:
        """Where the tensor is read or written."""
        before = self._before()
        plain = [*exprs[:before], *exprs[before + self.rank :]]
        where = dict(zip(self.kept, plain, strict=True))
        for number, each in enumerate(self.indices):
            where[each.dim] = ir.AffineSymbolExpr.get(number)
        return [where[d] for d in range(self.indexed.type.rank)]

    def coordinates(self, exprs: Sequence[ir.AffineExpr], each: Index) -> list[ir.AffineExpr]:
        """Where an index is read."""
        shape = each.coordinates.type.shape
        last = self._before() + self.rank
        own = exprs[last - len(shape) : last]
        zero = ir.AffineConstantExpr.get(0)
        return [zero if size == 1 else expr for size, expr in zip(shape, own, strict=True)]


def expect_equal(found: Int, wanted: Int, text: str) -> None:
    """Check sizes at run time where they are not numbers."""
    if found is wanted or (isinstance(found, int) and isinstance(wanted, int)):
        return
    left, right = (index(each) if isinstance(each, int) else each for each in (found, wanted))
    cf.AssertOp(arith.cmpi(arith.CmpIPredicate.eq, left, right), text)
