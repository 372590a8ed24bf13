"""A `gs.generic` or linalg.generic as data that merging can work on, and back as a `gs.generic`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.generic import Body
from mlir_gs.dialect.structure import SLOTS, Access, Structure, groups
from mlir_gs.lowering.checks.bounds import ORIGIN
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.affine_rewrites import Exprs
from mlir_gs.lowering.ir.builders import has_named
from mlir_gs.lowering.passes.diagnostics import file_location

linalg = dialect("linalg")

# The ops that are loop nests.
LOOPS = ("gs.generic", "linalg.generic")
# What a body may hold: ops on scalars without regions or effects.
_SCALAR = ("arith.", "math.", "complex.", "index.", "builtin.unrealized_conversion_cast")

# Makes the value that stands for an element in the body.
Scalar = Callable[[], ir.Value]


@dataclass(frozen=True, eq=False)
class Read:
    """An input: the body knows its element by `args`."""

    value: ir.Value
    exprs: Exprs
    fill: ir.Attribute | None = None
    args: tuple[ir.Value, ...] = ()


def same_fill(a: ir.Attribute | None, b: ir.Attribute | None) -> bool:
    """Equal fill values; the bindings compare no attribute with None."""
    return a is b if a is None or b is None else a == b


def once(reads: Sequence[Read]) -> tuple[Read, ...]:
    """Equal inputs as one: the operands of a gs.generic are few."""
    found: list[Read] = []
    for read in reads:
        for number, other in enumerate(found):
            same = (read.value, read.exprs) == (other.value, other.exprs)
            if same and same_fill(read.fill, other.fill):
                found[number] = replace(other, args=(*other.args, *read.args))
                break
        else:
            found.append(read)
    return tuple(found)


@dataclass(frozen=True)
class Symbol:
    """A coordinate, read from `value` at `exprs`."""

    value: ir.Value
    exprs: Exprs
    mode: str = "promise_in_bounds"
    wrap: bool = False

    @property
    def checked(self) -> bool:
        return self.wrap or self.mode != "promise_in_bounds"


@dataclass(frozen=True)
class Write:
    """An output; `arg` is its current element in the body, if it can be read."""

    value: ir.Value
    exprs: Exprs
    arg: ir.Value | None


@dataclass(frozen=True)
class Loops:
    """The loop nest of `op`, into which the ops of `merged` have gone.

    `bodies` are their blocks in the order in which they run, `bindings` say which scalar takes
    the place of an argument of one of them. Nothing but these loops needs the ops in `dying`.
    Errors are blamed on `location` and on the op of the name `origin`.
    """

    op: ir.Operation
    reads: tuple[Read, ...]
    symbols: tuple[Symbol, ...]
    writes: tuple[Write, ...]
    iterators: tuple[str, ...]
    unique: bool = False
    sorted: bool = False
    bodies: tuple[ir.Block, ...] = ()
    bindings: tuple[tuple[ir.Value, ir.Value | Scalar], ...] = ()
    merged: tuple[ir.Operation, ...] = ()
    dying: tuple[ir.Operation, ...] = ()
    location: ir.Location | None = field(default=None)
    origin: ir.Attribute | None = None

    @property
    def rank(self) -> int:
        return len(self.iterators)

    @property
    def structure(self) -> Structure:
        def access(name: str, value: ir.Value, exprs: Exprs) -> Access:
            map_ = ir.AffineMap.get(self.rank, len(self.symbols), list(exprs))
            return Access(name, value, map_)

        return Structure(
            tuple(access(f"inputs #{n}", r.value, r.exprs) for n, r in enumerate(self.reads)),
            tuple(access(f"indices #{n}", s.value, s.exprs) for n, s in enumerate(self.symbols)),
            tuple(access(f"outputs #{n}", w.value, w.exprs) for n, w in enumerate(self.writes)),
            self.iterators,
            tuple(s.mode for s in self.symbols),
            tuple(s.wrap for s in self.symbols),
            tuple(r.fill for r in self.reads),
            self.unique,
            self.sorted,
        )

    @property
    def yields(self) -> list[ir.Value]:
        terminator = list(self.op.regions[0].blocks[0].operations)[-1]
        return list(terminator.operands)

    def uses(self, symbol: int) -> bool:
        """Something is addressed by `symbol`."""
        return any(
            symbol in symbols_of(expr)
            for part in (self.reads, self.symbols, self.writes)
            for entry in part
            for expr in entry.exprs
        )

    @property
    def sources(self) -> list[ir.Value]:
        """All tensors that the nest reads, but for its outputs."""
        inner = [op.operation for block in self.bodies for op in block.operations]
        read = [op.operands[0] for op in inner if op.name == "tensor.extract"]
        return [*(entry.value for entry in (*self.reads, *self.symbols)), *read]

    @classmethod
    def of(cls, op: ir.Operation) -> "Loops | None":
        """The nest of a gs.generic or linalg.generic on tensors whose body is of scalar ops, and
        reads of elements where coordinates are computed."""
        if len(op.results) == 0 or len(op.regions[0].blocks) != 1:
            return None
        if not scalar_body(op, "tensor.extract"):
            return None
        block = op.regions[0].blocks[0]
        return _of_gs(op, block) if op.name == "gs.generic" else of_linalg(op, block)


def scalar_body(op: ir.Operation, *more: str) -> bool:
    """Whether the first block of `op` holds ops on scalars, or of names in `more`, and its
    terminator."""
    nested = [each.operation for each in op.regions[0].blocks[0].operations]
    kinds = (*_SCALAR, *more)
    return all(each.name.startswith(kinds) and len(each.regions) == 0 for each in nested[:-1])


def _of_gs(op: ir.Operation, block: ir.Block) -> Loops:
    structure = Structure.of(op.opview)
    args = list(block.arguments)
    inputs, _, _ = groups(op.opview)
    return Loops(
        op,
        tuple(
            Read(access.value, tuple(access.map.results), fill, (arg,))
            for access, fill, arg in zip(structure.inputs, structure.fills, args, strict=False)
        ),
        tuple(
            Symbol(access.value, tuple(access.map.results), mode, wrap)
            for access, mode, wrap in zip(
                structure.coordinates, structure.modes, structure.wraps, strict=True
            )
        ),
        tuple(
            Write(access.value, tuple(access.map.results), arg)
            for access, arg in zip(structure.outputs, args[len(inputs) :], strict=True)
        ),
        structure.iterators,
        structure.unique,
        structure.sorted,
        bodies=(block,),
        location=op.location,
        origin=op.attributes.get(ORIGIN),
    )


def of_linalg(op: ir.Operation, block: ir.Block, numbered: bool = False) -> Loops | None:
    """The loops of a linalg op with results, or of one output; None for those no gs.generic is.
    `numbered`: the body may ask for its point, which that of a gs.generic does not know."""
    if has_named(op, "linalg.index") and not numbered:
        return None
    maps = [attribute.value for attribute in linalg.get_indexing_maps(op)]
    args = list(block.arguments)
    if len(args) != len(maps):
        return None
    count = len(maps) - max(len(op.results), 1)
    reads: list[Read] = []
    bindings: list[tuple[ir.Value, ir.Value | Scalar]] = []
    for operand, map_, arg in list(zip(op.operands, maps, args, strict=True))[:count]:
        if isinstance(operand.type, ir.ShapedType):
            reads.append(Read(operand, tuple(map_.results), None, (arg,)))
        else:
            bindings.append((arg, operand))
    writes = tuple(
        Write(operand, tuple(map_.results), arg)
        for operand, map_, arg in list(zip(op.operands, maps, args, strict=True))[count:]
    )
    if not all(are_map_results(map_) for map_ in maps):
        return None
    iterators = _iterators(op, writes, maps[0].n_dims)
    if not set(iterators) <= {"parallel", "reduction"}:
        return None
    for d, kind in enumerate(iterators):
        plain = all(any(plain_dim(expr) == d for expr in write.exprs) for write in writes)
        if kind == "parallel" and not plain:
            return None
    given = tuple(reads) if len(reads) <= SLOTS[0][1] else once(reads)
    loops = Loops(
        op, given, (), writes, iterators, bodies=(block,), bindings=tuple(bindings),
        location=op.location,
    )  # fmt: skip
    return loops if fits(loops) else None


def _iterators(op: ir.Operation, writes: Sequence[Write], rank: int) -> tuple[str, ...]:
    if "iterator_types" in op.attributes:
        kinds = op.attributes["iterator_types"]
        return tuple(str(kind).split("<")[-1].rstrip(">") for kind in kinds)
    outer = {plain_dim(expr) for write in writes for expr in write.exprs}
    return tuple("parallel" if dim in outer else "reduction" for dim in range(rank))


def are_map_results(map_: ir.AffineMap) -> bool:
    """A `gs.generic` may have this map of a linalg op."""
    return all(affine_rewrites.is_map_result(expr) for expr in map_.results)


def fits(loops: Loops) -> bool:
    """The operand slots of a `gs.generic` hold what these loops need."""
    counts = (len(loops.reads), len(grouped(loops)[0]), len(loops.writes))
    return all(count <= most for count, (_, most) in zip(counts, SLOTS, strict=True))


def grouped(loops: Loops) -> tuple[list[tuple[ir.Value, list[int]]], list[int]]:
    """Symbols by the operand they are read from, (operand, its symbols); and the new order.

    A symbol comes after those that its own map uses.
    """
    found: list[tuple[ir.Value, list[int]]] = []
    place: dict[int, int] = {}
    for number, symbol in enumerate(loops.symbols):
        earlier = {k for expr in symbol.exprs for k in symbols_of(expr)}
        first = max((place[k] for k in earlier), default=0)
        for group in range(first, len(found)):
            if found[group][0] == symbol.value:
                break
        else:
            group = len(found)
            found.append((symbol.value, []))
        found[group][1].append(number)
        place[number] = group
    return found, [number for _, numbers in found for number in numbers]


def with_symbols(loops: Loops, order: Sequence[int]) -> Loops:
    """The same loops with symbols numbered anew: `order[n]` is the old number of symbol n."""
    new = {old: affine_rewrites.symbol(n) for n, old in enumerate(order)}
    return renumbered(
        loops,
        [new.get(k, affine_rewrites.constant(0)) for k in range(len(loops.symbols))],
        [loops.symbols[k] for k in order],
    )


def renumbered(loops: Loops, symbols: Sequence[ir.AffineExpr], entries: Sequence[Symbol]) -> Loops:
    """The loops with `symbols[k]` for symbol k; `entries` are the new symbols in old terms."""
    dims = affine_rewrites.identity(loops.rank)

    def moved(exprs: Exprs) -> Exprs:
        return tuple(affine_rewrites.replace(expr, dims, symbols) for expr in exprs)

    return replace(
        loops,
        reads=tuple(replace(r, exprs=moved(r.exprs)) for r in loops.reads),
        symbols=tuple(replace(s, exprs=moved(s.exprs)) for s in entries),
        writes=tuple(replace(w, exprs=moved(w.exprs)) for w in loops.writes),
    )


def _location(loops: Loops) -> ir.Location:
    """That on which errors are blamed, and behind it those of the ops that were merged."""
    first = loops.location or loops.op.location
    merged = [op.location for op in (loops.op, *loops.merged)]
    if not all(map(file_location, (first, *merged))):
        return first
    return ir.Location.fused([first, *merged])


def build(
    loops: Loops, made: Body | None = None, at: ir.InsertionPoint | None = None
) -> ir.Operation:
    """The `gs.generic` of the loops, in front of their op or `at` a place, with the bodies moved
    into it, or with the body that `made` builds."""
    loops = with_symbols(loops, grouped(loops)[1])
    operands, _ = grouped(loops)
    rank, count = loops.rank, len(loops.symbols)

    def map_of(exprs: Exprs) -> ir.AffineMap:
        return ir.AffineMap.get(rank, count, list(exprs))

    def body(*elements: ir.Value) -> list[ir.Value]:
        block = ir.InsertionPoint.current.block
        for arg, scalar in loops.bindings:
            value = scalar if isinstance(scalar, ir.Value) else scalar()
            arg.replace_all_uses_with(value)
        for read, element in zip(loops.reads, elements, strict=False):
            for arg in read.args:
                arg.replace_all_uses_with(element)
        for write, element in zip(loops.writes, elements[len(loops.reads) :], strict=True):
            if write.arg is not None:
                write.arg.replace_all_uses_with(element)
        for old in loops.bodies:
            for op in list(old.operations)[:-1]:
                block.append(op)
        return loops.yields

    with at or ir.InsertionPoint(loops.op), _location(loops):
        new = generic(
            [read.value for read in loops.reads],
            [value for value, _ in operands],
            [write.value for write in loops.writes],
            indexing_maps=[map_of(entry.exprs) for entry in (*loops.reads, *loops.writes)],
            coordinate_maps=[
                [map_of(loops.symbols[k].exprs) for k in numbers] for _, numbers in operands
            ],
            iterator_types=loops.iterators,
            body=made or body,
            modes=[symbol.mode for symbol in loops.symbols],
            wrap_negative=[symbol.wrap for symbol in loops.symbols],
            fill_values=[read.fill for read in loops.reads],
            unique=loops.unique,
            sorted=loops.sorted,
        )
        if loops.origin is not None:
            new.attributes[ORIGIN] = loops.origin
        return new
