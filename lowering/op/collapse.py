"""Collapses adjacent iteration dims that are contiguous in every operand."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Access, Structure, dims_in, groups
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.builders import replace_op, walk_named
from mlir_gs.lowering.ir.emit import dynamic_and_static, memref, product, size_of
from mlir_gs.lowering.op.compact import compact_strides


def collapse_dims(op: ir.Operation) -> ir.Operation:
    """`op`, on memrefs, or an equivalent one with fewer iteration dims in its place.

    Dims d and d+1 become one when each operand that has them has them as neighbours, its memory
    is contiguous across the two, and the size of the inner one is static.
    """
    while True:
        structure = Structure.of(op.opview)
        pairs = range(structure.rank - 2, -1, -1)
        dim = next((d for d in pairs if _collapsible(structure, d)), None)
        if dim is None:
            return op
        with ir.InsertionPoint(op):
            op = _collapsed(op, structure, dim)


def _collapsible(structure: Structure, dim: int) -> bool:
    inner = structure.static_extent(dim + 1)
    if inner == DYNAMIC or structure.iterators[dim] != structure.iterators[dim + 1]:
        return False
    if not all(
        _mentions(access, dim) == _mentions(access, dim + 1) == 0
        or _are_neighbours(access, dim, inner)
        for access in structure.accesses
    ):
        return False
    # The coordinates that one operand holds must agree on its shape.
    places: dict[str, int | None] = {}
    return all(
        places.setdefault(access.name, _position(access, dim)) == _position(access, dim)
        for access in structure.coordinates
    )


def _mentions(access: Access, dim: int) -> int:
    return sum(dim in dims_in(expr) for expr in access.map.results)


def _position(access: Access, dim: int) -> int | None:
    """The dimension that `dim` addresses plainly, if it is mentioned there only."""
    found = [p for p, expr in enumerate(access.map.results) if plain_dim(expr) == dim]
    return found[0] if len(found) == 1 and _mentions(access, dim) == 1 else None


def _are_neighbours(access: Access, dim: int, inner: int) -> bool:
    first, second = _position(access, dim), _position(access, dim + 1)
    if first is None or second != first + 1:
        return False
    type_ = access.value.type
    strides, _ = type_.get_strides_and_offset()
    return type_.shape[second] == inner and (
        isinstance(type_.layout, ir.AffineMapAttr)
        or (DYNAMIC not in strides and strides[first] == strides[second] * inner)
    )


def _collapsed(op: ir.Operation, structure: Structure, dim: int) -> ir.Operation:
    """`op` with `dim` and `dim + 1` as one, and its operands collapsed to match."""
    rank, symbols = structure.rank, len(structure.coordinates)
    old_dims = [affine_rewrites.dim(d if d <= dim else d - 1) for d in range(rank)]
    old_symbols = [affine_rewrites.symbol(s) for s in range(symbols)]

    def rewritten(map_: ir.AffineMap) -> ir.AffineMapAttr:
        kept = [e for e in map_.results if plain_dim(e) != dim + 1]
        source = ir.AffineMap.get(rank, symbols, kept)
        exprs = [affine_rewrites.replace(expr, old_dims, old_symbols) for expr in source.results]
        return ir.AffineMapAttr.get(ir.AffineMap.get(rank - 1, symbols, exprs))

    inputs, indices, outputs = groups(op.opview)
    position_of = {access.name: _position(access, dim) for access in structure.accesses}
    operands = [
        _collapse_memref(value, position_of.get(f"{role} #{number}"))
        for role, values in (("inputs", inputs), ("indices", indices), ("outputs", outputs))
        for number, value in enumerate(values)
    ]
    attributes = dict(op.attributes)
    attributes["indexing_maps"] = ir.ArrayAttr.get(
        [rewritten(access.map) for access in (*structure.inputs, *structure.outputs)]
    )
    attributes["coordinate_maps"] = ir.ArrayAttr.get(
        [
            ir.ArrayAttr.get([rewritten(attribute.value) for attribute in maps])
            for maps in op.attributes["coordinate_maps"]
        ]
    )
    attributes["iterator_types"] = ir.ArrayAttr.get(
        [kind for d, kind in enumerate(op.attributes["iterator_types"]) if d != dim + 1]
    )
    new = ir.Operation.create(
        "gs.generic",
        operands=operands,
        attributes=attributes,
        regions=1,
    )
    op.regions[0].blocks[0].append_to(new.regions[0])
    op.erase()
    return new


def _collapse_memref(value: ir.Value, position: int | None) -> ir.Value:
    if position is None:
        return value
    type_ = value.type
    shape = list(type_.shape)
    outer, inner = shape[position], shape[position + 1]
    merged = DYNAMIC if outer == DYNAMIC else outer * inner
    reassociation = [
        *([p] for p in range(position)),
        [position, position + 1],
        *([p] for p in range(position + 2, len(shape))),
    ]
    layout = None
    if not isinstance(type_.layout, ir.AffineMapAttr):
        strides, offset = type_.get_strides_and_offset()
        del strides[position]
        layout = ir.StridedLayoutAttr.get(offset, strides)
    result = ir.MemRefType.get(
        [*shape[:position], merged, *shape[position + 2 :]],
        type_.element_type,
        layout,
        type_.memory_space,
    )
    return memref.collapse_shape(result, value, reassociation)


def cast_collapses(function: ir.Operation) -> None:
    """Replace each `memref.collapse_shape` in `function` whose offset and strides are static by a
    `memref.reinterpret_cast`.

    Upstream folds loads, stores and prefetches of the former into its source, with a division for
    each.
    """
    for op in walk_named(function, "memref.collapse_shape"):
        source, type_ = op.operands[0], op.results[0].type
        strides, offset = type_.get_strides_and_offset()
        is_identity = isinstance(type_.layout, ir.AffineMapAttr)
        if offset == DYNAMIC or not type_.rank or (DYNAMIC in strides and not is_identity):
            continue
        with op.location, ir.InsertionPoint(op):
            merged = [[dimension.value for dimension in group] for group in op.opview.reassociation]
            sizes = [product(size_of(source, dimension) for dimension in group) for group in merged]
            steps = compact_strides(sizes) if is_identity else strides
            (given_sizes, known_sizes), (given_steps, known_steps) = (
                dynamic_and_static(sizes),
                dynamic_and_static(steps),
            )
            cast = memref.reinterpret_cast(
                type_, source, [], given_sizes, given_steps, [offset], known_sizes, known_steps
            )
            replace_op(op, [cast])
