"""`convert-gs-to-linalg`: `gs.generic` on tensors to linalg, for pipelines that go on upstream."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import ClassVar, NamedTuple

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.generic_verify import masked_symbols
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.lowering.checks.bounds import emit_checks
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.asserts import refuse_named, refuse_nested
from mlir_gs.lowering.ir.builders import (
    arith,
    cast,
    clone_block,
    index,
    producer,
    replace_op,
    walk_named,
)
from mlir_gs.lowering.ir.emit import (
    Ix,
    affine,
    both,
    choose,
    choose_element,
    compare,
    dynamic_and_static,
    element,
    loop_carrying,
    size_of,
    slice_operands,
    sliced,
    tensor,
    value,
)
from mlir_gs.lowering.op.body import Body
from mlir_gs.lowering.op.coordinates import Coordinates, Point
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.op.fill import complex_, fill_constant
from mlir_gs.lowering.op.refs import storage_type
from mlir_gs.lowering.passes.registry import fail, register_pass

linalg = dialect("linalg")

# With one operand that is not known, whatever the other one is.
_NEVER_CONSTANT = ("arith.addf", "arith.addi", "arith.xori")


@register_pass
@dataclass(frozen=True)
class ConvertGsToLinalg:
    """Lower `gs.generic` on tensors to linalg.generic that reads through tensor.extract.

    linalg cannot write at coordinates: an op that does becomes scf.for loops with tensor.insert, in
    row-major order. linalg takes the size of a dim from an operand: where none is addressed by the
    dim, a `tensor.empty` of its size becomes one.
    """

    name: ClassVar[str] = "convert-gs-to-linalg"

    def run(self, module: ir.Operation) -> None:
        sites = Sites(module)
        refuse_named(walk_named(module, *NAMED), "linalg")
        ops = walk_named(module, "gs.generic")
        refuse_nested(ops)
        for op in ops:
            if len(op.results) == 0:
                fail(op, "'gs.generic' op is on memrefs: convert-gs-to-scf lowers it")
            with op.location, ir.InsertionPoint(op):
                results = lower(op, sites)
            replace_op(op, results)
        sites.write()


class _Parts(NamedTuple):
    """An op's structure, extents and body, and what each input reads out of bounds, if it may."""

    structure: Structure
    extents: Mapping[int, Ix]
    body: Body
    fills: Sequence[ir.Value | None]


def lower(op: ir.Operation, sites: Sites, *, as_loops: bool = False) -> Sequence[ir.Value]:
    """What takes the place of the results of a `gs.generic` on tensors, at the insertion point: of
    linalg.generic where linalg can write so, else or with `as_loops` of scf.for."""
    structure = Structure.of(op.opview)
    extents = extents_of(structure)
    emit_checks(op, Coordinates(structure, extents), sites)
    # Upstream takes reads of tensors for safe anywhere, and may move them before the checks.
    modes = ("clip" if mode == "error" else mode for mode in structure.modes)
    structure = replace(structure, modes=tuple(modes))
    if structure.is_nothing:
        return [access.value for access in structure.outputs]
    body = Body(op.regions[0].blocks[0], len(structure.inputs))
    fills = [
        _fill(access.value.type.element_type, given) if masked_symbols(structure, access) else None
        for access, given in zip(structure.inputs, structure.fills, strict=True)
    ]
    if not as_loops and all(_is_projection(access) for access in structure.outputs):
        return _as_linalg(_Parts(structure, extents, body, fills))
    return _as_loops(_Parts(structure, extents, body, fills))


def _fill(element_type: ir.Type, given: ir.Attribute | None) -> ir.Value:
    """What an input reads out of bounds, of its own type."""
    constant = fill_constant(element_type, given, storage_type(element_type, moves_only=False))
    if isinstance(element_type, ir.FloatType) and constant.type != element_type:
        return arith.bitcast(element_type, constant)
    return cast(constant, element_type)


def _is_projection(access: Access) -> bool:
    """Each dimension is addressed by an iteration dim of its own."""
    dims = [plain_dim(expr) for expr in access.map.results]
    return None not in dims and len(set(dims)) == len(dims)


def _reads_like_linalg(access: Access) -> bool:
    """No symbols, and each result is a dim of its own or a constant; something can be there."""
    dims = [plain_dim(e) for e in access.map.results]
    known = [dim for dim in dims if dim is not None]
    shape = access.value.type.shape
    return (
        len(set(known)) == len(known)
        and all(
            plain_dim(expr) is not None or _is_place(expr, size)
            for expr, size in zip(access.map.results, shape, strict=True)
        )
        and 0 not in shape
    )


