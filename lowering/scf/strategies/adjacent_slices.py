"""Loops whose rows sum up slices that follow each other, as the rows of a matrix in CSR form do.

Row r has the slice from `starts[r]` to `starts[r + 1]`, so neighbours have one slice together. Only
the loop around the sum tells that; `slice_sums` makes use of it.
"""

from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.ir.builders import VIEWS, memory_of, producer, slice_numbers
from mlir_gs.lowering.ir.emit import Ix, memref, value
from mlir_gs.lowering.scf.strategies.block_sums import can_be_summed, steps_only_at
from mlir_gs.lowering.scf.threads import captured_values

LOOPS = ("scf.for", "scf.forall", "scf.parallel")
_CASTS = ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui")
_PURE = ("arith.", "memref.load", "memref.dim", *VIEWS)


class Starts(NamedTuple):
    """Where slices start: what `load` reads, its index `position` being the row, after `casts`."""

    load: ir.Operation
    position: int
    casts: tuple[ir.Operation, ...]

    def at(self, row: Ix) -> ir.Value:
        """The start of the slice of `row`, which is the end of the one before."""
        memory, *indices = self.load.operands
        indices[self.position] = value(row)
        found = memref.load(memory, indices)
        for cast in self.casts:
            again = cast.clone()
            again.operands[0] = found
            found = again.results[0]
        return found


class Slice(NamedTuple):
    """What `views` show of a memref outside of the loop: `size` elements from `start` on, along
    `position` of what the last one shows."""

    views: tuple[ir.Operation, ...]
    position: int
    start: ir.Value
    size: ir.Value


class AdjacentSlices(NamedTuple):
    """A loop over the rows from `lower` to `upper`, number `row` inside of it, each of which runs
    the reduction `op` on slices of `size` elements from `start` on.

    `given` are the inputs and coordinates of `op`, each with the slice that it is; None for what
    all rows have whole. `output` is the view of the one element of the row, which starts from
    `initial`, or from what it is where that is None.
    """

    lower: Ix
    upper: Ix
    row: ir.Value
    op: ir.Operation
    given: tuple[tuple[ir.Value, Slice | None], ...]
    starts: Starts
    output: ir.Operation
    initial: ir.Value | None

    @property
    def element(self) -> ir.Type:
        """The type of what is summed up."""
        return self.output.results[0].type.element_type

    def place(self, row: Ix) -> list[ir.Value]:
        """The indices of the element of `row` in what `output` is a view of."""
        offsets, *_ = slice_numbers(self.output)
        return [value(row if offset == self.row else offset) for offset in offsets]

    def operands(self, start: ir.Value, size: ir.Value) -> list[ir.Value]:
        """What is given of the slice of `size` elements from `start` on."""
        found = []
        for operand, slice_ in self.given:
            if slice_ is None:
                found.append(operand)
                continue
            known = {slice_.start: start, slice_.size: size}
            for view in slice_.views:
                again = view.clone()
                for number, old in enumerate(view.operands):
                    again.operands[number] = known.get(old, old)
                known[view.results[0]] = again.results[0]
            found.append(known[operand])
        return found


def find_adjacent_slices(loop: ir.Operation) -> AdjacentSlices | None:
    """The rows of `loop`, one of `LOOPS`, if they are of this kind."""
    bounds = _bounds(loop)
    if bounds is None:
        return None
    block = loop.regions[0].blocks[0]
    row = block.arguments[0]
    *operations, _ = [nested.operation for nested in block.operations]
    fills = [nested for nested in operations if nested.name == "linalg.fill"]
    ops = [nested for nested in operations if nested.name == "gs.generic"]
    if len(ops) != 1 or len(fills) > 1:
        return None
    others = [nested.name for nested in operations if nested not in (*fills, *ops)]
    if not all(name.startswith(_PURE) for name in others):
        return None
    (op,) = ops
    structure = Structure.of(op.opview)
    output = _summed(op, structure, row, block)
    if output is None or any(_is_in(block, one) for one in captured_values(op)):
        return None
    given = _given(op, structure, block)
    slices = [slice_ for _, slice_ in given or () if slice_ is not None]
    if given is None or len({(one.start, one.size) for one in slices}) != 1:
        return None
    starts = _starts(slices[0], row, block)
    if starts is None:
        return None
    read = [starts.load.operands[0], *(operand for operand, _ in given)]
    if any(memory_of(one) == memory_of(output.results[0]) for one in read):
        return None
    initial = None
    for fill in fills:
        initial, filled = fill.operands
        if filled != output.results[0] or initial.type != filled.type.element_type:
            return None
        if _is_in(block, initial) or operations.index(fill) > operations.index(op):
            return None
    return AdjacentSlices(*bounds, row, op, given, starts, output, initial)


def _bounds(loop: ir.Operation) -> tuple[Ix, Ix] | None:
    """From where to where the one variable of `loop` goes, one by one; None where something is
    carried."""
    if list(loop.results):
        return None
    if loop.name != "scf.forall":
        if len(loop.operands) != 3:
            return None
        lower, upper, step = loop.operands
        plain = _constant(step) == 1 and isinstance(lower.type, ir.IndexType)
        return (lower, upper) if plain else None
    static = [list(loop.attributes[f"static{name}"]) for name in ("LowerBound", "UpperBound")]
    if len(static[0]) != 1 or list(loop.attributes["staticStep"]) != [1]:
        return None
    given = iter(loop.operands)
    lower, upper = (next(given) if known == [DYNAMIC] else known[0] for known in static)
    return lower, upper


