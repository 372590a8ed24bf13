"""`convert-gs-to-linalg`: `gs.generic` on tensors to linalg, for pipelines that go on upstream."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.generic_verify import masked_symbols
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.lowering.body import Body, cast, harmless
from mlir_gs.lowering.bounds_check import emit_checks
from mlir_gs.lowering.builders import arith, clone_block, index, walk_named
from mlir_gs.lowering.coordinates import Coordinates, Point
from mlir_gs.lowering.emit import (
    Ix,
    affine,
    choose,
    element,
    scf,
    size_of,
    tensor,
    value,
)
from mlir_gs.lowering.extents import extents_of
from mlir_gs.lowering.fill import fill_constant
from mlir_gs.lowering.refs import storage_type
from mlir_gs.lowering.registry import fail, register_pass
from mlir_gs.lowering.sites import Sites

linalg = dialect("linalg")


@register_pass
@dataclass(frozen=True)
class ConvertGsToLinalg:
    """Lower `gs.generic` on tensors to linalg.generic that reads through tensor.extract.

    An op that writes through coordinates has no place in linalg: it becomes scf.for loops with
    tensor.insert, in the order that its meaning asks for.
    """

    name: ClassVar[str] = "convert-gs-to-linalg"

    def run(self, module: ir.Operation) -> None:
        sites = Sites(module)
        for op in walk_named(module, "gs.generic"):
            if len(op.results) == 0:
                fail(op, "'gs.generic' op is on memrefs: convert-gs-to-scf lowers it")
            with op.location, ir.InsertionPoint(op):
                results = _lower(op, sites)
            for old, new in zip(op.results, results, strict=True):
                old.replace_all_uses_with(new)
            op.erase()
        sites.write()


def _lower(op: ir.Operation, sites: Sites) -> Sequence[ir.Value]:
    structure = Structure.of(op.opview)
    extents = extents_of(structure)
    emit_checks(op, structure, Coordinates(structure, extents), extents, sites)
    body = Body(op.regions[0].blocks[0], len(structure.inputs))
    fills = [
        _fill(access.value.type.element_type, given) if masked_symbols(structure, access) else None
        for access, given in zip(structure.inputs, structure.fills, strict=True)
    ]
    if all(_is_projection(access) for access in structure.outputs):
        return _as_linalg(structure, extents, body, fills)
    return _as_loops(structure, extents, body, fills)


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
    """No symbols, and each result is a dim of its own or a constant."""
    dims = [plain_dim(e) for e in access.map.results]
    known = [dim for dim in dims if dim is not None]
    return len(set(known)) == len(known) and all(
        isinstance(expr, (ir.AffineDimExpr, ir.AffineConstantExpr)) for expr in access.map.results
    )


def _as_linalg(
    structure: Structure,
    extents: Mapping[int, Ix],
    body: Body,
    fills: Sequence[ir.Value | None],
) -> Sequence[ir.Value]:
    """One linalg.generic; operands that are not addressed plainly are read in its body."""
    plain = {access.name: access for access in structure.inputs if _reads_like_linalg(access)}
    known = {
        symbol: access
        for symbol, access in enumerate(structure.coordinates)
        if _reads_like_linalg(access)
    }
    ins = [*plain.values(), *known.values()]
    windows = [_window(structure, extents, access) for access in (*ins, *structure.outputs)]
    outs = windows[len(ins) :]
    maps = [
        ir.AffineMap.get(structure.rank, 0, list(access.map.results))
        for access in (*ins, *structure.outputs)
    ]
    elements = [window.type.element_type for window in windows]
    # Before the op: its body uses the bounds that this computes.
    coordinates = Coordinates(structure, extents)
    op = ir.Operation.create(
        "linalg.generic",
        results=[out.type for out in outs],
        operands=windows,
        attributes={
            "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(map_) for map_ in maps]),
            "iterator_types": ir.ArrayAttr.get(
                [
                    ir.Attribute.parse(f"#linalg.iterator_type<{kind}>")
                    for kind in _linalg_iterators(structure)
                ]
            ),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(ins), len(outs)]),
        },
        regions=1,
    )
    location = ir.Location.current
    block = op.regions[0].blocks.append(*elements, arg_locs=[location] * len(elements))
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
        values += arguments[len(ins) :]
        linalg.YieldOp(clone_block(body.block, values))
    return [
        _put_back(result, access)
        for result, access in zip(op.results, structure.outputs, strict=True)
    ]


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
    static = [size if isinstance(size, int) else DYNAMIC for size in sizes]
    dynamic = [size for size in sizes if not isinstance(size, int)]
    rank = len(sizes)
    type_ = ir.RankedTensorType.get(static, access.value.type.element_type)
    return tensor.extract_slice(
        type_, access.value, [], dynamic, [], [0] * rank, static, [1] * rank
    )


def _put_back(result: ir.Value, access: Access) -> ir.Value:
    """The output with `result` in it, where that is a part only."""
    if result.type == access.value.type:
        return result
    type_, rank = result.type, result.type.rank
    sizes = [size_of(result, d) for d in range(rank)]
    dynamic = [size for size in sizes if not isinstance(size, int)]
    return tensor.insert_slice(
        result, access.value, [], dynamic, [], [0] * rank, list(type_.shape), [1] * rank
    )


def _read(access: Access, point: Point, fill: ir.Value | None) -> ir.Value:
    def load() -> ir.Value:
        where = [value(affine(e, point.dims, point.symbols)) for e in access.map.results]
        return element(access.value, where)

    condition = point.valid_for(access.map)
    if condition is None:
        return load()
    assert fill is not None
    return choose(condition, access.value.type.element_type, load, lambda: fill)


def _as_loops(
    structure: Structure,
    extents: Mapping[int, Ix],
    body: Body,
    fills: Sequence[ir.Value | None],
) -> Sequence[ir.Value]:
    """scf.for over all dims in order; the outputs are carried through."""
    coordinates = Coordinates(structure, extents)

    def visit(dims: Sequence[int], point: Point, carried: list[ir.Value]) -> list[ir.Value]:
        coordinates.load_ready(point)
        if not dims:
            return _step(structure, body, fills, point, carried)
        dim = dims[0]
        nest = scf.ForOp(value(0), value(extents[dim]), index(1), carried)
        with ir.InsertionPoint(nest.body):
            inner = point.at(dim, nest.induction_variable)
            scf.yield_(visit(dims[1:], inner, list(nest.inner_iter_args)))
        return list(nest.results)

    outputs = [access.value for access in structure.outputs]
    return visit(range(structure.rank), Point(), outputs)


def _step(
    structure: Structure,
    body: Body,
    fills: Sequence[ir.Value | None],
    point: Point,
    carried: list[ir.Value],
) -> list[ir.Value]:
    """One point of the iteration space: nothing happens to an output that is out of bounds."""
    conditions = [point.valid_for(access.map) for access in structure.outputs]
    if len(carried) == 1 and conditions[0] is not None:
        # The body may not be safe to run (it may divide) on what is not there.
        return [
            choose(
                conditions[0],
                carried[0].type,
                lambda: _compute(structure, body, fills, point, carried, [None])[0],
                lambda: carried[0],
            )
        ]
    return _compute(structure, body, fills, point, carried, conditions)


def _compute(
    structure: Structure,
    body: Body,
    fills: Sequence[ir.Value | None],
    point: Point,
    carried: list[ir.Value],
    conditions: Sequence[ir.Value | None],
) -> list[ir.Value]:
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
    return choose(condition, type_, lambda: element(carried, where), lambda: harmless(type_))


def _inserted(
    new: ir.Value, carried: ir.Value, where: Sequence[ir.Value], condition: ir.Value | None
) -> ir.Value:
    if condition is None:
        return tensor.insert(new, carried, where)
    return choose(
        condition, carried.type, lambda: tensor.insert(new, carried, where), lambda: carried
    )