def _is_place(expr: ir.AffineExpr, size: int) -> bool:
    """A constant that linalg's verifier takes for a dimension of this size."""
    if not isinstance(expr, ir.AffineConstantExpr) or expr.value < 0:
        return False
    return size == DYNAMIC or expr.value < size


def _as_linalg(parts: _Parts) -> Sequence[ir.Value]:
    """One linalg.generic; operands that are not addressed plainly are read in its body."""
    structure, extents, body, fills = parts
    plain = {access.name: access for access in structure.inputs if _reads_like_linalg(access)}
    known = {
        symbol: access
        for symbol, access in enumerate(structure.coordinates)
        if _reads_like_linalg(access)
    }
    read = [*plain.values(), *known.values()]
    ins = [_window(structure, extents, access) for access in read]
    outs = [_window(structure, extents, access) for access in structure.outputs]
    addressed = [list(access.map.results) for access in read]
    for dim in _unnamed(structure, (*read, *structure.outputs)):
        ins.append(_of_size(extents[dim]))
        addressed.append([ir.AffineDimExpr.get(dim)])
    addressed += [list(access.map.results) for access in structure.outputs]
    maps = [ir.AffineMap.get(structure.rank, 0, results) for results in addressed]
    elements = [window.type.element_type for window in (*ins, *outs)]
    # Before the op: its body uses the bounds that this computes.
    coordinates = Coordinates(structure, extents)
    runs = _runs(structure, extents)
    kinds = _linalg_iterators(structure)
    op = linalg.GenericOp([out.type for out in outs], ins, outs, maps, kinds)
    block = op.regions[0].blocks.append(*elements, arg_locs=[op.location] * len(elements))
    arguments = list(block.arguments)
    at_hand = dict(zip(plain, arguments, strict=False))
    positions = dict(zip(known, arguments[len(plain) :], strict=False))
    with ir.InsertionPoint(block):
        dims = {
            dim: linalg.IndexOp(dim).result if extents[dim] != 1 else 0
            for dim in range(structure.rank)
        }
        point = Point(dims)
        coordinates.load_ready(point, positions)
        values = [
            at_hand[access.name] if access.name in at_hand else _read(access, point, fill)
            for access, fill in zip(structure.inputs, fills, strict=True)
        ]
        currents = arguments[len(ins) :]
        found = clone_block(body.block, [*values, *currents])
        if runs is not None:
            # Upstream takes what no body uses for not read, also where no point writes it.
            found = [
                new if _keeps(body, number) else arith.select(runs, new, current)
                for number, (new, current) in enumerate(zip(found, currents, strict=True))
            ]
        linalg.YieldOp(found)
    return [
        result if window == access.value else _put_back(result, access)
        for result, window, access in zip(op.results, outs, structure.outputs, strict=True)
    ]


def _unnamed(structure: Structure, accesses: Sequence[Access]) -> list[int]:
    """The iteration dims that are no dimension of these operands."""
    named = {plain_dim(expr) for access in accesses for expr in access.map.results}
    return [dim for dim in range(structure.rank) if dim not in named]


def _of_size(size: Ix) -> ir.Value:
    """An empty tensor of this size."""
    dynamic, static = dynamic_and_static([size])
    type_ = ir.RankedTensorType.get(static, ir.IntegerType.get_signless(8))
    return ir.Operation.create("tensor.empty", results=[type_], operands=dynamic).result


def _runs(structure: Structure, extents: Mapping[int, Ix]) -> ir.Value | None:
    """Whether an element of an output is written, if that is not known: dims that are summed over
    may have size 0."""
    summed = [dim for dim in range(structure.rank) if not structure.plain_in_outputs(dim)]
    sizes = [extents[dim] for dim in summed if structure.static_extent(dim) == DYNAMIC]
    return reduce(both, (compare("sgt", size, 0) for size in sizes), None)


def _keeps(body: Body, number: int) -> bool:
    """What output `number` holds is used by one op, of which no constant makes a constant."""
    current = body.block.arguments[body.n_inputs + number]
    op = producer(body.yields[number], *_NEVER_CONSTANT)
    uses = list(current.uses)
    return op is not None and len(uses) == 1 and uses[0].owner.operation == op


def _linalg_iterators(structure: Structure) -> list[str]:
    """linalg's iterator types follow from the output maps alone."""
    return [
        "parallel" if structure.plain_in_outputs(dim) else "reduction"
        for dim in range(structure.rank)
    ]


