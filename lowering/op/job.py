"""`Job`: all that the loops of one `gs.generic` on memrefs are emitted from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.generic_verify import masked_symbols
from mlir_gs.dialect.structure import Structure, dims_in
from mlir_gs.lowering.ir.builders import arith, memory_of, producer
from mlir_gs.lowering.ir.emit import Ix
from mlir_gs.lowering.op.body import Body, bytes_of
from mlir_gs.lowering.op.coordinates import Coordinates
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.op.fill import fill_constant
from mlir_gs.lowering.op.refs import Ref

# Bytes of rows that the hardware prefetcher follows, and of rows that fit in the L1 cache.
STREAM_ROW = 1 << 10
NEAR_ROWS = 1 << 14


@dataclass(frozen=True)
class Job:
    """All that one op's loops are emitted from.

    `fills`: per input the constant that it reads out of bounds. `initial`: the value of all
    elements of the one output before the op, if that need not be loaded. `gathered`: the inputs, by
    number, that are read by gather instructions where `gathered_where` holds (None: always).
    `masked`: the inputs whose lanes read element 0 where they are out of bounds, unless they are
    gathered.
    """

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

    @classmethod
    def of(cls, op: ir.Operation, initial: ir.Attribute | None = None) -> "Job":
        """The job of `op`; emits bounds, extents and casts before its loops."""
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
        """The op is nested in another op than a function, most likely a loop."""
        around = self.op.parent
        return around is not None and around.operation.name != "func.func"

    @property
    def has_known_places(self) -> bool:
        """All coordinates are constants, if there are any."""
        values = [access.value for access in self.structure.coordinates]
        return all(producer(memory_of(value), "memref.get_global") for value in values)

    def reaches_outputs(self, dim: int) -> bool:
        """Some output is addressed by `dim`, plainly or through a coordinate."""
        return any(ref.mentions(dim, self.coordinates) for ref in self.outputs)

    def sizes_inside(self) -> list[ir.Value]:
        """Those extents, known at run time, of dims that no output depends on, that are asked for
        before the loops: several, as the loops around one without points may take years; or one,
        where a place of an output may be none, as loops load and store it even without points."""
        sizes = self.extents.items()
        inside = [n for dim, n in sizes if not isinstance(n, int) and not self.reaches_outputs(dim)]
        exprs = [expr for ref in self.outputs for expr in ref.map.results]
        return inside if len(inside) > 1 or any(plain_dim(expr) is None for expr in exprs) else []

    def by_elements(self, dim: int) -> list[Ref]:
        """The inputs not contiguous along `dim`: each lane has an address of its own."""
        return [
            ref
            for ref in self.inputs
            if ref.mentions(dim, self.coordinates) and not ref.lies_along(dim, self.coordinates)
        ]

    def may_miss(self, ref: Ref, dim: int) -> bool:
        """Whether lanes along `dim` may be out of bounds of `ref` independently."""
        return any(
            self.coordinates.may_skip(symbol) and dim in self.coordinates.depends(symbol)
            for symbol in symbols_in(ref)
        )

    def loop_order(self, vector_dim: int | None) -> tuple[list[int], list[int]]:
        """(outer dims, dims that run inside of them with the outputs in registers).

        Dims that no output depends on are reduced in the inner loops, in their order. Where outputs
        are addressed through coordinates of such dims, dims keep their order. Where an input is
        contiguous in another order, outputs stay in memory: see `in_slices`.
        """
        outer, inner = self._dims_around(vector_dim)
        inside = in_slices(self, vector_dim, outer, inner)
        if inside:
            return [*(dim for dim in outer if dim not in inside), *inner, *inside], []
        return outer, inner

    def sums_in_memory(self, vector_dim: int | None, perhaps: bool = False) -> bool:
        """Whether the output is loaded and stored at each point of the reduced dims, so that an
        input is read contiguously. `perhaps`: in some version of the loops, by dynamic strides."""
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
    """The dims of `outer` to run inside of `inner`, the dims that no output depends on.

    So that gathered slices of several short rows (as the heads of a token) are read contiguously.
    The outputs, a row for each, are then loaded and stored at each point, in the L1 cache.
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
    """Bytes of one element of `ref` per point of the dims, where that is static."""
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
