"""Tensors filled, broadcast, flattened and computed element by element."""

from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.emit import Ix, dynamic_and_static, generated, size_of, sliced

linalg = dialect("linalg")
tensor = dialect("tensor")


def sizes_of(value: ir.Value) -> list[Ix]:
    """The sizes of a tensor: numbers where they are static."""
    return [size_of(value, dim) for dim in range(value.type.rank)]


def filled(sizes: Sequence[Ix], scalar: ir.Value) -> ir.Value:
    """A tensor of these sizes with `scalar` in each place."""
    return linalg.fill(scalar, outs=[tensor.empty(list(sizes), scalar.type)])


def cut_to(source: ir.Value, sizes: Sequence[Ix]) -> ir.Value:
    """The elements of `source` from the first one on, of `sizes` that it has."""
    if 0 in [size for size in (*sizes, *source.type.shape) if isinstance(size, int)]:
        # No offset is within a dim of size 0.
        return tensor.empty(list(sizes), source.type.element_type)
    return sliced(source, [0] * len(sizes), sizes)


def elementwise(
    inputs: Sequence[ir.Value],
    element: ir.Type,
    body: Callable[..., ir.Value],
    sizes: Sequence[Ix] | None = None,
) -> ir.Value:
    """A tensor of `element`s, `body` of those of `inputs`.

    `sizes`: by default those of the first input; other inputs may miss leading dims or have a
    static size of 1, which are broadcast.
    """
    sizes = sizes_of(inputs[0]) if sizes is None else sizes
    rank = len(sizes)
    maps = [broadcast_map(value.type, rank) for value in inputs]
    out = tensor.empty(list(sizes), element)
    return looped(inputs, out, [*maps, ir.AffineMap.get_identity(rank)], body)


def looped(
    inputs: Sequence[ir.Value],
    out: ir.Value,
    maps: Sequence[ir.AffineMap],
    body: Callable[..., ir.Value],
    *,
    folds: bool = False,
) -> ir.Value:
    """The result of a linalg.generic into `out`, with the maps of `inputs` and of it: `body` of an
    element of each input. `folds`: also of the one of `out`, over all dims."""
    kinds = ["reduction" if folds else "parallel"] * maps[0].n_dims
    last = None if folds else -1
    return nest(inputs, [out], maps, kinds, lambda *given: [body(*given[:last])])[0]


def nest(
    inputs: Sequence[ir.Value],
    outs: Sequence[ir.Value],
    maps: Sequence[ir.AffineMap],
    kinds: Sequence[str],
    body: Callable[..., Sequence[ir.Value]],
) -> list[ir.Value]:
    """The results of a linalg.generic with these iterators: `body` of an element of each input and
    of each of `outs`, of which it gives the new ones."""
    made = linalg.GenericOp([out.type for out in outs], inputs, outs, maps, kinds)
    types = [getattr(value.type, "element_type", value.type) for value in (*inputs, *outs)]
    block = made.regions[0].blocks.append(*types, arg_locs=[made.location] * len(types))
    with ir.InsertionPoint(block):
        linalg.YieldOp(list(body(*block.arguments)))
    return list(made.results)


def computed(
    sizes: Sequence[Ix], element: ir.Type, read: Callable[[Sequence[ir.Value]], ir.Value]
) -> ir.Value:
    """A tensor of `element`s that `read` builds from their indices."""
    rank = len(sizes)

    def body() -> ir.Value:
        return read([linalg.IndexOp(dim).result for dim in range(rank)])

    return looped([], tensor.empty(list(sizes), element), [ir.AffineMap.get_identity(rank)], body)


def coordinates(sizes: Sequence[Ix], place: Callable[..., ir.Value]) -> ir.Value:
    """A tensor of indices that `place` builds from where they are."""
    return generated(sizes, ir.IndexType.get(), place)


def broadcast_map(type_: ir.ShapedType, rank: int) -> ir.AffineMap:
    """How `type_` lies in `rank` dims, aligned at the right; static sizes of 1 are at 0."""
    missing = rank - type_.rank
    exprs = [
        ir.AffineConstantExpr.get(0) if size == 1 else ir.AffineDimExpr.get(missing + d)
        for d, size in enumerate(type_.shape)
    ]
    return ir.AffineMap.get(rank, 0, exprs)


def unflat(value: ir.Value, like: ir.Value) -> ir.Value:
    """The inverse of `flat`: the elements in the shape of `like`."""
    type_ = like.type
    if type_.rank == 1:
        return value
    wanted = ir.RankedTensorType.get(type_.shape, value.type.element_type)
    if type_.rank == 0:
        return tensor.collapse_shape(wanted, value, [])
    dynamic, static = dynamic_and_static(sizes_of(like))
    return tensor.expand_shape(wanted, value, [list(range(type_.rank))], dynamic, static)
