"""`gs.generic` as data: operands, maps, symbols, extents."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from mlir_gs._forks import cached_property
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import Linear, linear, plain_dim, symbols_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.sizes import Origin, origin

Mode = Literal["promise_in_bounds", "clip", "fill_or_drop", "error"]
MODES = get_args(Mode)


class Access(NamedTuple):
    """One operand and the map that addresses it."""

    name: str
    value: ir.Value
    map: ir.AffineMap

    def linear(self, position: int) -> Linear | None:
        return linear(self.map.results[position])


class Use(NamedTuple):
    """A symbol in one dimension of one operand: `symbol + form` indexes `access` there."""

    access: Access
    position: int
    form: Linear | None


class Extent(NamedTuple):
    """An iteration dim runs over dimension `position` of `access`."""

    access: Access
    position: int

    @property
    def size(self) -> int:
        return self.access.value.type.shape[self.position]

    @property
    def origin(self) -> Origin:
        """The origin of the size."""
        return origin(self.access.value, self.position)


@dataclass(frozen=True)
class Structure:
    """The parts of a `gs.generic` that verified."""

    inputs: tuple[Access, ...]
    coordinates: tuple[Access, ...]
    outputs: tuple[Access, ...]
    iterators: tuple[str, ...]
    modes: tuple[str, ...]
    wraps: tuple[bool, ...]
    fills: tuple[ir.Attribute | None, ...]
    unique: bool
    sorted: bool

    @classmethod
    def of(cls, op: ir.OpView) -> "Structure":
        attributes = op.attributes
        inputs, indices, outputs = groups(op)
        maps = [attribute.value for attribute in attributes["indexing_maps"]]
        n_in = len(inputs)
        coordinates = [
            Access(f"indices #{number}", indices[number], attribute.value)
            for number, maps_of_operand in enumerate(attributes["coordinate_maps"])
            for attribute in maps_of_operand
        ]
        n_symbols = len(coordinates)
        modes = (
            tuple(mode.value for mode in attributes["modes"])
            if "modes" in attributes
            else ("promise_in_bounds",) * n_symbols
        )
        wraps = (
            tuple(attributes["wrap_negative"])
            if "wrap_negative" in attributes
            else (False,) * n_symbols
        )
        fills = tuple(attributes["fill_values"]) if "fill_values" in attributes else (None,) * n_in
        return cls(
            _accesses("inputs", inputs, maps[:n_in]),
            tuple(coordinates),
            _accesses("outputs", outputs, maps[n_in:]),
            tuple(kind.value for kind in attributes["iterator_types"]),
            modes,
            wraps,
            tuple(None if isinstance(fill, ir.UnitAttr) else fill for fill in fills),
            "unique" in attributes,
            "sorted" in attributes,
        )

    @property
    def rank(self) -> int:
        """The number of iteration dims."""
        return len(self.iterators)

    @property
    def accesses(self) -> Iterator[Access]:
        """Coordinates, inputs, outputs: the order in which extents are looked for."""
        yield from self.coordinates
        yield from self.inputs
        yield from self.outputs

    @cached_property
    def extents(self) -> tuple[tuple[Extent, ...], ...]:
        """For each iteration dim its plain appearances; its extent is the least of their sizes."""
        found: list[list[Extent]] = [[] for _ in range(self.rank)]
        for access in self.accesses:
            for position, expr in enumerate(access.map.results):
                dim = plain_dim(expr)
                if dim is not None:
                    found[dim].append(Extent(access, position))
        return tuple(tuple(extents) for extents in found)

    def static_extent(self, dim: int) -> int:
        """The extent of `dim` where it is known: all sizes are, or one is 0. Else DYNAMIC."""
        sizes = [extent.size for extent in self.extents[dim]]
        if 0 in sizes:
            return 0
        return DYNAMIC if DYNAMIC in sizes else min(sizes)

    @property
    def is_nothing(self) -> bool:
        """The iteration space is known to be empty, or the outputs are."""
        return all(0 in output.value.type.shape for output in self.outputs) or any(
            self.static_extent(dim) == 0 for dim in range(self.rank)
        )

    def spans(self, access: Access, position: int) -> bool:
        """The plain dim at `position` of `access` is known to run over all of that dimension."""
        dim = plain_dim(access.map.results[position])
        if dim is None:
            return False
        mine = origin(access.value, position)
        others = {extent.origin for extent in self.extents[dim]}
        return others == {mine} or (isinstance(mine, int) and self.static_extent(dim) == mine)

    def uses(self, symbol: int) -> list[Use]:
        """Where `symbol` addresses a dimension; `form` is what is added to it there."""
        result = []
        for access in self.accesses:
            for position, expr in enumerate(access.map.results):
                if symbol in symbols_of(expr):
                    form = linear(expr)
                    rest = None if form is None else form.plus(Linear(symbols={symbol: -1}))
                    result.append(Use(access, position, rest))
        return result

    def dims_of_symbol(self, symbol: int) -> set[int]:
        """The iteration dims on which the value of `symbol` depends."""
        dims: set[int] = set()
        for expr in self.coordinates[symbol].map.results:
            dims |= dims_in(expr)
            for earlier in symbols_of(expr):
                dims |= self.dims_of_symbol(earlier)
        return dims

    def is_chained(self, symbol: int) -> bool:
        """The coordinates of `symbol` are found through other coordinates."""
        return any(symbols_of(expr) for expr in self.coordinates[symbol].map.results)

    def plain_in_outputs(self, dim: int) -> bool:
        """Each output map has `dim` as a plain result: its elements are then disjoint along it."""
        return all(
            any(plain_dim(expr) == dim for expr in output.map.results) for output in self.outputs
        )


def _accesses(
    role: str, values: Sequence[ir.Value], maps: Sequence[ir.AffineMap]
) -> tuple[Access, ...]:
    return tuple(
        Access(f"{role} #{number}", value, map_)
        for number, (value, map_) in enumerate(zip(values, maps, strict=True))
    )


def dims_in(expr: ir.AffineExpr) -> set[int]:
    """The iteration dims that `expr` mentions."""
    if isinstance(expr, ir.AffineDimExpr):
        return {expr.position}
    if isinstance(expr, ir.AffineBinaryExpr):
        return dims_in(expr.lhs) | dims_in(expr.rhs)
    return set()


# The operand slots of a `gs.generic`, by role.
SLOTS = (("input", 8), ("index", 8), ("output", 4))


def segments(inputs: int, indices: int, outputs: int, on_tensors: bool) -> dict[str, ir.Attribute]:
    """The attributes that say which slots are taken. ValueError when a role has too many."""
    taken: list[int] = []
    for count, (name, most) in zip((inputs, indices, outputs), SLOTS, strict=True):
        if count > most:
            raise ValueError(f"gs.generic takes at most {most} {name} operands, found {count}")
        taken += [1] * count + [0] * (most - count)
    results = outputs if on_tensors else 0
    most = SLOTS[2][1]
    return {
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get(taken),
        "resultSegmentSizes": ir.DenseI32ArrayAttr.get([1] * results + [0] * (most - results)),
    }


@lru_cache(maxsize=1024)
def role_counts(taken: tuple[int, ...]) -> tuple[int, ...] | None:
    """How many operands each role has; None if `taken` is no filling of the slots."""
    if len(taken) != sum(most for _, most in SLOTS):
        return None
    counts, start = [], 0
    for _, most in SLOTS:
        part = taken[start : start + most]
        if list(part) != sorted(part, reverse=True) or not set(part) <= {0, 1}:
            return None
        counts.append(sum(part))
        start += most
    return tuple(counts)


def groups(op: ir.OpView) -> tuple[list[ir.Value], list[ir.Value], list[ir.Value]]:
    """The operands as (inputs, indices, outputs)."""
    counts = role_counts(tuple(op.attributes["operandSegmentSizes"]))
    assert counts is not None
    values, first, second = list(op.operands), counts[0], counts[0] + counts[1]
    return values[:first], values[first:second], values[second:]
