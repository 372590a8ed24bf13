"""One `gs.generic` on memrefs, taken apart and made ready for its loops."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.generic_verify import masked_symbols
from mlir_gs.dialect.structure import Structure, dims_in
from mlir_gs.lowering.ir.builders import arith, memory_of, producer
from mlir_gs.lowering.ir.emit import Ix
from mlir_gs.lowering.op.body import Body, bytes_of
from mlir_gs.lowering.op.coordinates import Coordinates, Point
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.op.fill import fill_constant
from mlir_gs.lowering.op.refs import Ref

# Bytes of rows that are a stream by themselves, and of those that the first-level cache holds.
STREAM_ROW = 1 << 10
NEAR_ROWS = 1 << 14


@dataclass(frozen=True)
class Job:
    """What one op's loops are emitted from. `fills` are what the inputs read out of bounds;
    `initial` is what all elements of the one output are before, if that need not be read;
    `gathered` the inputs, by number, whose lanes the core gathers where `gathered_where` holds,
    None for always; `masked` those whose lanes read their first place where they are out of bounds,
    unless they are gathered; `in_words`: elements that move may be put together in words. Along the
    dim `turns`, if there is one, the output has copies, of which a point may reach any: see
    `private`."""

    op: ir.Operation
    structure: Structure
    body: Body
    coordinates: Coordinates
    extents: Mapping[int, Ix]
    inputs: Sequence[Ref]
    outputs: Sequence[Ref]
    fills: Sequence[ir.Value | None]
    initial: ir.Value | None = None
    gathered: frozenset[int] = frozenset()
    gathered_where: ir.Value | None = None
    masked: frozenset[int] = frozenset()
    in_words: bool = True
    turns: int | None = None

    @classmethod
    def of(cls, op: ir.Operation, initial: ir.Attribute | None = None) -> "Job":
        """Take `op` apart; emits what its loops need before them."""
        structure = Structure.of(op.opview)
        body = Body(op.regions[0].blocks[0], len(structure.inputs))
        extents = extents_of(structure)
        moves = body.moves_only
        inputs = [Ref.of(access, moves).without_unit_tail() for access in structure.inputs]
        outputs = [Ref.of(access, moves).without_unit_tail() for access in structure.outputs]
        fills = [
            fill_constant(access.value.type.element_type, fill, ref.storage)
            if masked_symbols(structure, access)
            else None
            for access, fill, ref in zip(structure.inputs, structure.fills, inputs, strict=True)
        ]
        coordinates = Coordinates(structure, extents)
        constant = None if initial is None else arith.constant(outputs[0].element, initial)
        return cls(op, structure, body, coordinates, extents, inputs, outputs, fills, constant)

    @property
    def refs(self) -> list[Ref]:
        return [*self.inputs, *self.outputs]

    @property
    def is_repeated(self) -> bool:
        """The op stands in another one, most likely a loop."""
        around = self.op.parent
        return around is not None and around.operation.name != "func.func"

    @property
    def has_known_places(self) -> bool:
        """There are no coordinates, or constants alone."""
        values = [access.value for access in self.structure.coordinates]
        return all(producer(memory_of(value), "memref.get_global") for value in values)

    def in_turns(self, points: Sequence[Point]) -> Sequence[Point]:
        """`points`, each of which reaches another copy of the output, where there are several."""
        if self.turns is None:
            return points
        return [point.at(self.turns, turn) for turn, point in enumerate(points)]

    def reaches_outputs(self, dim: int) -> bool:
        """Some output is addressed by `dim`, plainly or through a coordinate."""
        return any(ref.mentions(dim, self.coordinates) for ref in self.outputs)

    def by_elements(self, dim: int) -> list[Ref]:
        """The inputs of which each lane along `dim` has an element at a place of its own."""
        return [
            ref
            for ref in self.inputs
            if ref.mentions(dim, self.coordinates) and not ref.steps_with(dim, self.coordinates)
        ]

    def may_miss(self, ref: Ref, dim: int) -> bool:
        """Whether each lane along `dim` may be out of bounds of `ref` by itself."""
        return any(
            self.coordinates.may_skip(symbol) and dim in self.coordinates.depends(symbol)
            for symbol in symbols_in(ref)
        )

    def loop_order(self, vector_dim: int | None) -> tuple[list[int], list[int]]:
        """(outer dims, dims that run inside of them with the outputs in registers).

        Dims that no output depends on go inwards; what they add to an output element keeps its
        order. Where the outputs are addressed through coordinates of such dims, nothing moves.
        Where an input is a stream in another order, outputs stay in memory: see `in_slices`.
        """
        outer, inner = self._dims_around(vector_dim)
        inside = in_slices(self, vector_dim, outer, inner)
        if inside:
            return [*(dim for dim in outer if dim not in inside), *inner, *inside], []
        return outer, inner

    def sums_in_memory(self, vector_dim: int | None, perhaps: bool = False) -> bool:
        """The output is read and written for each point of dims that it does not depend on, so that
        an input is a stream. `perhaps`: in some version, for strides that the call decides."""
        return bool(in_slices(self, vector_dim, *self._dims_around(vector_dim), perhaps))

    def _dims_around(self, vector_dim: int | None) -> tuple[list[int], list[int]]:
        dims = [dim for dim in range(self.structure.rank) if dim != vector_dim]
        inner = [dim for dim in dims if not self.reaches_outputs(dim)]
        outer = [dim for dim in dims if dim not in inner]
        ordered = [dim for dim in outer if not self.structure.plain_in_outputs(dim)]
        if ordered and inner and max(ordered) > min(inner):
            return dims, []
        return outer, inner


def in_slices(
    job: Job,
    vector_dim: int | None,
    outer: Sequence[int],
    inner: Sequence[int],
    perhaps: bool = False,
) -> list[int]:
    """Of the dims `outer` those to run inside of the dims `inner`, which no output depends on.

    In the slices of an input that are found at coordinates, the heads of a token lie side by side:
    head by head its short rows are read apart from each other, token by token in order. Outputs, a
    row for each head, are then read and written for each token, in the first-level cache.
    """
    if vector_dim is None or not inner or not job.structure.plain_in_outputs(vector_dim):
        return []
    if len(job.outputs) != 1 or symbols_in(job.outputs[0]):
        return []
    for ref in job.inputs:
        places = [plain_dim(expr) for expr in ref.map.results]
        steps = ref.may_step if perhaps else ref.last_stride == 1
        if not symbols_in(ref) or not steps or places[-1] != vector_dim:
            continue
        reduced = max((n for n, dim in enumerate(places) if dim in inner), default=None)
        if reduced is None or None in places[reduced:]:
            continue
        lying = [dim for dim in places[reduced + 1 : -1] if dim is not None]
        inside = [dim for dim in lying if dim in outer]
        row = _bytes_of_points(job, [vector_dim], ref)
        rows = _bytes_of_points(job, [*inside, vector_dim], ref)
        if (
            inside
            and row is not None
            and rows is not None
            and row < STREAM_ROW
            and rows <= NEAR_ROWS
        ):
            return inside
    return []


def _bytes_of_points(job: Job, dims: Sequence[int], ref: Ref) -> int | None:
    """Of an element of `ref` for each point of the dims, where that is known."""
    total = bytes_of(ref.storage)
    for dim in dims:
        extent = job.extents[dim]
        if not isinstance(extent, int):
            return None
        total *= extent
    return total


def symbols_in(ref: Ref) -> set[int]:
    return {symbol for expr in ref.map.results for symbol in symbols_of(expr)}


def plain_dims_in(ref: Ref) -> set[int]:
    return {dim for expr in ref.map.results for dim in dims_in(expr)}