def _constant(number: ir.Value) -> int | None:
    constant = producer(number, "arith.constant")
    return None if constant is None else constant.attributes["value"].value


def _is_in(block: ir.Block, found: ir.Value) -> bool:
    owner = found.owner
    return (owner if isinstance(owner, ir.Block) else owner.operation.block) == block


def _summed(
    op: ir.Operation, structure: Structure, row: ir.Value, block: ir.Block
) -> ir.Operation | None:
    """The view of the one element, addressed by `row`, that `op` combines all its points into."""
    if structure.iterators != ("reduction",) or not can_be_summed(op, structure):
        return None
    (output,) = structure.outputs
    if output.value.type.rank:
        return None
    view = producer(output.value, "memref.subview")
    if view is None or _is_in(block, view.operands[0]):
        return None
    offsets, *_ = slice_numbers(view)
    inside = [at for at in offsets if not isinstance(at, int) and _is_in(block, at)]
    return view if inside == [row] else None


def _given(
    op: ir.Operation, structure: Structure, block: ir.Block
) -> tuple[tuple[ir.Value, Slice | None], ...] | None:
    """The inputs and coordinates of `op`, if each is a slice along the one dim or is whole."""
    found: list[tuple[ir.Value, Slice | None]] = []
    accesses = (*structure.inputs, *structure.coordinates)
    for operand in list(op.operands)[:-1]:
        slice_ = _slice(operand, block) if _is_in(block, operand) else None
        if slice_ is None and _is_in(block, operand):
            return None
        mine = [access for access in accesses if access.value == operand]
        position = None if slice_ is None else slice_.position
        if not all(steps_only_at(access, position) for access in mine):
            return None
        found.append((operand, slice_))
    return tuple(found)


def _slice(operand: ir.Value, block: ir.Block) -> Slice | None:
    views: list[ir.Operation] = []
    view = producer(operand, *VIEWS)
    while view is not None and _is_in(block, view.results[0]):
        views.insert(0, view)
        view = producer(view.operands[0], *VIEWS)
    if not views or views[0].name != "memref.subview":
        return None
    first, *rest = views
    offsets, sizes, strides = slice_numbers(first)
    cut = [n for n, at in enumerate(offsets) if not isinstance(at, int) and _is_in(block, at)]
    if len(cut) != 1 or first.operands[0].type.rank != first.results[0].type.rank:
        return None
    (position,) = cut
    start, size = offsets[position], sizes[position]
    if isinstance(start, int) or isinstance(size, int) or strides[position] != 1:
        return None
    for view in rest:
        moved = _moved(view, position)
        if moved is None:
            return None
        position = moved
    known = (start, size, *(view.results[0] for view in views))
    if any(_is_in(block, one) and one not in known for view in views for one in view.operands):
        return None
    return Slice(tuple(views), position, start, size)


def _moved(view: ir.Operation, position: int) -> int | None:
    """In which dimension of its result `view` shows the dimension `position` of its operand."""
    if view.name == "memref.cast":
        return position
    if view.name != "memref.expand_shape":
        return None
    group = [int(dim.value) for dim in view.attributes["reassociation"][position]]
    long = [dim for dim in group if view.results[0].type.shape[dim] != 1]
    return long[0] if len(long) == 1 else None


def _starts(slice_: Slice, row: ir.Value, block: ir.Block) -> Starts | None:
    """Where slices start, if each ends where that of the next row starts."""
    load, casts = _loaded(slice_.start)
    # The difference may be one of integers that are cast after it.
    difference, after = _uncast(slice_.size)
    if load is None or difference is None or difference.name != "arith.subi":
        return None
    names = [cast.name for cast in casts]
    ends = [_loaded(operand) for operand in difference.operands]
    for _, before in ends:
        if [cast.name for cast in (*before, *after)] != names:
            return None
    (last, _), (first, _) = ends
    if first is None or last is None or list(first.operands) != list(load.operands):
        return None
    memory, *indices = load.operands
    places = [n for n, place in enumerate(indices) if place == row]
    if len(places) != 1 or any(_is_in(block, one) for one in (memory, *indices) if one != row):
        return None
    (position,) = places
    other, *next_ = last.operands
    is_next = _is_one_more(next_.pop(position), row)
    indices.pop(position)
    if not is_next or other != memory or next_ != indices:
        return None
    return Starts(load, position, tuple(casts))


def _loaded(found: ir.Value) -> tuple[ir.Operation | None, list[ir.Operation]]:
    """The load that `found` comes from, and the casts behind it."""
    op, casts = _uncast(found)
    return (op if op is not None and op.name == "memref.load" else None), casts


def _uncast(found: ir.Value) -> tuple[ir.Operation | None, list[ir.Operation]]:
    """What gives `found`, and the casts behind it."""
    casts: list[ir.Operation] = []
    while (cast := producer(found, *_CASTS)) is not None:
        casts.insert(0, cast)
        found = cast.operands[0]
    return producer(found), casts


def _is_one_more(number: ir.Value, row: ir.Value) -> bool:
    sum_ = producer(number, "arith.addi")
    if sum_ is None or row not in list(sum_.operands):
        return False
    return any(_constant(operand) == 1 for operand in sum_.operands if operand != row)