def _window(structure: Structure, extents: Mapping[int, Ix], access: Access) -> ir.Value:
    """The operand cut down to the iteration space, where it may be larger."""
    sizes: list[Ix] = []
    larger = False
    for position, expr in enumerate(access.map.results):
        dim = plain_dim(expr)
        if dim is None:
            sizes.append(size_of(access.value, position))
            continue
        larger = larger or not structure.spans(access, position)
        sizes.append(extents[dim])
    if not larger:
        return access.value
    return sliced(access.value, [0] * len(sizes), sizes)


def _put_back(result: ir.Value, access: Access) -> ir.Value:
    """The output with `result` in its first places."""
    sizes = [size_of(result, d) for d in range(result.type.rank)]
    given = slice_operands([0] * len(sizes), sizes)
    return tensor.insert_slice(result, access.value, *given)


def _read(access: Access, point: Point, fill: ir.Value | None) -> ir.Value:
    if 0 in access.value.type.shape:
        # Upstream refuses constant places in no elements.
        return _anything(access.value.type.element_type) if fill is None else fill

    def load() -> ir.Value:
        where = [value(affine(e, point.dims, point.symbols)) for e in access.map.results]
        return element(access.value, where)

    condition = point.valid_for(access.map)
    if condition is None:
        return load()
    assert fill is not None
    return choose_element(condition, access.value.type.element_type, load, lambda: fill)


def _as_loops(parts: _Parts) -> Sequence[ir.Value]:
    """scf.for over all dims in order; the outputs are carried through."""
    structure, extents = parts.structure, parts.extents
    coordinates = Coordinates(structure, extents)

    def visit(dims: Sequence[int], point: Point, carried: list[ir.Value]) -> list[ir.Value]:
        coordinates.load_ready(point)
        if not dims:
            return _step(parts, point, carried)
        dim = dims[0]

        def step(i: Ix, inner: list[ir.Value]) -> list[ir.Value]:
            return list(visit(dims[1:], point.at(dim, i), inner))

        return loop_carrying(0, extents[dim], carried, step, unroll="any")

    outputs = [access.value for access in structure.outputs]
    return visit(range(structure.rank), Point(), outputs)


def _step(parts: _Parts, point: Point, carried: list[ir.Value]) -> list[ir.Value]:
    """One point of the iteration space: nothing happens to an output that is out of bounds."""
    conditions = [point.valid_for(access.map) for access in parts.structure.outputs]
    if len(carried) == 1 and conditions[0] is not None:
        # The body may not be safe to run (it may divide) on what is not there.
        return [
            choose(
                conditions[0],
                carried[0].type,
                lambda: _compute(parts, point, carried, [None])[0],
                lambda: carried[0],
            )
        ]
    return _compute(parts, point, carried, conditions)


def _compute(
    parts: _Parts,
    point: Point,
    carried: list[ir.Value],
    conditions: Sequence[ir.Value | None],
) -> list[ir.Value]:
    structure, _, body, fills = parts
    values = [
        _read(access, point, fill) for access, fill in zip(structure.inputs, fills, strict=True)
    ]
    places = []
    for access, tensor_, condition in zip(structure.outputs, carried, conditions, strict=True):
        where = [value(affine(e, point.dims, point.symbols)) for e in access.map.results]
        places.append(where)
        values.append(_current(tensor_, where, condition))
    news = clone_block(body.block, values)
    return [
        _inserted(new, tensor_, where, condition)
        for new, tensor_, where, condition in zip(news, carried, places, conditions, strict=True)
    ]


def _current(carried: ir.Value, where: Sequence[ir.Value], condition: ir.Value | None) -> ir.Value:
    type_ = carried.type.element_type
    if condition is None:
        return element(carried, where)
    return choose_element(
        condition, type_, lambda: element(carried, where), lambda: _anything(type_)
    )


def _anything(type_: ir.Type) -> ir.Value:
    """1, for an element that is not read: a body may divide by it. IREE takes no `ub.poison`."""
    if isinstance(type_, ir.ComplexType):
        part = _anything(type_.element_type)
        return complex_.create_(type_, part, part)
    if isinstance(type_, ir.FloatType):
        return arith.constant(type_, 1.0)
    if isinstance(type_, ir.IndexType):
        return index(1)
    signless = ir.IntegerType.get_signless(type_.width)
    return cast(arith.constant(signless, ir.IntegerAttr.get(signless, 1)), type_)


def _inserted(
    new: ir.Value, carried: ir.Value, where: Sequence[ir.Value], condition: ir.Value | None
) -> ir.Value:
    return choose(
        condition, carried.type, lambda: tensor.insert(new, carried, where), lambda: carried
    )
