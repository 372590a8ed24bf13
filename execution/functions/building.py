"""From a `Spec` to a module."""

from typing import Any

from mlir_gs import dialect as gs
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.functions.bodies import build
from mlir_gs.execution.functions.spec import Operand, Spec, Where

arith = dialect("arith")
builtin = dialect("builtin")
func = dialect("func")
tensor = dialect("tensor")


def module(spec: Spec) -> Any:
    """The function of `spec` as a module: one `gs.generic`. Raises TypeError where the body does
    not know the elements."""
    made = ir.Module.create()
    types = [_operand(spec, one) for one in spec.inputs]
    if spec.fill:
        types.append(_tensor(spec.output.element, 0))
    types += [_tensor(one.element, len(one.places[0]), one.static) for one in spec.indices]
    out = _operand(spec, spec.output)
    arguments = types if spec.fresh else [*types, out]
    with ir.InsertionPoint(made.body):
        function = func.FuncOp("f", (arguments, [out]))
    if not spec.fresh:
        writable = ir.DictAttr.get({"bufferization.writable": ir.BoolAttr.get(True)})
        function.arg_attrs = ir.ArrayAttr.get([*[ir.DictAttr.get({})] * len(types), writable])
    block = function.add_entry_block()
    with ir.InsertionPoint(block):
        func.ReturnOp([_body(spec, list(block.arguments))])
    return made


def _body(spec: Spec, values: list[Any]) -> Any:
    count = len(spec.inputs)
    inputs, values = values[:count], values[count:]
    wheres = [one.where for one in spec.inputs]
    fill, values = (values[:1], values[1:]) if spec.fill else ([], values)
    indices, values = values[: len(spec.indices)], values[len(spec.indices) :]
    places = [place for one in spec.indices for place in one.places]
    if spec.fill:
        # The body looks at the coordinates, so that what it fills with need not be a constant.
        for value, one in zip(indices, spec.indices, strict=True):
            inputs += [value] * len(one.places)
        inputs += fill
        wheres += [*places, ()]
    sources = [*zip(indices, [one.places[0] for one in spec.indices], strict=True)]
    sources += zip(inputs, wheres, strict=True)
    output = _empty(spec, sources) if spec.fresh else values[0]
    sizes = [_size_of_symbol(spec, inputs, symbol) for symbol in range(len(places) * spec.fill)]

    def body(*elements: Any) -> Any:
        if not spec.fill:
            return build(spec.body, elements)
        element, *seen, fill_element, _ = elements
        return _filled(element, seen, sizes, fill_element, bool(spec.wrap))

    plain = {where for where in spec.output.where if where.startswith("d")}
    return gs.generic(
        inputs,
        indices,
        [output],
        indexing_maps=[_map(spec, where) for where in (*wheres, spec.output.where)],
        coordinate_maps=[[_map(spec, place) for place in one.places] for one in spec.indices],
        iterator_types=[
            "parallel" if f"d{dim}" in plain or spec.unique else "reduction"
            for dim in range(spec.rank)
        ],
        body=body,
        modes=spec.modes,
        wrap_negative=[spec.wrap] * spec.symbols
        if isinstance(spec.wrap, bool)
        else list(spec.wrap),
        fill_values=[_zero(spec.output.element), *[None] * (len(inputs) - 1)]
        if spec.fill
        else None,
        unique=spec.unique,
        sorted=spec.sorted,
    ).results[0]


def _tensor(element: str, rank: int, static: tuple[int, ...] = ()) -> Any:
    dynamic = ir.ShapedType.get_dynamic_size()
    sizes = [dynamic] * (rank - len(static)) + list(static)
    return ir.RankedTensorType.get(sizes, ir.Type.parse(element))


def _operand(spec: Spec, one: Operand) -> Any:
    """The type of an operand: the last dim may have a known size."""
    dynamic = ir.ShapedType.get_dynamic_size()
    known = None if spec.width is None else f"d{spec.rank - 1}"
    sizes = [spec.width if place == known else dynamic for place in one.where]
    return ir.RankedTensorType.get(sizes, ir.Type.parse(one.element))


def _map(spec: Spec, where: Where) -> Any:
    kinds = {"d": ir.AffineDimExpr, "s": ir.AffineSymbolExpr}
    results = [
        kinds[place[0]].get(int(place[1:]))
        if place[0] in kinds
        else ir.AffineConstantExpr.get(int(place))
        for place in where
    ]
    return ir.AffineMap.get(spec.rank, spec.symbols, results)


def _dim(value: Any, position: int) -> Any:
    return tensor.dim(value, arith.constant(ir.IndexType.get(), position))


def _empty(spec: Spec, sources: list[tuple[Any, Where]]) -> Any:
    """A new output, of the extents of the iteration space."""
    sizes: list[Any] = []
    for dim in spec.output.where:
        value, position = next((v, where.index(dim)) for v, where in sources if dim in where)
        known = spec.width is not None and dim == f"d{spec.rank - 1}"
        sizes.append(spec.width if known else _dim(value, position))
    return tensor.empty(sizes, ir.Type.parse(spec.output.element))


def _size_of_symbol(spec: Spec, inputs: list[Any], symbol: int) -> Any:
    """The size of the dim of the first input that a coordinate addresses."""
    return _dim(inputs[0], spec.inputs[0].where.index(f"s{symbol}"))


def _filled(element: Any, seen: list[Any], sizes: list[Any], fill: Any, wrap: bool) -> Any:
    """`element`, or `fill` where one of the coordinates is out of [-size, size), or of [0, size)
    where they do not wrap."""
    inside = None
    for coordinate, size in zip(seen, sizes, strict=True):
        unsigned = coordinate.type.is_unsigned
        if unsigned:
            # Arithmetic knows no types with a sign.
            bits = ir.IntegerType.get_signless(coordinate.type.width)
            coordinate = builtin.unrealized_conversion_cast([bits], [coordinate])
            index = arith.index_castui(ir.IndexType.get(), coordinate)
        else:
            index = arith.index_cast(ir.IndexType.get(), coordinate)
        zero = arith.constant(ir.IndexType.get(), 0)
        wraps = wrap and not unsigned
        below = arith.cmpi(arith.CmpIPredicate.slt, index, size)
        least = arith.subi(zero, size) if wraps else zero
        above = arith.cmpi(arith.CmpIPredicate.sge, index, least)
        both = arith.andi(below, above)
        inside = both if inside is None else arith.andi(inside, both)
    return arith.select(inside, element, fill)


def _zero(element: str) -> Any:
    kind = ir.Type.parse(element)
    if isinstance(kind, ir.ComplexType):
        part = ir.FloatAttr.get(kind.element_type, 0.0)
        return ir.ArrayAttr.get([part, part])
    return (ir.FloatAttr if isinstance(kind, ir.FloatType) else ir.IntegerAttr).get(kind, 0)
